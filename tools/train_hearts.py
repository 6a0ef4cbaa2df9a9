"""Make the weights of the package anew: train them, draw the curves of the tutorial, and see how strong they are.

    python tools/train_hearts.py                     the weights in the package: ten minutes on two cores
    python tools/train_hearts.py --out trial.weights --scale 0.1

It is `gamecore hearts train`, whose other options it passes on, and then `gamecore hearts compare`. The same seed gives
the same weights for any number of workers.
"""

import argparse
from pathlib import Path

from gamecore.cli import main as gamecore
from gamecore.hearts._weights import DEFAULT

PICTURE = Path(__file__).parents[1] / "docs" / "pictures" / "hearts-learning.svg"


def main(argv: "list[str] | None" = None) -> int:
    """Train; then compare the result with duck, against three greedy and against three duck."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument(
        "--out", metavar="FILE", help="weights (default: the package's own, and the tutorial's picture)"
    )
    parser.add_argument("--deals", default="2000", metavar="N", help="of each comparison (default 2000)")
    args, options = parser.parse_known_args(argv)
    places = ["--out", args.out] if args.out else ["--out", str(DEFAULT), "--plot", str(PICTURE)]
    status = gamecore(["hearts", "train", *places, *options])
    for field in ("greedy", "duck"):
        if status == 0:
            compared = [f"linear:weights={args.out or DEFAULT}", "duck", "--field", field]
            status = gamecore(["hearts", "compare", *compared, "--rounds", args.deals, "--seed", "10001"])
    return status


if __name__ == "__main__":
    raise SystemExit(main())
