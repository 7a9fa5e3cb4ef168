-- one row per game and turn, with the columns that all titles have
-- key: game_id, turn
-- as in: turns
SELECT * FROM replayed_turns ANTI JOIN faulty_games USING (game_id)
