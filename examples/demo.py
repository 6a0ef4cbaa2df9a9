"""What gamecore does, in a few seconds: ``make demo`` runs this."""

import time
from pathlib import Path

import gamecore
from gamecore import duel

HERE = Path(__file__).parent


def show_duels() -> None:
    """Solve real 17-card duels exactly."""
    print("Open-hand card duels, 17 cards each, solved exactly (examples/duels_17.txt)\n")
    for position in duel.parse_many((HERE / "duels_17.txt").read_text(encoding="ascii")):
        start = time.perf_counter()
        solution = duel.solve(position, line=False)
        seconds = time.perf_counter() - start
        print(f"  Alice  {' '.join(position.alice)}")
        print(f"  Bob    {' '.join(position.bob)}")
        print(f"         {solution}: {solution.nodes:,} nodes, {seconds * 1e3:.1f} ms\n")


def main() -> None:
    """Show every game in turn."""
    info = gamecore.build_info()
    print(f"gamecore {info.gamecore}, kernels for {info.level}, built by {info.compiler}\n")
    show_duels()


if __name__ == "__main__":
    main()
