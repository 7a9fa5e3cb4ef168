-- How often does the player who leads after each tenth of the game win it?
-- Joint leaders count in parts, so do joint winners.
-- All options of a title together: add WHERE options = '...' for one cell.
SELECT
    title, players, phase,
    (sum(lead60) / 60)::BIGINT AS games,
    round(sum(lead_win) / 60 / sum(lead60), 3) AS leader_wins
FROM leader_counts
GROUP BY ALL
ORDER BY title, players, phase
