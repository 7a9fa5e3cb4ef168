-- one row per cell and seat, over its counted games
-- key: title, board, options, players, seat
-- as in: games, outcomes
-- games: games counted
-- win60: sum of win shares, 60ths of a win
-- win60_squares: sum of squared win shares, 3600ths
-- wins: games won alone
-- shared_wins: games won together with others
-- rank: sum of ranks
-- scored: games with a known score
-- score: sum of scores, points
-- score_squares: sum of squared scores
-- excess: sum of (score x players less the sum of all scores), points
-- excess_squares: sum of the squares of that
-- Stated scores may be so large that their squares do not fit into 64 bits.
SELECT
    title, board, options, players, seat,
    count(*) AS games,
    sum(win60)::BIGINT AS win60,
    sum(win60::INTEGER * win60)::BIGINT AS win60_squares,
    count(*) FILTER (win60 = 60) AS wins,
    count(*) FILTER (win60 BETWEEN 1 AND 59) AS shared_wins,
    sum(rank)::BIGINT AS rank,
    count(excess) AS scored,
    coalesce(sum(score) FILTER (excess IS NOT NULL), 0)::BIGINT AS score,
    coalesce(sum(score::HUGEINT * score) FILTER (excess IS NOT NULL), 0)::HUGEINT AS score_squares,
    coalesce(sum(excess), 0)::BIGINT AS excess,
    coalesce(sum(excess::HUGEINT * excess), 0)::HUGEINT AS excess_squares
FROM seat_facts
WHERE left_out IS NULL
GROUP BY ALL
