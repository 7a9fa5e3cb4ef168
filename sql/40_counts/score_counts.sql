-- one row per cell, seat and final score
-- key: title, board, options, players, seat, score
-- as in: games, outcomes
-- games: games in which the seat ended with this score
SELECT title, board, options, players, seat, score, count(*) AS games
FROM seat_facts
WHERE left_out IS NULL AND score IS NOT NULL
GROUP BY ALL
