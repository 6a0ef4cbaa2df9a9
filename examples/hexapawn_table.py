"""Solve start positions of Hexapawn and print a table; draw it as a picture.

    python examples/hexapawn_table.py 5x5 6x6 7x6             rows of a Markdown table, one a board
    python examples/hexapawn_table.py --table-mb 4096 8x6     more memory for large boards
    python examples/hexapawn_table.py --draw table.md         table.svg from values that a page has

CPU time is this process's own: it hardly depends on what else the machine does.
"""

import argparse
import re
import time
from pathlib import Path

from gamecore import Limits, hexapawn

HEAD = "| rows x columns | value | nodes | CPU seconds | ns a node | table MB | replacements |\n" + "|---" * 7 + "|"
LARGEST = 21  # rows or columns in the picture


def row(size: str, limits: Limits) -> str:
    """Solve one start position: a row of the table."""
    rows, columns = (int(number) for number in size.split("x"))
    start = time.process_time()
    solution = hexapawn.solve(hexapawn.Position.start(rows, columns), limits, line=False)
    seconds = time.process_time() - start
    value = str(solution.value) if solution.exact else f"{solution.lower}..{solution.upper}"
    return (
        f"| {size} | {value} | {solution.nodes:,} | {seconds:.3g} | {seconds * 1e9 / max(1, solution.nodes):.0f} "
        f"| {solution.table_bytes / (1 << 20):.3g} | {solution.replacements:,} |"
    )


def draw(path: Path) -> str:
    """A grid of a page's values: wins of the first player light, losses dark.

    Values are read from rows such as those printed here (``| 5x5 | 19 |``), prose (``3x9 -14``), and a table with all
    sizes: a line a number of rows (``| **5** | 3 | -6 |``), from one column on.
    """
    text, values = path.read_text(encoding="utf-8"), {}
    for rows, line in re.findall(r"^\| \*\*(\d+)\*\* \| (.*) \|$", text, re.M):
        entries = enumerate(line.split(" | "), 1)
        values |= {(int(rows), columns): int(value) for columns, value in entries if value != "?"}
    for size in re.findall(r"(\d+)x(\d+)(?: \|)?\s(-?\d+)(?=,|\.\s| \|)", text):
        rows, columns, value = map(int, size)
        values[rows, columns] = value
    values = {size: value for size, value in values.items() if max(size) <= LARGEST}
    most_rows, most_columns = (max(size[i] for size in values) for i in (0, 1))
    width, height = 40 * most_columns + 60, 24 * most_rows + 60
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" '
        f'font-size="12" text-anchor="middle">',
        '<rect width="100%" height="100%" fill="#ffffff"/>',  # pages may be dark
        f'<text x="{width / 2:g}" y="16">plies to the end from the start; light: the first player wins</text>',
    ]
    parts += [f'<text x="{40 * columns + 20}" y="38">{columns}</text>' for columns in range(1, most_columns + 1)]
    parts += [f'<text x="20" y="{24 * rows + 36}">{rows}</text>' for rows in range(2, most_rows + 1)]
    for (rows, columns), value in sorted(values.items()):
        x, y = 40 * columns, 24 * rows + 20
        fill, ink = ("#f3e3c3", "#000000") if value > 0 else ("#5b4636", "#ffffff")
        parts.append(f'<rect x="{x}" y="{y}" width="40" height="24" fill="{fill}" stroke="#ffffff"/>')
        parts.append(f'<text x="{x + 20}" y="{y + 16}" fill="{ink}">{abs(value)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def main() -> None:
    """Do what the arguments say."""
    parser = argparse.ArgumentParser(description="Table of Hexapawn start positions.")
    parser.add_argument("sizes", nargs="*", metavar="RxC", help="boards to solve")
    parser.add_argument("--table-mb", type=float, help="most memory for the table")
    parser.add_argument("--time-limit", type=float, help="seconds for each board")
    parser.add_argument("--draw", type=Path, metavar="FILE.md", help="draw the values in FILE.md as FILE.svg")
    args = parser.parse_args()
    if args.sizes:
        print(HEAD)
    for size in args.sizes:
        print(row(size, Limits(seconds=args.time_limit, table_mb=args.table_mb)), flush=True)
    if args.draw:
        args.draw.with_suffix(".svg").write_text(draw(args.draw), encoding="utf-8")


if __name__ == "__main__":
    main()
