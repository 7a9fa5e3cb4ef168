-- one row per cell, margin and range of scores
-- key: title, board, options, players, margin, score_range
-- as in: games
-- margin: best score less the second best, points
-- score_range: best score less the worst, points
-- games: games that ended so
SELECT title, board, options, players, margin, score_range, count(*) AS games
FROM game_facts
WHERE left_out IS NULL AND margin IS NOT NULL
GROUP BY ALL
