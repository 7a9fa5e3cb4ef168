-- one row per cell and length
-- key: title, board, options, players, turns, plies
-- as in: games
-- turns: turns of the game
-- plies: events of the game
-- games: games of this length
SELECT title, board, options, players, turns, plies, count(*) AS games
FROM game_facts
WHERE left_out IS NULL AND turns IS NOT NULL
GROUP BY ALL
