-- How are the final scores of each seat spread?
-- All options of a title together: add WHERE options = '...' for one cell.
SELECT
    title, players, seat + 1 AS seat,
    count(score) AS games,
    min(score) AS least,
    quantile_disc(score, 0.25) AS lower_quartile,
    quantile_disc(score, 0.5) AS median,
    quantile_disc(score, 0.75) AS upper_quartile,
    max(score) AS most
FROM seat_facts
WHERE left_out IS NULL
GROUP BY ALL
ORDER BY title, players, seat
