-- one row per cell, turn and seat: how often a card exchange, or its counterpart, was possible and done
-- key: title, board, options, players, turn, seat
-- as in: games, turns
-- turns: turns of this number and seat
-- known: of these, those in which it is known what was possible
-- open: turns in which the act was possible
-- choice: turns in which its alternative was possible too
-- done: turns in which it was done
-- chosen: turns in which it was done although its alternative was possible
-- forced: turns in which it was done because its alternative was not possible
SELECT
    games.title, games.board, games.options, games.players,
    turns.turn, turns.seat,
    count(*) AS turns,
    count(*) FILTER (open IS NOT NULL AND other IS NOT NULL) AS known,
    count(*) FILTER (open = 1) AS open,
    count(*) FILTER (open = 1 AND other = 1) AS choice,
    count(*) FILTER (done = 1) AS done,
    count(*) FILTER (done = 1 AND other = 1) AS chosen,
    count(*) FILTER (done = 1 AND other = 0) AS forced
FROM opportunities AS turns
JOIN game_facts AS games USING (game_id)
WHERE games.left_out IS NULL
GROUP BY ALL
