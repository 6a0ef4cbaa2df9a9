"""What gamecore does, in a few seconds: ``make demo`` runs this."""

import time
from pathlib import Path

import numpy as np

import gamecore
from gamecore import duel, hearts, hexapawn, rows

HERE = Path(__file__).parent


def show_duels() -> None:
    """Solve real 17-card duels exactly."""
    print("duel: open-hand card duels, 17 cards each, solved exactly (examples/duels_17.txt)\n")
    for position in duel.parse_many((HERE / "duels_17.txt").read_text(encoding="ascii")):
        solution = duel.solve(position, line=False)
        print(f"  Alice  {' '.join(position.alice)}")
        print(f"  Bob    {' '.join(position.bob)}")
        print(f"         {solution}: {solution.nodes:,} nodes, {solution.seconds * 1e3:.1f} ms\n")


def show_hexapawn() -> None:
    """Solve start positions."""
    print("hexapawn: who wins from the start, and in how many plies\n")
    for size in ((3, 3), (4, 4), (5, 5), (6, 6)):
        solution = hexapawn.solve(hexapawn.Position.start(*size))
        plies = abs(solution.value or 0)
        work = f"{solution.nodes:,} nodes, {solution.seconds * 1e3:.1f} ms"
        print(f"  {size[0]}x{size[1]}  {solution.winner} wins in {plies} plies: {work}")
    print()


def show_rows() -> None:
    """Solve a row of cards, and one of ten million values."""
    print("rows: taking from the ends\n")
    solution = rows.solve([3, 9, 4, 1, 2], opponent="greedy", first="me")
    print(f"  3 9 4 1 2 against a greedy opponent: {solution.mine} to {solution.theirs}, line {solution.line}")
    values = np.random.default_rng(7).integers(0, 1_000_000, 10_000_000)
    start = time.perf_counter()
    difference = rows.value(values)
    print(f"  10,000,000 random values, both optimal: {difference:+,}, {(time.perf_counter() - start) * 1e3:.0f} ms\n")


def show_hearts() -> None:
    """Play a million rounds of Hearts."""
    print("hearts: one greedy player against three random ones\n")
    result = hearts.simulate(["greedy", "random", "random", "random"], rounds=1_000_000, rng=7)
    print("  " + str(result).replace("\n", "\n  "))
    print(f"  {result.rounds / result.seconds / 1e6:.1f} million rounds a second\n")


def main() -> None:
    """Show every game in turn."""
    info = gamecore.build_info()
    print(f"gamecore {info.gamecore}, kernels for {info.level}, built by {info.compiler}\n")
    show_duels()
    show_hexapawn()
    show_rows()
    show_hearts()


if __name__ == "__main__":
    main()
