-- How did one game begin, in words?
SELECT ply, turn, coalesce(player, 'nature') AS player, action, item, place
FROM moves_in_words
JOIN games USING (game_id)
LEFT JOIN seats USING (game_id, seat)
WHERE id = 'evening-0'
ORDER BY ply
LIMIT 8
