-- one row per title, board, options, players, reason and fault: how many records are in no cell, and why
-- key: title, board, options, players, reason, fault
-- as in: games
-- title: the title; null when it could not be read
-- board: id of the board; null when the record could not be read
-- options: all options and switches; null when the record could not be read
-- players: number of seats; null when the record could not be read
-- reason: `unreadable`, `duplicate`, `conflict`, `faulty`, `abandoned`, `conceded`, `timeout`, `not replayed` or `no result`
-- fault: short name of the fault; null when it has none
-- records: records left out
-- with_result: of these, games whose source states a result
SELECT
    title, board, options, players, reason, fault,
    count(*) AS records,
    count(*) FILTER (game_id IN (SELECT game_id FROM stated_results)) AS with_result
FROM left_out
GROUP BY ALL
