-- one row per cell and pattern of win shares
-- key: title, board, options, players, pattern
-- as in: games
-- pattern: win shares by seat, 60ths of a win
-- games: games that ended so
SELECT title, board, options, players, win_pattern AS pattern, count(*) AS games
FROM game_facts
WHERE left_out IS NULL
GROUP BY ALL
