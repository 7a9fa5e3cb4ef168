-- one row per counted game, seat and phase
-- key: game_id, seat, phase
-- as in: outcomes
-- phase: how much of the game's events have been: 0 (the start), 1, .. 10 (the end), tenths
-- score: the seat's score then, points
-- deficit: best score of all then, less the seat's own, points
-- lead60: share of the lead: 60/k for each of k leaders, else 0, 60ths
WITH best AS (
    SELECT game_id, [max(scores[i]) FOR i IN range(1, 12)] AS scores FROM phase_totals GROUP BY game_id
)
SELECT 1
