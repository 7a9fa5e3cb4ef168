-- one row per cell, seat and rank
-- key: title, board, options, players, seat, rank
-- as in: games, outcomes
-- games: games in which the seat ended with this rank
SELECT title, board, options, players, seat, rank, count(*) AS games
FROM seat_facts
WHERE left_out IS NULL AND rank IS NOT NULL
GROUP BY ALL
