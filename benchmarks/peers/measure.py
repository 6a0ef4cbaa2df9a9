"""Each peer and us, side by side in one process: writes docs/results/peers.md.

    python benchmarks/peers/measure.py [-o FILE]

Every task first asserts that both answer alike (random playouts are the exception), then takes the fastest of several
runs of each in turn, so that a slow moment of the machine meets both. Seeds are in the tasks' names.
"""

import argparse
import os
import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

import numpy as np

from gamecore import build_info, duel, hearts, hexapawn, rows

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))

from comparing.plot import duration  # noqa: E402
from workloads import deals  # noqa: E402

REPORT = """\
# Peers, side by side

Each line: the same question to a peer and to gamecore in one process, one thread, the fastest of five runs
of each in turn. Answers were compared first (but for random rounds). Times are for one round, row, deal, or
solve. The last two columns leave out what each side does before it searches (making and emptying tables and
search objects); where nothing is said there, no side has anything to leave out, or it cannot be told apart.

- Command: `python benchmarks/peers/measure.py`
- Machine: {cpu}, {cores} cores, {info.platform}; {date}
- Versions: gamecore {info.gamecore} (CPU level {info.level}, {info.compiler}), {info.python}, {versions}

| task | peer | peer's time | gamecore | times faster | of that, search: peer, gamecore | times faster |
|---|---|--:|--:|--:|--:|--:|
"""


@dataclass(frozen=True)
class Task:
    """Two ways to the same answer.

    Attributes:
        name: what is done, with seeds. peer: which library, and how it is used.
        theirs, ours: do it and return the answer. units: how many rounds, rows or deals a call of each does; times are
            for one. compared: whether the answers must be equal.
        before: what each does first, such as making its table: on the first clock, not on that of the search.
    """

    name: str
    peer: str
    theirs: Callable[[], object]
    ours: Callable[[], object]
    units: tuple[int, int] = (1, 1)
    compared: bool = True
    before: tuple[Callable[[], object], Callable[[], object]] | None = None


