-- one row per game: a record that could be read, and in which no replay found a fault
-- key: game_id
-- as in: games
-- batch: the batch of the lake that holds the game
-- Records in = games + rejects. A game whose batch has not been replayed yet stands here too.
SELECT * FROM recorded_games ANTI JOIN faulty_games USING (game_id)
