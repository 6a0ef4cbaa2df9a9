"""gamecore.apps.kit: both forms of a game, the search, the strong solution, and Hexapawn beside its own kernel."""

import sys
from pathlib import Path

import pytest

from gamecore import hexapawn
from gamecore.game import load

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "peers"))
from kit_games import built, every_position  # noqa: E402

pytestmark = pytest.mark.one_level  # kit games are compiled for one level


@pytest.mark.benchmark(group="kit: tic-tac-toe")
@pytest.mark.parametrize("form", ["python", "native"])
def test_both_forms(benchmark, form):
    game = built("tictactoe") if form == "native" else load(str(HERE.parent / "examples" / "kit" / "tictactoe.py"))
    assert benchmark(lambda: game.solve(game.start(), line=False)).value == 0


@pytest.mark.benchmark(group="kit: connect four 5x5")
@pytest.mark.parametrize("threads", [1, 2])
def test_search(benchmark, threads):
    game = built("connect4", W=5, H=5)
    found = benchmark.pedantic(lambda: game.solve(game.start(), line=False, threads=threads), rounds=3)
    if threads == 1:  # the count of several depends on their timing
        benchmark.extra_info.update(nodes=found.nodes)
    assert found.value == 0


@pytest.mark.benchmark(group="kit: connect four 4x4, every position")
def test_every_position(benchmark):
    game = built("connect4", W=4, H=4)
    assert benchmark(lambda: every_position(game)) == (0, 134_289)


@pytest.mark.benchmark(group="kit: Hexapawn 6x5")
@pytest.mark.parametrize("kernel", ["kit", "own"])
def test_hexapawn(benchmark, kernel):
    game = built("hexapawn", R=6, C=5) if kernel == "kit" else hexapawn.GAME
    start = game.start() if kernel == "kit" else hexapawn.Position.start(6, 5)
    found = benchmark(lambda: game.solve(start, line=False))
    benchmark.extra_info.update(nodes=found.nodes)
    assert abs(found.value) in (29, 10_000 - 29)
