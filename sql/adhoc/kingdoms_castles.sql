-- Kingdoms: which castles are played early and which late in an epoch?
SELECT
    castle_rank,
    count(*) AS placed,
    round(avg(30 - empty_cells), 1) AS cells_taken_before,
    round(avg(epoch) + 1, 2) AS mean_epoch
FROM turns_kingdoms
WHERE castle_rank > 0
GROUP BY ALL
ORDER BY castle_rank
