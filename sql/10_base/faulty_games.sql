-- one row per recorded game in which a replay found a fault
-- key: game_id
-- as in: games
-- A duplicate's reject bears the number of a sound game, so only the replay's rejects count here.
SELECT DISTINCT game_id FROM replay_rejects WHERE game_id IS NOT NULL
