-- one row per record that is in no cell, with the reason
-- key: batch, file, line, reason
-- as in: games
-- title: the title; null when it could not be read
-- board: id of the board; null when the record could not be read
-- options: all options and switches; null when the record could not be read
-- players: number of seats; null when the record could not be read
-- game_id: the game; null when it could not be read
-- batch: the batch of the lake that holds the record
-- reason: `unreadable`, `duplicate`, `conflict`, `faulty`, `abandoned`, `conceded`, `timeout`, `not replayed` or `no result`
-- fault: short name of the fault; null when it has none
SELECT batch, file, line,
    CASE WHEN fault IN ('duplicate', 'conflict') THEN fault ELSE 'unreadable' END AS reason,
    fault, title, NULL::VARCHAR AS board,
    NULL::VARCHAR AS options, NULL::TINYINT AS players, NULL::BIGINT AS game_id
FROM ingest_rejects
UNION ALL
SELECT games.batch, games.file, games.line, 'faulty', replay_rejects.fault, games.title, games.board,
    games.options, games.players, games.game_id
FROM replay_rejects
JOIN recorded_games AS games USING (game_id)
UNION ALL
SELECT games.batch, games.file, games.line, game_facts.left_out, NULL, games.title, games.board,
    games.options, games.players, games.game_id
FROM game_facts
JOIN games USING (game_id)
WHERE game_facts.left_out IS NOT NULL
