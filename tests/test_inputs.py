"""Hostile arguments: sequences that contain themselves, matrices, numbers where a path is meant."""

import os
import warnings
from fractions import Fraction

import numpy as np
import pytest

from gamecore import duel, game, hexapawn, prove, rows
from gamecore.apps import judge as judging
from gamecore.apps.explore._screen import screen_of
from gamecore.errors import GamecoreError, OptionError
from gamecore.files import checked_path
from gamecore.rng import generator, seed_of


def in_itself(*before):
    """Return a list that ends with itself."""
    values = list(before)
    values.append(values)
    return values


def matrix(values):
    """Return a NumPy matrix, whose items are matrices again."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # NumPy advises against it
        return np.matrix(values)


NESTED = [
    in_itself(), in_itself(1), [[in_itself()]], (in_itself(1, 2),), [[1, 2], [3, 4]], [matrix([[1]])],
    (matrix([[1, 2]]),), matrix([[1, 2], [3, 4]]), np.array([[1], [2]]), [np.array([1, 2])],
]  # fmt: skip
NO_SOURCES = [
    *NESTED, True, 1.0, -1, "1", b"1", bytearray(b"1"), [True], [1.0], ["1"], [None], np.array([1.0]), {1}, Fraction(1),
]  # fmt: skip


@pytest.mark.parametrize("rng", NO_SOURCES, ids=ascii)
def test_what_is_no_source_of_random_numbers(rng):
    for call in (generator, seed_of, lambda rng: game.game("duel").start(rng=rng), rows.deck):
        with pytest.raises(OptionError, match=r"^rng"):
            call(rng)


@pytest.mark.parametrize("rng", [5, np.int64(5), np.uint8(5), [1, 2], (1, np.int32(2)), range(3), np.array([1, 2]), []])
def test_sources_are_those_of_numpy(rng):
    assert generator(rng).random() == np.random.default_rng(rng).random()


@pytest.mark.parametrize("values", NESTED, ids=ascii)
@pytest.mark.parametrize(
    "call",
    [
        rows.solve, rows.analyse, rows.table, rows.Position, rows.who_should_start,
        lambda values: rows.solve_many([values]),
        lambda values: list(rows.solve_iter([[1, 2], values])),
        lambda values: rows.Position([1, 2], mine=values),
        lambda values: screen_of(rows.GAME).build({"values": values}),
        lambda values: screen_of(duel.GAME).build({"alice": values, "bob": ["HA"], "to_move": "Alice"}),
        lambda values: hexapawn.Position.from_rows(values, "white"),
    ],
)  # fmt: skip
def test_nested_sequences_are_refused(call, values):
    with pytest.raises(GamecoreError):
        call(values)


PATHS = {
    "verify": lambda path, tmp_path: prove.verify(path),
    "status": lambda path, tmp_path: prove.status(path),
    "run": lambda path, tmp_path: prove.run(duel.Position(["HA"], ["H2"]), path),
    "export a store": lambda path, tmp_path: prove.export(path, tmp_path / "certificate"),
    "export": lambda path, tmp_path: prove.export(tmp_path / "store", path),
    "load": lambda path, tmp_path: game.load(path),
    "save": lambda path, tmp_path: rows.Position([1, 2]).picture().save(path),
    "cases": lambda path, tmp_path: judging.write_cases(path, []),
    "any": lambda path, tmp_path: checked_path(path),
}
NO_PATHS = [3, np.int64(3), True, b"store", None, ["store"], 3.0]


@pytest.mark.parametrize("what", PATHS)
def test_a_descriptor_is_no_path(what, tmp_path):
    descriptor = os.open(os.devnull, os.O_RDWR)
    try:
        with pytest.raises(OptionError, match=f"not {descriptor}$"):
            PATHS[what](descriptor, tmp_path)
        os.fstat(descriptor)  # is still open
        for path in NO_PATHS:
            with pytest.raises(OptionError):
                PATHS[what](path, tmp_path)
    finally:
        os.close(descriptor)


def test_paths_are_str_or_path_like(tmp_path):
    assert checked_path(tmp_path) == checked_path(str(tmp_path)) == str(tmp_path)
    with pytest.raises(GamecoreError, match="No such file"):
        prove.verify(tmp_path / "missing")
