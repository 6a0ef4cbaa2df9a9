"""How strong are the hearts players?  Each one against three of each opponent: a table in Markdown and a plot.

    python examples/hearts_strength.py --rounds 10000 --seed 7 --workers 2 --plot strength.png
    python examples/hearts_strength.py --page docs/hearts.md --plot strength.png      of a table printed before

Mean points a round of the single player (seat 0; lower is better) with its standard error. Every cell is

    gamecore hearts simulate --players PLAYER OTHER OTHER OTHER --rounds ROUNDS --seed SEED
"""

import argparse
import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from gamecore import hearts

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PLAYERS = ("random", "literal", "intelligent", "greedy", "duck", "mc:100", "pimc:100", "pimc:100:infer=16:epsilon=0.02")
OPPONENTS = ("random", "greedy", "duck", "intelligent", "literal", "pimc:100", "mc:100")

Cells = dict[str, tuple[float, float, int]]  # "player against opponent": mean, standard error, rounds


def measure(cells: Cells, player: str, other: str, rounds: int, seed: int, workers: int) -> None:
    """Play one cell, unless it is known already."""
    key = f"{player} against {other}"
    if key not in cells:
        result = hearts.simulate([player, other, other, other], rounds, seed, workers=workers)
        cells[key] = (float(result.mean[0]), float(result.stderr[0]), rounds)
        print(f"{key}: {cells[key]}", file=sys.stderr, flush=True)


def table(cells: Cells) -> str:
    """The cells as Markdown; a dash where a cell was not played."""
    lines = [
        "| player | " + " | ".join(f"3 x {other}" for other in OPPONENTS) + " |",
        "|---" * (len(OPPONENTS) + 1) + "|",
    ]
    for player in PLAYERS:
        found = [cells.get(f"{player} against {other}") for other in OPPONENTS]
        texts = [f"{one[0]:.2f} ± {one[1]:.2f}" if one else "-" for one in found]
        lines.append(f"| {player} | " + " | ".join(texts) + " |")
    return "\n".join(lines)


def cells_of(page: str) -> Cells:
    """The cells of a table as :func:`table` writes it, found on a page."""
    cells: Cells = {}
    _, _, rows = page.partition("\n".join(table({}).splitlines()[:2]))
    for player, line in re.findall(r"^\| (\S+) \| (.*) \|$", rows.partition("\n\n")[0], re.MULTILINE):
        for other, text in zip(OPPONENTS, line.split(" | "), strict=True):
            if text != "-":
                mean, error = map(float, text.split(" ± "))
                cells[f"{player} against {other}"] = mean, error, 0
    return cells


def figure_of(cells: Cells) -> "Figure":
    """Points of every player against three greedy and three random, best at the top."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 3.6), layout="constrained")
    axes = figure.subplots()
    names = [name for name in PLAYERS if f"{name} against greedy" in cells]
    names.sort(key=lambda name: -cells[f"{name} against greedy"][0])
    for shift, other in ((0.18, "greedy"), (-0.18, "random")):
        known = [(place, cells.get(f"{name} against {other}")) for place, name in enumerate(names)]
        shown = [(place + shift, cell) for place, cell in known if cell]
        axes.barh(
            [place for place, _ in shown],
            [cell[0] for _, cell in shown],
            height=0.34,
            xerr=[2 * cell[1] for _, cell in shown],
            label=f"against three {other}",
        )
    axes.axvline(6.6, color="grey", linewidth=0.8, linestyle=":")
    axes.set_yticks(range(len(names)), names)
    axes.set_xlabel("points a round, lower is better (dotted: par; bars: 2 standard errors)")
    figure.legend(fontsize="small", loc="outside upper center", ncols=2)
    return figure


def main() -> None:
    """Measure what is missing, then print and draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--cells", help="a JSON file that keeps the cells played so far")
    parser.add_argument("--page", type=Path, help="a page with the table: play nothing")
    parser.add_argument("--plot", help="where to draw the picture")
    args = parser.parse_args()
    store = Path(args.cells) if args.cells else None
    cells: Cells = json.loads(store.read_text()) if store and store.exists() else {}
    if args.page:
        cells = cells_of(args.page.read_text(encoding="utf-8"))
    for other in () if args.page else OPPONENTS:
        for player in PLAYERS:
            measure(cells, player, other, args.rounds, args.seed, args.workers)
            if store:
                store.write_text(json.dumps(cells, indent=1))
    print(table(cells))
    if args.plot:
        figure_of(cells).savefig(args.plot, dpi=110)


if __name__ == "__main__":
    main()
