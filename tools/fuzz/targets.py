"""The targets: each takes bytes, and raises an exception at a fault.

Parsers may refuse an input with a GamecoreError whose message is short and printable; the result for an accepted
input must agree with a second, naive parser. Positions and kernels are checked by ``tests/oracles/checks.py``.
"""

import io
import random
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import interchange
import numpy as np
from refusals import raised, refused, scratch_file, text_of

from gamecore import GamecoreError, cards, duel, hearts, hexapawn, rows
from gamecore.apps.solve_file import _command
from gamecore.cli.rows import read_array
from gamecore.game import games, guess
from gamecore.rows._values import parse_row
from gamecore.text import BLANKS

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests"))

from oracles.checks import CHECKS
from oracles.positions import DECK


def duel_parse(data: bytes) -> None:
    """Judge's texts; a second reading takes words."""
    text = text_of(data)
    found = refused(lambda: list(duel.parse_many(text)))
    lines = refused(lambda: list(duel.parse_many(io.StringIO(text, newline="\n"))))
    assert found == lines, "a text and its lines are read differently"
    if found is None or ":" in text:  # a notation has colons
        return
    words = text.split()
    for position in found:
        n = int(words.pop(0))
        hands = words[:n], words[n : 2 * n]
        del words[: 2 * n]
        assert (list(position.alice), list(position.bob)) == hands
        assert (position.to_move, position.last) == ("Alice", None)
    assert not words


def duel_position(data: bytes) -> None:
    """Hands, turn and last card as people might give them, in any number and order."""
    parts = [part.split(",") for part in text_of(data).split("|")]
    arguments: list[Any] = [*parts[:2], *(part[0] for part in parts[2:4])]
    position = refused(lambda: duel.Position(*(arguments + [[]] * (2 - len(arguments)))))
    if position is None:
        position = refused(lambda: duel.Position.from_text(text_of(data)))
    if position is None:
        return
    assert duel.Position.from_text(position.to_text()) == position
    held = [*position.alice, *position.bob]
    assert len(set(held)) == len(held)
    assert set(held) <= set(DECK)
    assert position.last not in held
    assert eval(repr(position), {"duel": duel}) == position
    for move in position.legal_moves():
        assert position.play(move).to_move != position.to_move


def hexapawn_parse(data: bytes) -> None:
    """Judge's boards; a second reading goes square by square."""
    text = text_of(data)
    for to_move in ("white", "black"):
        position = refused(lambda color=to_move: hexapawn.parse(text, to_move=color))
        if position is None or "x" in text.lower():  # a size, such as 6x6
            continue
        lines = [line.removesuffix("\r") for line in text.split("\n")]
        assert (position.rows, position.columns) == (int(lines[0]), int(lines[1]))
        squares = [line.ljust(position.columns)[: position.columns] for line in lines[2 : 2 + position.rows]]
        assert position.to_rows() == tuple(squares)
        assert hexapawn.Position.from_text(position.to_text()) == position
        if to_move == "white":
            assert hexapawn.parse(position.to_judge()) == position
        check_board(position)


def hexapawn_rows(data: bytes) -> None:
    """Boards from rows."""
    lines = text_of(data).split("\n")
    position = refused(lambda: hexapawn.Position.from_rows(lines))
    if position is not None:
        assert position.to_rows() == tuple(line.replace(".", " ") for line in lines)
        check_board(position)


def check_board(position: hexapawn.Position) -> None:
    """The drawing, its images, and every move."""
    assert position.flip().flip() == position.mirror().mirror() == position
    assert str(position).isascii()
    assert len(position.legal_moves()) == hexapawn.perft(position, 1)
    for move in position.legal_moves():
        assert position.play(move).to_move != position.to_move


def rows_text(data: bytes) -> None:
    """Values from stdin; a second reading by Python's own numbers."""
    words = text_of(data).replace(",", " ").split()

    def read() -> Any:
        values = parse_row(" ".join(words))
        return values, rows.solve(values)

    found = refused(read)
    if found is None:
        return
    values, solution = found
    assert values == [float(word) if re.search("[.eE]", word) else int(word) for word in words]
    if all(isinstance(value, int) for value in values):
        assert solution.mine + solution.theirs == sum(values)
        assert len(solution.line) == len(values)


def rows_npy(data: bytes) -> None:
    """Arrays in files, damaged or not."""
    path = scratch_file("npy", data)
    array = refused(lambda: read_array(path))
    if array is not None and array.size < 5000:
        refused(lambda: rows.solve(array, opponent="greedy"))


def solve_file(data: bytes) -> None:
    """Files of positions, of the game that is guessed and of every other; a second reading goes by line numbers."""
    text = text_of(data)
    lines = text.split("\n")
    guessed = refused(lambda: guess(enumerate(lines, start=1))[0])
    for game in {guessed, *games().values()} - {None}:
        found = refused(lambda one=game: list(_command._items(one, iter(enumerate(lines, start=1)), {})))
        for index, read in enumerate(found or ()):
            here = [line.removesuffix("\r") for line in lines[read.line - 1 :]]
            assert read.number == index
            assert here[0].strip(BLANKS), "a position begins with a blank line"
            if isinstance(read.position, GamecoreError):
                refused(lambda error=read.position: raised(error))
                assert f"line {read.position.line}" in str(read.position)
                assert read.line <= read.position.line <= len(lines) + 1
            else:
                assert read.position == naive_position(game.name, here, game.parse), "read in another way alone"
        starts = [read.line for read in found or ()]
        assert starts == sorted(set(starts)), "two positions begin on one line"


