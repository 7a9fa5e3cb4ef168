-- one row per game and seat, with what the seat made
-- key: game_id, seat
-- as in: outcomes, seats, games
-- win60: win share: 60/k for each of k joint winners, else 0; null while there is no result, 60ths of a win
-- rank: 1 + the number of players strictly better; null while there is no result
-- score: the score, points; null where none is known
-- excess: score x players, less the sum of all scores: `players` times the lead over the game's mean, points
-- left_out: why the game is in no cell (see `game_facts`); null: it counts
SELECT
    outcomes.game_id, outcomes.seat,
    games.title, games.board, games.options, games.players,
    seats.player, seats.kind,
    outcomes.score, outcomes.rank, outcomes.win60,
    outcomes.score * games.players - games.total_score AS excess,
    games.left_out
FROM outcomes
JOIN game_facts AS games USING (game_id)
JOIN seats USING (game_id, seat)
