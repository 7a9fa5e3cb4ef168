-- How often do players take the act that the report calls exchange, when they may and when they must?
-- Of Kingdoms it is drawing a tile instead of placing a castle.
-- All options of a title together: add WHERE options = '...' for one cell.
SELECT
    title, players, seat + 1 AS seat,
    sum(open)::BIGINT AS open_turns,
    sum(done)::BIGINT AS done,
    sum(chosen)::BIGINT AS chosen,
    sum(forced)::BIGINT AS forced,
    round(sum(done) / sum(open), 3) AS rate
FROM opportunity_counts
GROUP BY ALL
ORDER BY title, players, seat