def naive_position(game: str, lines: list[str], parse: Callable[[str], Any]) -> Any:
    """The position with which lines begin, of a file in which it may be followed by others."""
    if game == "rows":
        return parse(naive_row(lines))
    if game == "hearts" or ":" in lines[0]:
        return parse(lines[0].strip())
    count = int(lines[0].strip())
    if game == "hexapawn":
        return parse("\n".join([lines[0].strip(), *lines[1 : 2 + count]]) + "\n")
    words = [line for line in lines if line.strip(BLANKS)][:3]
    assert [len(line.split()) for line in words] == [1, count, count]
    return duel.Position(words[1].split(), words[2].split())


def naive_row(lines: list[str]) -> str:
    """The row with which lines begin: a line of values, or a count and then a line or a column of values."""
    filled = [line.strip() for line in lines if line.replace(",", " ").strip()]
    words = [line.replace(",", " ").split() for line in filled]
    if ":" in filled[0] or len(words[0]) > 1 or len(filled) == 1:
        return filled[0]
    count = int(words[0][0])
    return "\n".join(filled[: 2 if len(words[1]) == count else 1 + count])


def hearts_player(data: bytes) -> None:
    """Players by name; what is accepted is written and read again."""
    found = refused(lambda: hearts.player(text_of(data)))
    if found is not None:
        again = hearts.player(str(found))
        assert again == found
        assert again.numbers == found.numbers


def card_text(data: bytes) -> None:
    """Cards and hands, in both orders of ranks and of suit and rank."""
    words = text_of(data).split(" ")
    for ranks in (cards.ACE_LOW, cards.ACE_HIGH):
        for either in (False, True):
            mask = refused(lambda order=ranks, both=either: cards.hand_mask(words, order, either_order=both))
            if mask is not None:
                shown = cards.hand_cards(mask, ranks)
                assert sorted(shown) == sorted(w if w[0] in cards.SUITS else w[::-1] for w in words)


def hearts_hands(data: bytes) -> None:
    """Four hands and a play of cards, in any order: played cards were legal."""
    parts = text_of(data).split("\n")
    hands = [part.split() for part in parts[:4]]
    round_ = refused(lambda: hearts.Round(hands))
    if round_ is None:
        return
    for word in " ".join(parts[4:]).split():
        legal = round_.legal_moves()
        after = refused(lambda card=word, now=round_: now.play(card))
        assert (after is not None) == (word[::-1] in legal or word in legal)
        round_ = after or round_
        assert hearts.Round.from_text(round_.to_text()) == round_


class Bytes(random.Random):
    """Random numbers read from bytes, so that a fuzzer can steer them; after the last byte they are pseudo-random."""

    def __init__(self, data: bytes) -> None:
        """Begin with the first byte."""
        super().__init__(data)
        self.data, self.at = data, 0

    def getrandbits(self, k: int) -> int:
        """The next bits."""
        count = (k + 7) // 8
        piece = self.data[self.at : self.at + count]
        self.at += count
        return super().getrandbits(k) if len(piece) < count else int.from_bytes(piece, "little") & ((1 << k) - 1)

    def random(self) -> float:
        """The next bits as a number below 1."""
        return self.getrandbits(24) / (1 << 24)


def rows_values(data: bytes) -> None:
    """Any array of a few bytes as a row of any type: refused, or the same by folding and by the table."""
    kinds = ("i1", "u1", "<i2", ">i4", "<i8", "<u8", "<f4", "<f8", "f2", "?", "S1", "M8[s]")
    kind = kinds[data[0] % len(kinds)] if data else "i1"
    size = np.dtype(kind).itemsize
    body = data[1 : 1 + (len(data) - 1) // size * size]
    array = np.frombuffer(body, dtype=kind)
    value = refused(lambda: rows.value(array))
    if value is not None and array.dtype.kind in "iu" and len(array) < 200:
        values = array.tolist()
        total, mine = sum(values), int(rows.table(array)[0, -1])
        assert value == 2 * mine - total
        assert rows.solve_many([values]).difference[0] == value


PARSERS: dict[str, Callable[[bytes], None]] = {
    "duel_parse": duel_parse,
    "duel_position": duel_position,
    "hexapawn_parse": hexapawn_parse,
    "hexapawn_rows": hexapawn_rows,
    "rows_text": rows_text,
    "rows_npy": rows_npy,
    "rows_values": rows_values,
    "solve_file": solve_file,
    "hearts_player": hearts_player,
    "hearts_hands": hearts_hands,
    "card_text": card_text,
    **interchange.PARSERS,
}
KERNELS: dict[str, Callable[[bytes], object]] = {
    f"{game}_{name}": lambda data, check=check: check(Bytes(data))
    for game, checks in CHECKS.items()
    for name, check in zip(("plain", "invariants"), checks, strict=True)
}
TARGETS = PARSERS | KERNELS
