-- Kingdoms: on which cells do castles stand, row by row?
PIVOT (
    SELECT left(place, 1) AS board_row, substr(place, 2) AS board_column
    FROM moves_in_words
    JOIN games USING (game_id)
    WHERE title = 'kingdoms' AND action = 'castle'
)
ON board_column IN ('1', '2', '3', '4', '5', '6')
USING count(*)
ORDER BY board_row
