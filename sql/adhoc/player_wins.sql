-- Who wins how often, and from how many games?
SELECT
    title, player,
    count(*) AS games,
    round(sum(win60) / 60, 2) AS wins,
    round(sum(win60) / 60 / count(*), 3) AS share
FROM seat_facts
WHERE left_out IS NULL
GROUP BY ALL
ORDER BY title, share DESC, player
