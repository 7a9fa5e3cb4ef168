-- Does a seat win more often than its fair share?
-- A shared win counts in parts; `fair` is 1/n. The report says how sure a difference is.
-- All options of a title together: add WHERE options = '...' for one cell.
SELECT
    title, players, seat + 1 AS seat, sum(games)::BIGINT AS games,
    round(sum(win60) / 60 / sum(games), 3) AS share,
    round(1 / players, 3) AS fair
FROM seat_counts
GROUP BY ALL
ORDER BY title, players, seat
