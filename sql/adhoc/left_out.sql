-- Which records are in no figure, and why?
SELECT coalesce(title, 'unknown') AS title, reason, fault, sum(records)::BIGINT AS records
FROM left_out_counts
GROUP BY ALL
ORDER BY records DESC, title, reason, fault
