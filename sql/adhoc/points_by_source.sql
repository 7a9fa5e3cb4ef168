-- Where do the points come from?
-- Gains and losses apart: a source may take from one player what it gives to another.
-- All options of a title together: add WHERE options = '...' for one cell.
SELECT
    title, players, source,
    sum(gained)::BIGINT AS gained,
    sum(lost)::BIGINT AS lost
FROM source_counts
GROUP BY ALL
ORDER BY title, players, source
