"""Bounds that contradict each other are refused everywhere, by an error that names the position.

What Python computes itself: ``refusals/contract.txt`` and ``refusals/prove.txt``.
"""

import re
from types import SimpleNamespace

import pytest

from gamecore import cli, duel, hexapawn, kernels
from gamecore.errors import GamecoreError, InternalError
from gamecore.limits import Limits

DUEL, HEXAPAWN = duel.deal(6, rng=1), hexapawn.Position.start(4, 4)


@pytest.fixture
def faulty(monkeypatch):
    """Kernels whose solvers return, and write into columns, a lower bound above the upper one."""
    duels, hexapawns = kernels.kernel("duel"), kernels.kernel("hexapawn")

    class Duel(duels.Solver):
        def value(self, *_):
            return 5, 3

        def solve_batch(self, *arguments):
            moves = super().solve_batch(*arguments)
            arguments[7][0], arguments[8][0] = 5, 3
            return moves

    class Hexapawn(hexapawns.Solver):
        def solve(self, *arguments):
            return 1, 9, 5, [], 10

        def solve_batch(self, *arguments):
            moves = super().solve_batch(*arguments)
            for column, value in zip(arguments[7:10], (-1, 6, 4), strict=True):
                column[0] = value
            return moves

    for game, kernel, solver in (("duel", duels, Duel), ("hexapawn", hexapawns, Hexapawn)):
        fault = SimpleNamespace(**{**vars(kernel), "Solver": solver})
        for module in ("_solve", "_batch"):
            monkeypatch.setattr(f"gamecore.{game}.{module}._kernel", fault)


def refused(position, call):
    """The call raises an internal error that names the position."""
    with pytest.raises(GamecoreError) as caught:
        call()
    error = caught.value if isinstance(caught.value, InternalError) else caught.value.__cause__
    assert isinstance(error, InternalError)
    text = re.search("the bounds of '(.*)' contradict each other", str(error))[1]
    assert type(position).from_text(text) == position


@pytest.mark.parametrize("limits", [None, Limits(nodes=1000)])
@pytest.mark.parametrize(("game", "position"), [(duel, DUEL), (hexapawn, HEXAPAWN)])
def test_searches(faulty, capsys, game, position, limits):
    after = position.play(position.legal_moves()[0])
    refused(position, lambda: game.solve(position, limits))
    refused(after, lambda: game.analyse(position, limits))
    with game.Solver() as solver:
        refused(position, lambda: solver.solve(position, limits))
        refused(after, lambda: solver.analyse(position, limits))
        refused(after, lambda: solver.refine(position).step(1.0))
    refused(position, lambda: game.solve_many([position] * 10, limits))
    refused(position, lambda: game.solve_many([position] * 10, limits, workers=2))
    assert cli.main([game.GAME.name, position.to_text()]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert f"the bounds of {position.to_text()!r} contradict each other: " in err
