-- one row per cell: games of one title, board, set of options and player count, which may be counted together
-- key: title, board, options, players
-- as in: games
-- games: games of the cell, also those that do not count
-- counted: games that were finished and have a result: the n of all counts
-- first_played: the earliest `played_at`, UTC; null where no source says
-- last_played: the latest `played_at`, UTC; null where no source says
-- sources: number of different sources
SELECT
    games.title, games.board, games.options, games.players,
    count(*) AS games,
    count(*) FILTER (games.ended = 'finished' AND results.game_id IS NOT NULL) AS counted,
    min(games.played_at) AS first_played,
    max(games.played_at) AS last_played,
    count(DISTINCT games.source) AS sources
FROM games
LEFT JOIN (SELECT DISTINCT game_id FROM outcomes WHERE win60 > 0) AS results USING (game_id)
GROUP BY ALL
