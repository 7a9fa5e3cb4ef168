-- one row per cell and pattern of ranks
-- key: title, board, options, players, pattern
-- as in: games
-- pattern: ranks by seat, 1 is best
-- games: games that ended so
SELECT title, board, options, players, rank_pattern AS pattern, count(*) AS games
FROM game_facts
WHERE left_out IS NULL AND rank_pattern IS NOT NULL
GROUP BY ALL
