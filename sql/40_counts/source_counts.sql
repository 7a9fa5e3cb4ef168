-- one row per cell, source of points and seat
-- key: title, board, options, players, source, seat
-- as in: games, outcomes
-- source: what the points are for, a word of the title
-- games: games in which the seat gained or lost points so
-- events: score events
-- points: sum of points
-- points_squares: sum over games of the squared points
-- gained: sum of the points above 0
-- lost: sum of the points below 0, as a number below 0
SELECT
    cells.title, cells.board, cells.options, cells.players,
    coalesce(codebook.word, sums.source::VARCHAR) AS source,
    sums.seat,
    count(*) AS games,
    sum(sums.events)::BIGINT AS events,
    sum(sums.points)::BIGINT AS points,
    sum(sums.points * sums.points)::BIGINT AS points_squares,
    sum(sums.gained)::BIGINT AS gained,
    sum(sums.lost)::BIGINT AS lost
FROM (
    SELECT
        game_id, seat, source,
        count(*) AS events,
        sum(points)::BIGINT AS points,
        sum(greatest(points, 0))::BIGINT AS gained,
        sum(least(points, 0))::BIGINT AS lost
    FROM score_events
    GROUP BY ALL
) AS sums
JOIN game_facts AS cells USING (game_id)
LEFT JOIN codebook
    ON codebook.title = cells.title AND codebook.board = cells.board
    AND codebook.kind = 'source' AND codebook.code = sums.source
WHERE cells.left_out IS NULL
GROUP BY ALL
