-- How many games are there of each value of each option?
SELECT title, option, value, count(*) AS games
FROM games
JOIN game_options USING (game_id)
GROUP BY ALL
ORDER BY title, option, value
