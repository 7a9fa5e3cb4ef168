-- Do the score events of every game sum to its outcome, from one starting score?
SELECT title, score - coalesce(points, 0) AS starting_score, count(*) AS seats
FROM outcomes
JOIN games USING (game_id)
LEFT JOIN (SELECT game_id, seat, sum(points) AS points FROM score_events GROUP BY ALL) USING (game_id, seat)
WHERE plies > 0
GROUP BY ALL
ORDER BY title, starting_score
