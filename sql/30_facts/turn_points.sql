-- one row per game, turn and seat that gained or lost points in it
-- key: game_id, turn, seat
-- as in: score_events
-- turn: the turn that the points' event belongs to, 0-based
-- points: sum of the seat's points in the turn; 0 when gains and losses are equal, points
SELECT score_events.game_id, moves.turn, score_events.seat, sum(score_events.points)::INTEGER AS points
FROM score_events
JOIN moves USING (game_id, ply)
GROUP BY ALL
