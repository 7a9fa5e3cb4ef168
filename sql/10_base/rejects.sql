-- one row per record that is not among the games, with the reason
-- key: batch, stage, file, line
-- as in: rejects
-- batch: the batch of the lake that holds the record
-- stage: `ingest` when it could not be read, `replay` when an event or the result cannot be right
SELECT batch, 'ingest' AS stage, * EXCLUDE (batch) FROM ingest_rejects
UNION ALL
SELECT batch, 'replay' AS stage, * EXCLUDE (batch) FROM replay_rejects
