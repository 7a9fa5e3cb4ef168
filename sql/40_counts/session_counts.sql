-- one row per cell, session and seat, over its counted games whose time of play is known
-- key: title, board, options, players, source, day, seat
-- as in: games, outcomes
-- day: day of `played_at`, UTC; a session is what one source played on one day
-- games: games counted
-- win60: sum of win shares, 60ths of a win
SELECT
    facts.title, facts.board, facts.options, facts.players,
    games.source, games.played_at::DATE AS day, facts.seat,
    count(*) AS games,
    sum(facts.win60)::BIGINT AS win60
FROM seat_facts AS facts
JOIN games USING (game_id)
WHERE facts.left_out IS NULL AND games.played_at IS NOT NULL
GROUP BY ALL
