-- Which winners were furthest behind at half time?
SELECT games.id, seat_facts.player, phase_scores.score AS half_time_score, phase_scores.deficit
FROM phase_scores
JOIN games USING (game_id)
JOIN seat_facts USING (game_id, seat)
WHERE phase_scores.phase = 5 AND phase_scores.win60 > 0
ORDER BY phase_scores.deficit DESC, games.id
LIMIT 5
