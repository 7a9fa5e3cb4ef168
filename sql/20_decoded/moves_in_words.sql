-- one row per event, in the words of its title
-- key: game_id, ply
-- as in: moves
-- action: what is done, a word of the title
-- item: the piece, card or tile; null where the action takes none or the source could not see it
-- place: where; null where the action takes none
-- target: the second place or the seat that the action aims at; null where the action takes none
SELECT
    moves.game_id,
    moves.ply,
    moves.turn,
    moves.seat,
    actions.word AS action,
    items.word AS item,
    places.word AS place,
    CASE
        WHEN moves.target IS NULL THEN NULL
        WHEN seat_targets.code IS NOT NULL THEN 'seat ' || moves.target
        ELSE coalesce(targets.word, moves.target::VARCHAR)
    END AS target,
    moves.amount
FROM moves
JOIN games USING (game_id)
LEFT JOIN codebook AS actions
    ON actions.title = games.title AND actions.board = games.board
    AND actions.kind = 'action' AND actions.code = moves.action
LEFT JOIN codebook AS items
    ON items.title = games.title AND items.board = games.board
    AND items.kind = 'item' AND items.code = moves.item
LEFT JOIN codebook AS places
    ON places.title = games.title AND places.board = games.board
    AND places.kind = 'place' AND places.code = moves.place
LEFT JOIN codebook AS targets
    ON targets.title = games.title AND targets.board = games.board
    AND targets.kind = 'target' AND targets.code = moves.target
LEFT JOIN codebook AS seat_targets
    ON seat_targets.title = games.title AND seat_targets.board = games.board
    AND seat_targets.kind = 'seat_target' AND seat_targets.code = moves.action
