"""Threads, forks, pickles and interpreters: the same answers from all of them, or a clear refusal."""

import copy
import multiprocessing
import os
import pickle
import random
import re
import subprocess
import sys
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import gamecore
from gamecore import CardError, IllegalMoveError, Limits, OptionError, ParseError, duel, hearts, hexapawn, rows

DECK = [suit + rank for rank in "A23456789TJQK" for suit in "CDHS"]
NUMBER = 8


def deal(seed, size):
    cards = random.Random(seed).sample(DECK, 2 * size)
    return duel.Position(cards[:size], cards[size:])


def round_at(seed, count, passing="left"):
    round_ = hearts.Round.deal(seed, passing=passing)
    for _ in range(count):
        round_.play(round_.ask("random"))
    return round_


TASKS = {
    "duel": lambda seed: duel.solve(deal(seed, 9)).line,
    "duel, analyse": lambda seed: duel.analyse(deal(seed, 7)),
    "hexapawn": lambda seed: hexapawn.solve(hexapawn.Position.start(4, 3 + seed % 3)).value,
    "hexapawn, threads": lambda seed: hexapawn.solve(hexapawn.Position.start(5, 5), threads=2).value,
    "hexapawn, wide": lambda seed: hexapawn.solve(hexapawn.Position.start(3, 9 + seed % 2)).line,
    "rows": lambda seed: rows.solve(np.arange(500 + seed) * 7919 % 1009, opponent="greedy"),
    "rows, fold": lambda seed: rows.solve(np.arange(90_000 + seed) * 7919 % 1009),
    "rows, table": lambda seed: rows.table(np.arange(90 + seed) * 7919 % 1009).tobytes(),
    "rows, batch": lambda seed: rows.solve_many(rows.decks(40, seed), opponent="greedy").mine.tobytes(),
    "hearts": lambda seed: hearts.simulate(["random"] * 4, 600, seed).points.tobytes(),
    "hearts, players": lambda seed: hearts.simulate(["pimc:3", "duck", "greedy", "solver:2"], 4, seed).points.tobytes(),
    "hearts, solve": lambda seed: hearts.solve(round_at(seed, 36)).max_n,
}


@pytest.mark.parametrize("name", TASKS)
def test_eight_threads_answer_as_one(name):
    task = TASKS[name]
    serial = [task(seed) for seed in range(4)]
    with ThreadPoolExecutor(NUMBER) as pool:
        separate = list(pool.map(task, [0, 1, 2, 3] * 4))
        shared = list(pool.map(task, [2] * (2 * NUMBER)))
    assert separate == serial * 4
    assert shared == [serial[2]] * (2 * NUMBER)


def test_objects_are_shared_by_threads():
    position, board = deal(3, 8), hexapawn.Position.start(4, 4)
    oracle = rows.IntervalOracle(np.arange(50_000) * 7919 % 1009)
    view = round_at(5, 20).view(round_at(5, 20).to_move)
    gate = threading.Barrier(NUMBER)

    def work(_):
        gate.wait()
        answers = []
        for i in range(10):
            answers += [duel.solve(position).value, hexapawn.solve(board).value, oracle.value(i, 49_999 - i)]
        return [*answers, hearts.evaluate_moves(view, 20, rng=1)]

    with ThreadPoolExecutor(NUMBER) as pool:
        answers = list(pool.map(work, range(NUMBER)))
    assert all(answer == answers[0] for answer in answers)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_fork_after_use():
    # Tables, threads that have come and gone, lazily made state: a child starts with all of it.
    expected = [task(1) for task in TASKS.values()]
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            same = [task(1) for task in TASKS.values()] == expected
            os.write(writing, b"same" if same else b"different")
        finally:
            os._exit(0)
    os.close(writing)
    assert os.read(reading, 100) == b"same"
    os.close(reading)
    assert os.waitpid(child, 0)[1] == 0
    assert [task(1) for task in TASKS.values()] == expected


def player_error():
    class Wrong(hearts.Player):
        def choose(self, view):
            return "ZZ"

    with pytest.raises(hearts.PlayerError) as caught:
        hearts.simulate([Wrong(), "random", "random", "random"], 3, 1)
    return caught.value


def parse_error():
    with pytest.raises(ParseError) as caught:
        duel.parse("1\nHA\nHX\n")
    return caught.value


PICKLED = {
    "limits": lambda: Limits(seconds=1, nodes=5, table_mb=2),
    "build info": gamecore.build_info,
    "bounds": lambda: gamecore.Bounds(-1, 2),
    "duel position": lambda: deal(1, 4).play(deal(1, 4).legal_moves()[0]),
    "duel solution": lambda: duel.solve(deal(1, 4)),
    "duel moves": lambda: duel.analyse(deal(1, 4)),
    "hexapawn position": lambda: hexapawn.Position.start(3, 7),
    "hexapawn solution": lambda: hexapawn.solve(hexapawn.Position.start(4, 4)),
    "hexapawn moves": lambda: hexapawn.analyse(hexapawn.Position.start(3, 3)),
    "row solution": lambda: rows.solve([5, 7, 9, 1, 4, 2]),
    "row moves": lambda: rows.analyse([5, 7, 9]),
    "row start": lambda: rows.who_should_start([5, 7, 9]),
    "row play": lambda: rows.play([5, 7, 9]),
    "piles": lambda: rows.solve_piles(double_ended=[[1, 2]], single_ended=[[3]]),
    "rules": lambda: hearts.Rules(jack_of_diamonds=True),
    "player": lambda: hearts.player("pimc:7:duck"),
    "view": lambda: round_at(2, 19).view(1),
    "trick": lambda: round_at(2, 19).tricks[0],
    "evaluation": lambda: hearts.evaluate_moves(round_at(2, 19).view(round_at(2, 19).to_move), 5, rng=1),
    "open solution": lambda: hearts.solve(round_at(2, 40)),
}


