-- one row per game and option
-- key: game_id, option
-- as in: games
-- option: name of an option or switch
-- value: its value as text: `true`, `east`, `[1,3]`
SELECT games.game_id, option_values.option, option_values.value
FROM games
JOIN option_values USING (options)
