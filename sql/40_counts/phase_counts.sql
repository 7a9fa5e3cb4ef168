-- one row per cell, phase, seat and score then
-- key: title, board, options, players, phase, seat, score
-- as in: games, outcomes
-- phase: how much of the game's events have been: 0 (the start), 1, .. 10 (the end), tenths
-- score: the seat's score then, points
-- games: games in which the seat had this score then
SELECT title, board, options, players, phase, seat, score, count(*) AS games
FROM (
    SELECT game_id, seat, unnest(range(11))::TINYINT AS phase, unnest(scores) AS score FROM phase_totals
)
JOIN games USING (game_id)
GROUP BY ALL
