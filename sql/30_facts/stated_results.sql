-- one row per recorded game and seat whose result the source states
-- key: game_id, seat
-- as in: seats
-- win60: win share by the stated ranks, else by the stated scores: 60/k for each of k best, else 0, 60ths of a win
-- Also of games that are rejected or not finished: what leaving them out does can be told from it.
WITH stated AS (
    SELECT
        game_id,
        seat,
        CASE
            WHEN count(stated_rank) OVER game = count(*) OVER game THEN stated_rank
            WHEN count(stated_score) OVER game = count(*) OVER game THEN rank() OVER (game ORDER BY stated_score DESC)
        END AS rank
    FROM recorded_seats
    WINDOW game AS (PARTITION BY game_id)
)
SELECT
    game_id,
    seat,
    CASE WHEN rank = 1 THEN 60 // count(*) FILTER (rank = 1) OVER (PARTITION BY game_id) ELSE 0 END::TINYINT AS win60
FROM stated
WHERE rank IS NOT NULL
