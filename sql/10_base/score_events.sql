-- one row per game, ply, seat, source and place of points
-- key: game_id, ply, seat, source, place
-- as in: score_events
SELECT * FROM replayed_score_events ANTI JOIN faulty_games USING (game_id)
