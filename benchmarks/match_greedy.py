"""The solver under a node limit against the greedy player: how often its best move so far wins.

    python benchmarks/match_greedy.py hexapawn --size 6 7 8 --games 40 --nodes 20000
    python benchmarks/match_greedy.py duel --size 20 23 26 --games 40 --nodes 20000

Each random start is played twice, with exchanged sides. The output depends on the seeds only.
"""

import argparse

from gamecore import Limits, adapters, game


def play(one, start, solver_side, limits):
    """Play a game; return the sign of the solver's result: 1, 0 or -1."""
    position, players = start, one.players
    while not position.is_over:
        who = players["solver" if position.to_move == solver_side else "greedy"]
        position = position.play(who.choose(position, limits, None).move)
    returns = adapters.coding_of(one, start).returns(position)[one.sides.index(solver_side)]
    return (returns > 0) - (returns < 0)


def match(name, size, games, nodes, seed=0):
    """Return how many games the solver won and lost."""
    one, results = game.game(name), []
    options = {"rows": size, "columns": size} if name == "hexapawn" else {"n": size}
    for number in range(games // 2):
        start = one.random(rng=[seed, size, number], plies=4 if name == "hexapawn" else 0, **options)
        results += [play(one, start, side, Limits(nodes=nodes)) for side in one.sides]
    return results.count(1), results.count(-1)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=("hexapawn", "duel"))
    parser.add_argument("--size", type=int, nargs="+", required=True, help="rows and columns, or cards in a hand")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--nodes", type=int, default=20_000)
    given = parser.parse_args()
    for one_size in given.size:
        won, lost = match(given.game, one_size, given.games, given.nodes)
        print(
            f"{given.game} {one_size}: {won} won, {lost} lost against greedy at {given.nodes} nodes a move", flush=True
        )
