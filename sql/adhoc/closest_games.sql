-- Which games were the closest?
SELECT games.id, facts.players, facts.best_score, facts.margin, facts.winners
FROM game_facts AS facts
JOIN games USING (game_id)
WHERE facts.left_out IS NULL
ORDER BY facts.margin, facts.best_score DESC, games.id
LIMIT 5
