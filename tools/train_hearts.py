"""Train the weights of the Hearts players `linear` and `search` anew: samples, training, evaluation, curves.

    python tools/train_hearts.py                             the weights in the package, in a few minutes on two cores
    python tools/train_hearts.py -o my.weights --field duck greedy linear --jack-of-diamonds --passing cycle
    gamecore hearts simulate --players linear:weights=my.weights greedy greedy greedy

The same seed gives the same weights for any number of workers. NumPy is all it needs; --plot wants matplotlib.
"""

import argparse
import dataclasses
import json
import sys
import time
from pathlib import Path

import numpy as np

from gamecore import GamecoreError, hearts
from gamecore.hearts._weights import DEFAULT


def main(argv: "list[str] | None" = None) -> int:
    """Train, evaluate, write."""
    args = _parser().parse_args(argv)
    begun = time.perf_counter()
    try:
        for path in filter(None, (args.out, args.curves, args.plot)):  # fail before the training, not after
            with open(path, "ab"):
                pass
        stages = _stages(args)
        rules = hearts.Rules(jack_of_diamonds=args.jack_of_diamonds, moon=args.moon)
        found = hearts.train(
            stages, args.seed, rules=rules, passing=args.passing, workers=args.workers,
            log=lambda line: print(line, flush=True),
        )  # fmt: skip
        command = "python tools/train_hearts.py " + " ".join(sys.argv[1:] if argv is None else argv)
        weights = dataclasses.replace(found.weights, about={"command": command.strip(), **found.weights.about})
        weights.save(args.out)
        print(f"{args.out}: {Path(args.out).stat().st_size} bytes, {time.perf_counter() - begun:.0f} s")
        if args.rounds:
            evaluate(f"linear:weights={args.out}", args, rules)
        if args.curves:
            Path(args.curves).write_text(json.dumps(found.curves, indent=1) + "\n", encoding="ascii")
        if args.plot:
            plot(found.curves, args.plot)
    except (GamecoreError, OSError) as error:
        print(f"train_hearts: {error}", file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "-o", "--out", default=str(DEFAULT), metavar="FILE", help="weights (default: the package's own)"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="default 1")
    parser.add_argument("--workers", type=int, default=None, metavar="N", help="threads (default: one for each core)")
    parser.add_argument("--scale", type=float, default=1.0, metavar="X", help="of the rounds of all stages (default 1)")
    parser.add_argument("--field", nargs="+", metavar="PLAYER", help="who sits in half of the seats, in every stage")
    parser.add_argument("--passing", default="hold", help="hold (default), left, right, across or cycle")
    parser.add_argument("--jack-of-diamonds", action="store_true", help="train for that rule")
    parser.add_argument("--moon", choices=("others", "shooter"), default="others", help="train for that rule")
    parser.add_argument("--rounds", type=int, default=2000, metavar="N", help="deals of the evaluation (default 2000)")
    parser.add_argument("--curves", metavar="FILE", help="write the curves, as JSON")
    parser.add_argument("--plot", metavar="FILE", help="draw the curves (png, svg, pdf)")
    return parser


def _stages(args: argparse.Namespace) -> "list[hearts.Stage]":
    """The recipe, scaled, with the field asked for."""
    changes = {} if args.field is None else {"field": tuple(args.field)}
    return [
        dataclasses.replace(stage, rounds=max(1, round(stage.rounds * args.scale)), **changes)
        for stage in hearts.RECIPE
    ]


def evaluate(name: str, args: argparse.Namespace, rules: "hearts.Rules") -> None:
    """Points a round of one against three of another: every deal four times, the one in each seat."""
    for other in ("greedy", "duck"):
        points = np.zeros(args.rounds)
        for seat in range(4):
            table = [other] * 4
            table[seat] = name
            played = hearts.simulate(
                table, args.rounds, 10_000 + args.seed, rules=rules, passing=args.passing, workers=args.workers
            )
            points += played.points[:, seat] / 4
        error = points.std(ddof=1) / args.rounds**0.5
        print(f"linear against 3 {other}: {points.mean():.3f} +- {error:.3f} points a round ({args.rounds} deals)")


def plot(curves: "list[dict[str, float]]", path: str) -> None:
    """What a decision loses, epoch by epoch."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(8, 4), layout="constrained")
    last = max(row["stage"] for row in curves)
    for name, text in (("drawn", "a card drawn by the policy"), ("best", "the policy's best card")):
        for stage in range(1, int(last) + 1):
            rows = [(at, row[name]) for at, row in enumerate(curves, start=1) if row["stage"] == stage]
            axes.plot(
                *zip(*rows, strict=True), "o-", color="tab:blue" if name == "best" else "tab:orange",
                label=text if stage == 1 else None,
            )  # fmt: skip
    axes.set_ylim(0, 1.15 * max(row["drawn"] for row in curves))
    starts = [at for at, row in enumerate(curves, start=1) if row["epoch"] == 1]
    for stage, at in enumerate(starts, start=1):
        axes.axvline(at - 0.5, color="0.8")
        axes.text(at - 0.4, axes.get_ylim()[1], f"stage {stage}", va="top", fontsize="small")
    axes.set(xlabel="epoch", ylabel="points lost a decision")
    axes.legend(loc="lower right")
    figure.savefig(path, dpi=120)


if __name__ == "__main__":
    raise SystemExit(main())
