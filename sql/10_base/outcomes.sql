-- one row per game and seat, as the replay computes it (results-only records: as stated)
-- key: game_id, seat
-- as in: outcomes
SELECT * FROM replayed_outcomes ANTI JOIN faulty_games USING (game_id)
