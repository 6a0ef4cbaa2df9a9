"""Executors that lie: what is not the outcome of the task that was asked for is an error, never an answer."""

from concurrent.futures import Executor, Future

import pytest

from gamecore import BatchError, batch, game
from gamecore.batch import stream


class Liar(Executor):
    """Runs tasks at once, and returns what ``lie`` makes of all outcomes so far."""

    def __init__(self, lie):
        self.lie, self.outcomes = lie, []

    def submit(self, function, *arguments):
        self.outcomes.append(function(*arguments))
        future = Future()
        future.set_result(self.lie(self.outcomes))
        return future


def fewer(result):
    """A task's result without its first item."""
    if isinstance(result, list):
        return result[1:]
    columns, *rest = result
    return ({name: column[1:] if column.ndim else column for name, column in columns.items()}, *rest)


LIES = {
    "nothing": lambda outcomes: None,
    "a number": lambda outcomes: 1.5,
    "garbage": lambda outcomes: b"garbage",
    "a tuple": lambda outcomes: (0.1, [1, 2, 3]),
    "another task's": lambda outcomes: outcomes[0],
    "no result": lambda outcomes: outcomes[-1]._replace(result=None),
    "no time": lambda outcomes: outcomes[-1]._replace(seconds="x"),
    "too few": lambda outcomes: outcomes[-1]._replace(result=fewer(outcomes[-1].result)),
}


def positions(name):
    small = {"duel": {"n": 3}, "hexapawn": {"rows": 3, "columns": 3}, "rows": {"n": 4}, "hearts": {"plies": 48}}[name]
    return [game.game(name).random(rng=seed, **small) for seed in range(6)]


@pytest.mark.parametrize("name", game.games())
@pytest.mark.parametrize("lie", LIES)
def test_a_lie_is_an_error(name, lie):
    found = positions(name)
    with pytest.raises(BatchError, match=r"the executor failed .*it returned") as caught:
        game.game(name).solve_many(found * 3, executor=Liar(LIES[lie]))
    assert caught.value.index < len(found) * 3
    with pytest.raises(BatchError, match="it returned"):
        list(game.game(name).solve_iter(found * 3, executor=Liar(LIES[lie])))


def test_submit_without_a_future():
    executor = Liar(LIES["nothing"])
    executor.submit = lambda function, *arguments: None
    with pytest.raises(BatchError, match=r"must return a future, not None"):
        game.game("duel").solve_many(positions("duel"), executor=executor)


def test_who_tells_the_truth_is_believed():
    found = positions("duel")
    honest = Liar(lambda outcomes: outcomes[-1])
    assert list(game.game("duel").solve_many(found, executor=honest)) == list(game.game("duel").solve_many(found))


def test_a_lie_that_is_not_looked_at_gives_a_wrong_answer(monkeypatch):
    """Planted: without the numbers, the first task's answers would be everyone's."""
    first = Liar(lambda outcomes: outcomes[0]._replace(number=outcomes[-1].number))
    numbers = batch.run(abs, range(100, 104), executor=first)
    assert numbers != [100, 101, 102, 103]
    assert stream.Outcome._fields[-1] == "number"
