-- one row per cell, reason and seat, over the games left out whose source states a result
-- key: title, board, options, players, reason, seat
-- as in: games, seats
-- reason: `faulty`, `abandoned`, `conceded`, `timeout`, `not replayed` or `no result`
-- games: games left out that have a stated result
-- win60: sum of win shares by the stated result, 60ths of a win
SELECT
    left_out.title, left_out.board, left_out.options, left_out.players, left_out.reason, stated_results.seat,
    count(*) AS games,
    sum(stated_results.win60)::BIGINT AS win60
FROM left_out
JOIN stated_results USING (game_id)
GROUP BY ALL
