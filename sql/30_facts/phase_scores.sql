-- one row per counted game, seat and phase
-- key: game_id, seat, phase
-- as in: outcomes
-- phase: how much of the game's events have been: 0 (the start), 1, .. 10 (the end), tenths
-- score: the seat's score then, points
-- deficit: best score of all then, less the seat's own, points
-- lead60: share of the lead: 60/k for each of k leaders, else 0, 60ths
WITH tops AS (
    SELECT game_id, [
        max(scores[1]),
        max(scores[2]),
        max(scores[3]),
        max(scores[4]),
        max(scores[5]),
        max(scores[6]),
        max(scores[7]),
        max(scores[8]),
        max(scores[9]),
        max(scores[10]),
        max(scores[11])
    ] AS best
    FROM phase_totals
    GROUP BY game_id
),
leads AS (
    SELECT game_id, any_value(best) AS best, [
        count(*) FILTER (scores[1] = best[1]),
        count(*) FILTER (scores[2] = best[2]),
        count(*) FILTER (scores[3] = best[3]),
        count(*) FILTER (scores[4] = best[4]),
        count(*) FILTER (scores[5] = best[5]),
        count(*) FILTER (scores[6] = best[6]),
        count(*) FILTER (scores[7] = best[7]),
        count(*) FILTER (scores[8] = best[8]),
        count(*) FILTER (scores[9] = best[9]),
        count(*) FILTER (scores[10] = best[10]),
        count(*) FILTER (scores[11] = best[11])
    ] AS leaders
    FROM phase_totals
    JOIN tops USING (game_id)
    GROUP BY game_id
),
moments AS (
    SELECT
        phase_totals.game_id,
        phase_totals.seat,
        phase_totals.win60,
        unnest(range(11))::TINYINT AS phase,
        unnest(phase_totals.scores) AS score,
        unnest(leads.best) AS best,
        unnest(leads.leaders) AS leaders
    FROM phase_totals
    JOIN leads USING (game_id)
)
SELECT
    game_id,
    seat,
    phase,
    score,
    (best - score)::INTEGER AS deficit,
    CASE WHEN score = best THEN 60 // leaders ELSE 0 END::TINYINT AS lead60,
    win60
FROM moments
