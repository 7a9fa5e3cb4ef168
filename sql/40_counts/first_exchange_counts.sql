-- one row per cell, turn and seat: players who have not yet exchanged a card (or done its counterpart)
-- key: title, board, options, players, turn, seat
-- as in: games, turns
-- at_risk: turns in which the act was possible and which come no later than the seat's first in its game
-- first_done: turns in which it was done for the first time
-- Of seats of which it is known for every turn whether it was done, unless it was impossible.
SELECT
    games.title, games.board, games.options, games.players,
    turns.turn, turns.seat,
    count(*) AS at_risk,
    count(*) FILTER (turns.turn = firsts.turn) AS first_done
FROM opportunities AS turns
JOIN (
    SELECT game_id, seat, min(turn) FILTER (done = 1) AS turn
    FROM opportunities
    GROUP BY game_id, seat
    HAVING bool_and(done IS NOT NULL OR open = 0)
) AS firsts USING (game_id, seat)
JOIN game_facts AS games USING (game_id)
WHERE games.left_out IS NULL AND turns.open = 1 AND turns.turn <= coalesce(firsts.turn, turns.turn)
GROUP BY ALL
