"""What is it worth to play for the match?  Twins in the same matches: one counts points, the other chances to win.

    python examples/hearts_match.py --base pimc:40 --field pimc:40 --matches 1000 --seed 7 --workers 2

Both look at the same worlds, play them out in the same way and pass the same cards; one minimises its own points, the
other maximises the chance to win the match that `hearts.match_values` has learnt for the score that would result. Each
match is played by both, in a seat that changes from match to match.
"""

import argparse
import math
from functools import partial

import numpy as np

from gamecore import batch, hearts


class Points(hearts.MatchPlayer):
    """The twin: the fewest points for itself."""

    def worth(self, seat, points):
        """Minus its points."""
        return -points[..., seat].astype(np.float64)


def play(base: str, field: str, values: hearts.MatchValues, seed: int, number: int) -> tuple[float, float]:
    """The shares of both twins in the win of a match."""
    shares = []
    for kind in (hearts.MatchPlayer, Points):
        seat = number % 4
        players = [field] * 4
        players[seat] = kind(base, values)
        winners = hearts.match(players, [seed, number]).winners
        shares.append(1 / len(winners) if seat in winners else 0.0)
    return shares[0], shares[1]


def main() -> None:
    """Play the matches and print what was won."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", default="pimc:40", help="whose playouts the twins use")
    parser.add_argument("--field", default="pimc:40", help="the three others")
    parser.add_argument("--learn", default="duck", help="who plays the rounds from which chances are learnt")
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="number of the first match")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--workers", type=int, default=1)
    args = parser.parse_args()
    values = hearts.match_values(args.learn)
    one = partial(play, args.base, args.field, values, args.seed)
    won = np.array(batch.run(one, range(args.first, args.first + args.matches), workers=args.workers))
    columns = {"for the match": won[:, 0], "for points": won[:, 1], "difference": won[:, 0] - won[:, 1]}
    for name, column in columns.items():
        print(f"{name:<14} {100 * column.mean():6.2f}% +- {100 * column.std(ddof=1) / math.sqrt(len(column)):.2f}%")


if __name__ == "__main__":
    main()