@pytest.mark.parametrize("name", PICKLED)
def test_every_public_object_is_pickled(name):
    thing = PICKLED[name]()
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(thing, protocol)) == thing
    assert copy.deepcopy(thing) == thing


def test_objects_without_equality_are_pickled():
    batch = rows.solve_many([[1, 2], [3, 4, 5]])
    assert pickle.loads(pickle.dumps(batch)).mine.tolist() == batch.mine.tolist()
    result = hearts.simulate(["random"] * 4, 9, 1)
    assert pickle.loads(pickle.dumps(result)).summary() == result.summary()
    match = hearts.match(["random"] * 4, 1)
    assert pickle.loads(pickle.dumps(match)).summary() == match.summary()
    oracle = pickle.loads(pickle.dumps(rows.IntervalOracle([5, 7, 9, 1])))
    assert (len(oracle), oracle.value(0, 3)) == (4, rows.value([5, 7, 9, 1]))
    for error in (parse_error(), player_error(), CardError("a"), IllegalMoveError("b"), OptionError("c")):
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), str(again)) == (type(error), str(error))
        for name in ("line", "column", "seat", "trick", "card"):
            assert getattr(again, name, None) == getattr(error, name, None)
    assert pickle.loads(pickle.dumps(player_error())).partial.rounds == 0


@pytest.mark.parametrize("passing", ["hold", "left", "across", "right"])
@pytest.mark.parametrize("count", [0, 1, 19, 52])
def test_rounds_are_pickled_in_play(passing, count):
    round_ = round_at(7, count, passing)
    again = pickle.loads(pickle.dumps(round_))
    assert (again.hands, again.tricks, again.trick, again.points) == (
        round_.hands, round_.tricks, round_.trick, round_.points,
    )  # fmt: skip
    for seat in range(4):
        assert again.view(seat) == round_.view(seat)
    while not round_.is_over:  # players that draw from the round's streams draw the same
        card = round_.ask("random" if len(round_.trick) % 2 else "pimc:3")
        assert again.ask("random" if len(again.trick) % 2 else "pimc:3") == card
        round_.play(card)
        again.play(card)


@pytest.mark.parametrize("passed", range(4))
def test_rounds_are_pickled_while_cards_are_passed(passed):
    round_ = hearts.Round.deal(7, passing="left", passer=None)
    for seat in range(passed):
        round_.pass_cards(seat, round_.ask_pass(seat, "greedy"))
    again = pickle.loads(pickle.dumps(round_))
    assert (again.hands, again.passing_seats) == (round_.hands, round_.passing_seats)
    for one in (round_, again):
        for seat in one.passing_seats:
            one.pass_cards(seat, one.ask_pass(seat, "random"))
    assert again.hands == round_.hands


def solved(thing):
    """In another process: of every game."""
    position, board, round_ = thing
    return duel.solve(position), hexapawn.solve(board), hearts.solve(round_).max_n, round_


def test_objects_cross_processes():
    context = multiprocessing.get_context("spawn")
    thing = deal(3, 6), hexapawn.Position.start(4, 4), round_at(3, 40)
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        one, two, three, round_ = pool.submit(solved, thing).result()
    assert (one.line, two.line, three) == (
        duel.solve(thing[0]).line, hexapawn.solve(thing[1]).line, hearts.solve(thing[2]).max_n,
    )  # fmt: skip
    assert round_.hands == thing[2].hands


SUBINTERPRETER = """
import gamecore.duel
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
other = interpreters.create()
code = '''
try:
    import gamecore.duel
except ImportError as error:
    print("refused:", error)
else:
    print(gamecore.duel.solve(gamecore.duel.parse("3\\\\nDQ H2 HA\\\\nH3 D6 S3\\\\n")).value)
'''
interpreters.run_string(other, code) if hasattr(interpreters, "run_string") else interpreters.exec(other, code)
interpreters.destroy(other)
print(gamecore.duel.solve(gamecore.duel.parse("3\\nDQ H2 HA\\nH3 D6 S3\\n")).value)
"""


def test_subinterpreters_are_refused_or_work():
    result = subprocess.run([sys.executable, "-c", SUBINTERPRETER], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    there, here = result.stdout.splitlines()
    assert here == "9"
    assert there == "9" or there.startswith("refused: ")


def test_free_threading_is_not_declared():
    # A free-threaded CPython turns the GIL on again for modules that do not declare that they do without.
    setup = Path(__file__).parents[2] / "setup.py"
    if not setup.exists():
        pytest.skip("the sources of a checkout are not here")
    assert not re.search("freethreading_compatible", setup.read_text(encoding="utf-8"))
