-- one row per game and seat
-- key: game_id, seat
-- as in: seats
SELECT * FROM recorded_seats ANTI JOIN faulty_games USING (game_id)