def hearts_tasks():
    """Random rounds of Hearts: OpenSpiel from Python, OpenSpiel in C++ alone."""
    import pyspiel

    game = pyspiel.load_game("hearts")
    rng = random.Random(7)

    def loop(count=100):
        for _ in range(count):
            state = game.new_initial_state()
            state.apply_action(0)
            while not state.is_terminal():
                state.apply_action(rng.choice(state.legal_actions()))
        return sum(state.returns())

    dealt = game.new_initial_state()
    cards = list(range(52))
    random.Random(7).shuffle(cards)
    for action in (0, *cards):
        dealt.apply_action(action)
    while len(dealt.legal_actions()) < 2:  # a bot with one legal card does not search
        dealt.apply_action(dealt.legal_actions()[0])

    def rollouts(count=2000):
        evaluator = pyspiel.RandomRolloutEvaluator(count // 2, 7)
        pyspiel.MCTSBot(game, evaluator, 2.0, 2, 100, False, 7, False).step(dealt)

    yield Task(
        "Hearts, random rounds, deal and play, seed 7",
        "OpenSpiel, its states in a Python loop",
        loop,
        lambda: hearts.simulate(["random"] * 4, 200_000, 7),
        (100, 200_000),
        compared=False,
    )
    view = hearts.Round.deal(rng=7)
    moves = len(view.legal_moves())
    yield Task(
        "Hearts, random playouts of a dealt round, seed 7",
        "OpenSpiel, all in C++ (RandomRolloutEvaluator)",
        rollouts,
        lambda: hearts.evaluate_moves(view.view(view.to_move), playouts=20_000 // moves, policy="random", rng=7),
        (2000, 20_000 // moves * moves),
        compared=False,
    )


def rows_tasks(versions):
    """Rows against numba."""
    rng = np.random.default_rng(1)
    row = rng.integers(0, 1000, 10_000).astype(np.int32)
    for opponent in ("greedy", "cooperative"):
        yield Task(
            f"rows, {opponent} opponent, 10,000 values, seed 1",
            "numba, O(n^2), a rolling array of int32",
            lambda opponent=opponent: int(getattr(versions, opponent)(row)),
            lambda opponent=opponent: rows.value(row, opponent=opponent, of="mine"),
        )
    million = rng.integers(0, 1000, 1_000_000)
    yield Task(
        "rows, both maximise, 1,000,000 values, seed 1",
        "numba, folding in O(n)",
        lambda: int(versions.optimal(million)),
        lambda: rows.value(million),
    )
    decks = rows.decks(20_000, 1)
    yield Task(
        "rows, greedy opponent, 20,000 decks of 52, seed 1",
        "numba, a loop over the decks",
        lambda: int(versions.greedy_decks(decks).sum()),
        lambda: int(rows.solve_many(decks, opponent="greedy").mine.sum()),
        (20_000, 20_000),
    )


def search_tasks(versions):
    """The sources' searches, compiled by numba."""
    positions = [duel.Position(*hands) for hands in deals(8, 5)]
    yield Task(
        "duel, 5 deals of n=8, seeds random-8-0 to 4",
        "numba, alpha-beta over a typed dictionary of bounds",
        lambda: [versions.duel(position._alice_mask, position._bob_mask) for position in positions],
        lambda: [duel.solve(position, line=False).value for position in positions],
        (5, 5),
    )
    for size in ((4, 5), (5, 5)):
        yield Task(
            f"Hexapawn, start of {size[0]}x{size[1]}",
            "numba, every position once in a typed dictionary",
            lambda size=size: versions.hexapawn(*size),
            lambda size=size: hexapawn.solve(hexapawn.Position.start(*size), line=False).value,
        )


def measure(task: Task, rounds: int = 5) -> list[tuple[float, float]]:
    """Return seconds a unit, of theirs and ours, with what comes before the search and without.

    The fastest of several runs in turn; a first one warms up.
    """
    before, calls = task.before or (int, int), (task.theirs, task.ours)
    best = [[float("inf")] * 2, [float("inf")] * 2]
    for number in range(rounds + 1):
        answers = []
        for side in (0, 1):
            start = time.perf_counter()
            before[side]()
            begun = time.perf_counter()
            answers.append(calls[side]())
            end = time.perf_counter()
            for clock, seconds in enumerate((end - start, end - begun)) if number else ():
                best[clock][side] = min(best[clock][side], seconds / task.units[side])
        if task.compared and answers[0] != answers[1]:
            raise AssertionError(f"{task.name}: {task.peer} answers {answers[0]}, we {answers[1]}")
    return [(theirs, ours) for theirs, ours in best]


def faster(theirs: float, ours: float) -> str:
    """Return how many times faster we are."""
    return f"{theirs / ours:,.{1 if theirs > ours else 2}f}"


def main(argv=None) -> int:
    """The command; see the top of the file."""
    parser = argparse.ArgumentParser(description="Measure each peer and us side by side.")
    parser.add_argument(
        "-o", "--output", type=Path, default=ROOT / "docs/results/peers.md", help="the report (default: %(default)s)"
    )
    parser.add_argument("-k", default="", metavar="WORD", help="only tasks with this word in their name")
    args = parser.parse_args(argv)
    try:
        import kit_games  # beside this file
        import numba_versions as versions
        from cpuinfo import get_cpu_info  # of pytest-benchmark

        tasks = [*search_tasks(versions), *rows_tasks(versions), *hearts_tasks(), *kit_games.tasks(Task)]
    except ImportError as error:
        print(f"peers: {error.name} is not installed: pip install --group test-all", file=sys.stderr)
        return 2
    libraries = ("open_spiel", "easyAI", "bitbully", "numba", "numpy")
    report = REPORT.format(
        cpu=get_cpu_info()["brand_raw"], cores=os.cpu_count(), info=build_info(), date=datetime.now(tz=UTC).date(),
        versions=", ".join(f"{name} {metadata.version(name)}" for name in libraries),
    )  # fmt: skip
    for task in tasks:
        if args.k.lower() in task.name.lower():
            (theirs, ours), search = measure(task)
            alone = f"{duration(search[0])}, {duration(search[1])} | {faster(*search)}" if task.before else " | "
            print(f"{faster(theirs, ours):>10} times  {task.name}: {task.peer}  {alone}", flush=True)
            times = f"{duration(theirs)} | {duration(ours)} | {faster(theirs, ours)} | {alone}"
            report += f"| {task.name} | {task.peer} | {times} |\n"
    args.output.parent.mkdir(parents=True, exist_ok=True)
    args.output.write_text(report, encoding="utf-8")
    print(f"written: {args.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
