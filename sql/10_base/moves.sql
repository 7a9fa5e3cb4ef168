-- one row per event, the canonical log
-- key: game_id, ply
-- as in: moves
SELECT * FROM recorded_moves ANTI JOIN faulty_games USING (game_id)
