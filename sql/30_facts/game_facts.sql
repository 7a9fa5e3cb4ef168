-- one row per game, with its result
-- key: game_id
-- as in: games
-- turns: turns that were played; null without a replay or in a results-only record
-- winners: number of joint winners; null while there is no result
-- winner_seat: the seat that won alone, 0-based; null when the win is shared or there is no result
-- win_pattern: win shares by seat in 60ths; null while there is no result
-- rank_pattern: ranks by seat; null while there is no result
-- best_score: the best score, points
-- margin: best score less the second best, points
-- score_range: best score less the worst, points
-- total_score: sum of all seats' scores, points
-- left_out: why the game is in no cell: `abandoned`, `conceded`, `timeout`, `not replayed`, `no result`; null: it counts
SELECT
    games.game_id, games.title, games.board, games.options, games.players, games.ended, games.plies,
    results.turns,
    results.winners,
    CASE WHEN results.winners = 1 THEN list_position(results.win_pattern, 60) - 1 END::TINYINT AS winner_seat,
    results.win_pattern,
    results.rank_pattern,
    results.scores[1] AS best_score,
    results.scores[1] - results.scores[2] AS margin,
    results.scores[1] - results.scores[-1] AS score_range,
    results.total_score,
    CASE
        WHEN games.ended <> 'finished' THEN games.ended
        WHEN results.game_id IS NULL THEN 'not replayed'
        WHEN results.winners IS NULL THEN 'no result'
    END AS left_out
FROM games
LEFT JOIN (
    SELECT
        game_id,
        max(turns) AS turns,
        nullif(count(*) FILTER (win60 > 0), 0)::TINYINT AS winners,
        CASE WHEN count(win60) = count(*) THEN list(win60 ORDER BY seat) END AS win_pattern,
        CASE WHEN count(rank) = count(*) THEN list(rank ORDER BY seat) END AS rank_pattern,
        list(score ORDER BY score DESC) AS scores,
        sum(score)::BIGINT AS total_score
    FROM outcomes
    GROUP BY game_id
) AS results USING (game_id)
