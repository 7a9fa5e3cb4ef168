-- one row per cell, phase and deficit then
-- key: title, board, options, players, phase, deficit
-- as in: games
-- phase: how much of the game's events have been: 0 (the start), 1, .. 10 (the end), tenths
-- deficit: best score of all then, less the seat's own; 0 is a leader, points
-- seats: seats of games that were so far behind
-- lead60: sum of these seats' shares of the lead; over all deficits 60 a game, 60ths
-- win60: sum of these seats' win shares at the end, 60ths of a win
-- lead_win: sum of lead60 x win60: over 3600 x games it is P(leader wins), 3600ths
SELECT
    title, board, options, players, phase, deficit,
    count(*) AS seats,
    sum(lead60)::BIGINT AS lead60,
    sum(win60)::BIGINT AS win60,
    sum(lead60::INTEGER * win60)::BIGINT AS lead_win
FROM phase_scores
JOIN games USING (game_id)
GROUP BY ALL
