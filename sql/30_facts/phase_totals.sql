-- one row per counted game and seat, with its score at eleven moments of the game
-- key: game_id, seat
-- as in: outcomes
-- scores: the seat's score after 0, 1, .. 10 tenths of the game's events, points
-- The title's starting score is what the final score holds beyond all score events.
SELECT
    outcomes.game_id,
    outcomes.seat,
    outcomes.win60,
    [
        outcomes.score - coalesce(gained, 0)
        FOR gained IN coalesce(later.points, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    ] AS scores
FROM outcomes
JOIN game_facts USING (game_id)
LEFT JOIN (
    SELECT
        game_id,
        seat,
        [
            sum(points) FILTER (tenth > 0),
            sum(points) FILTER (tenth > 1),
            sum(points) FILTER (tenth > 2),
            sum(points) FILTER (tenth > 3),
            sum(points) FILTER (tenth > 4),
            sum(points) FILTER (tenth > 5),
            sum(points) FILTER (tenth > 6),
            sum(points) FILTER (tenth > 7),
            sum(points) FILTER (tenth > 8),
            sum(points) FILTER (tenth > 9),
            0
        ]::INTEGER[] AS points
    FROM (
        SELECT
            score_events.game_id,
            score_events.seat,
            score_events.points,
            -- The tenth that ends with or after the event: 1 to 10.
            (10 * (score_events.ply + 1) + games.plies - 1) // games.plies AS tenth
        FROM score_events
        JOIN games USING (game_id)
    )
    GROUP BY ALL
) AS later USING (game_id, seat)
WHERE game_facts.left_out IS NULL AND game_facts.plies > 0
