"""The pictures of the documentation: ``python examples/pictures.py docs/pictures`` draws them anew.

Everything is seeded, so that the same version draws the same files. The plots (PNG) need matplotlib.
"""

import random
import sys
from pathlib import Path

from gamecore import draw, duel, hearts, hexapawn, rows

DECK = [suit + rank for rank in "A23456789TJQK" for suit in "CDHS"]


def duel_of(n: int, seed: int) -> duel.Position:
    """A random deal of n cards each."""
    cards = random.Random(seed).sample(DECK, 2 * n)
    return duel.Position(cards[:n], cards[n:])


def pictures() -> dict[str, draw.Picture]:
    """Every SVG by its name."""
    small = duel.parse("3\nDQ H2 HA\nH3 D6 S3\n")
    larger = duel_of(12, 5)
    row, deck = rows.Position([3, 9, 4, 1, 2], "greedy"), rows.Position(rows.deck(7), "greedy")
    board = hexapawn.Position.from_rows(["     ", "pp pp", "PPp  ", "   P ", "    P"])
    round_ = hearts.Round.deal(rng=7, passing="left")
    for _ in range(14):
        round_ = round_.play(round_.ask("greedy"))
    view = round_.view(round_.to_move or 0)
    return {
        "duel": small.picture(duel.analyse(small), duel.solve(small).line),
        "duel-12": larger.picture(duel.analyse(larger), duel.solve(larger).line),
        "hexapawn": board.picture(hexapawn.analyse(board), hexapawn.solve(board).line),
        "rows": row.picture(line=rows.solve(row).line),
        "rows-table": rows.table_picture(row.values, opponent="greedy"),
        "rows-deck": deck.picture(line=rows.solve(deck).line),
        "hearts": round_.picture(),
        "hearts-view": view.picture(hearts.evaluate_moves(view, playouts=500, rng=7)),
        "hearts-trick": round_.tricks[1].picture(),
    }


def save_plots(folder: Path) -> None:
    """The plots of the guides."""
    solutions = [duel.solve(duel_of(8, seed), line=False) for seed in range(300)]
    duel.plot_duels(solutions, "300 random deals of 8 cards each").savefig(folder / "duel-values.png", dpi=90)
    compared = hearts.compare(["random", "greedy", "duck", "mc:10", "pimc:10", "pimc:100"], rounds=500, rng=7)
    compared.plot().savefig(folder / "hearts-compare.png", dpi=90)  # its times are of the machine that draws it


def main() -> None:
    """Write everything into the folder that is named."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, picture in pictures().items():
        picture.save(folder / f"{name}.svg")
    save_plots(folder)


if __name__ == "__main__":
    main()
