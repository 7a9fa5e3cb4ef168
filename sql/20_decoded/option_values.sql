-- one row per set of options and option
-- key: options, option
-- as in: games
-- option: name of an option or switch
-- value: its value as text: `true`, `east`, `[1,3]`
SELECT sets.options, each.key AS option, each.value ->> '$' AS value
FROM (SELECT DISTINCT options FROM games) AS sets, json_each(sets.options) AS each
