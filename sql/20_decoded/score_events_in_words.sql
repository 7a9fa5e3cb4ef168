-- one row per game, ply, seat, source and place of points, in the words of its title
-- key: game_id, ply, seat, source, place
-- as in: score_events
-- source: what the points are for, a word of the title
-- place: where they were made, a word of the title
SELECT
    score_events.game_id,
    score_events.ply,
    score_events.seat,
    sources.word AS source,
    places.word AS place,
    score_events.points
FROM score_events
JOIN games USING (game_id)
LEFT JOIN codebook AS sources
    ON sources.title = games.title AND sources.board = games.board
    AND sources.kind = 'source' AND sources.code = score_events.source
LEFT JOIN codebook AS places
    ON places.title = games.title AND places.board = games.board
    AND places.kind = 'score_place' AND places.code = score_events.place
