"""Find mistakes in a user's rules: moves, results, cycles, keys, bounds."""

import math
import multiprocessing
import random
import signal
import time
from collections import Counter
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from gamecore.apps.kit._board import squares_of
from gamecore.apps.kit._coding import KitCoding
from gamecore.apps.kit._game import KitGame, Position, checked_game
from gamecore.apps.kit._rules import SIDES, State
from gamecore.apps.kit._search import CAN_TELL, DEEPEST, ExactSearcher, Searcher, searcher_of
from gamecore.contract import Bounds
from gamecore.errors import GamecoreError
from gamecore.limits import Limits
from gamecore.rng import seed_of
from gamecore.text import counted, printable

_EFFORT: Final = 5000  # states that a plain search of one position may visit
_NEAR: Final = 20_000  # states that are listed from the start on
_GAMES: Final = 500
_TABLE: Final = 64 << 20
_STEPS: Final = 3  # of a check
_MARGIN: Final = 20.0  # seconds for what no limit ends
_SHOWN_BYTES: Final = 80
_TURN: Final = "does play turn the state to the other side?"


@dataclass(frozen=True)
class Check:
    """What :func:`check` found.

    Attributes:
        game: the game's name.
        states: number of states that were looked at.
        solved: how many of them were solved twice, with the table's keys and without.
        problem: the smallest mistake found, in words; empty if none was.
        positions: positions that show it.
    """

    game: str
    states: int
    solved: int
    problem: str = ""
    positions: tuple[Position, ...] = ()

    def __str__(self) -> str:
        if not self.problem:
            return f"{self.game}: no mistake found in {self.states} states, {self.solved} of them solved twice"
        shown = "\n".join(f"\n{position.to_text()}\n{position}" for position in self.positions)
        return f"{self.game}: {self.problem}{shown}"


class _Mistake(Exception):
    """Words, and states that show the mistake."""


def check(game: KitGame, *, seconds: float = 5.0, seed: int = 0) -> Check:
    """Look for mistakes in the rules of a kit game.

    It plays at random, follows the shortest games, and solves small positions with the table's keys and without. It
    finds: no move although the game goes on, moves written alike, a move that raises an error, squares or actions that
    are none, a state that is none or comes again, two states of one key and different values or moves, bounds that are
    wrong. Nothing found is no proof.

    Args:
        game: the game.
        seconds: about how long to look.
        seed: of the random games.
    """
    return _check(checked_game(game), Limits(seconds).for_kernel(1).seconds, seed, lambda position: None)


def check_apart(game: KitGame, *, seconds: float = 5.0, seed: int = 0) -> Check:
    """Return what :func:`check` does, by a process of its own: compiled rules may crash it, or never return."""
    seconds, fork = Limits(seconds).for_kernel(1).seconds, multiprocessing.get_context("fork")
    receiver, sender = fork.Pipe(duplex=False)
    last, answer = fork.RawArray("c", _SHOWN_BYTES + 1), None

    def tell(position: str) -> None:
        last.value = position.encode()[:_SHOWN_BYTES]

    def work() -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the other process ends this one
        try:
            sender.send(_check(game, seconds, seed, tell))
        except GamecoreError as error:
            sender.send(error)

    process = fork.Process(target=work)
    process.start()
    sender.close()
    try:
        if is_in_time := receiver.poll(_STEPS * seconds + _MARGIN):
            with suppress(EOFError):
                answer = receiver.recv()
    finally:
        process.kill()
        process.join()
    if isinstance(answer, GamecoreError):
        raise answer
    if isinstance(answer, Check):
        return answer
    code = process.exitcode or 0
    end = f"signal {-code}" if code < 0 else f"exit status {code}"
    how = f"crash ({end})" if is_in_time else "do not end"
    return Check(game.name, 0, 0, f"the rules {how}, in or after {last.value.decode()}")


def _check(game: KitGame, seconds: float, seed: int, tell: Callable[[str], None]) -> Check:
    checker = _Checker(game, seconds, tell)
    problem, positions = "", list[Position]()
    try:
        checker.look_around(random.Random(seed_of(seed)))
        checker.solve_twice()
        checker.compare_moves()
        if game.rules_of.outcome and checker.solved and not any(checker.solved.values()):
            raise _Mistake(f"no state is won or lost: {_TURN}")
    except _Mistake as mistake:
        words, *states = mistake.args
        problem = words.removeprefix(f"{game.name}: ")
        with suppress(GamecoreError):  # not even a position
            positions += [game.Position(state, SIDES[checker.seen[state] % 2]) for state in states]
    return Check(game.name, len(checker.seen), len(checker.solved), problem, tuple(positions))


class _Checker:
    """Looks for mistakes, for some seconds in each of three steps; ``tell`` is called with every position before it.

    Attributes:
        seen: states, and after how many plies play gets there.
        solved: values of states.
    """

    def __init__(self, game: KitGame, seconds: float, tell: Callable[[str], None]) -> None:
        self._game, self._rules, self._words, self._seconds, self._tell = game, game.rules_of, game.words, seconds, tell
        self._deadline = time.monotonic() + seconds
        self._coding = None if self._rules.actions is None else KitCoding(self._rules)
        self.seen: dict[State, int] = {self._rules.start(): 0}
        self.solved: dict[State, int] = {}

    def look_around(self, rng: random.Random) -> None:
        """See all states near the start, then those of random games."""
        (start,) = near = list(self.seen)
        for state in near:  # the list grows
            if len(near) >= _NEAR or time.monotonic() >= self._deadline:
                break
            for after in self._after(state):
                if after not in self.seen:
                    self.seen[after] = self.seen[state] + 1
                    near.append(after)
        for _ in range(_GAMES):
            state, path = start, {start: 0}
            while time.monotonic() < self._deadline and (children := self._after(state)):
                before, state = state, rng.choice(children)
                if self._rules.cycles and (state in path or len(path) > DEEPEST):
                    break
                if state in path:
                    raise _Mistake(f"a state comes again after {counted(len(path) - path[state], 'ply')}", state)
                if len(path) > DEEPEST:
                    raise _Mistake(f"a game of more than {DEEPEST} plies", before)
                path[state] = len(path)
                self.seen.setdefault(state, path[state])

    def _after(self, state: State) -> list[State]:
        """Return the states after each move of a state that was seen, checking them and the squares of the moves."""
        after_move = ""
        try:
            position = self._position(state)
            if self._rules.named_children(state, position.mover) != position.children:
                raise _Mistake("moves, play or write answer differently when they are asked again", state)
            for name, (_, after, _) in position.children.items():
                after_move = f", after {name} in {printable(state)}"
                self._rules.check_state(after)
            after_move = ""
            if self._coding is not None:
                for name in position.children:
                    self._coding.parts(position, name)
            if self._rules.board:
                squares_of(position, math.prod(self._rules.board))
        except GamecoreError as error:
            turn = f": {_TURN}" if after_move and error.__cause__ is None else ""  # `valid` refuses it
            raise _Mistake(f"{error}{after_move}{turn}", state) from error
        return [after for _, after, _ in position.children.values()]

    def _position(self, state: State) -> Position:
        """Return the position of a state that was seen, and tell it."""
        position: Position = self._game.Position(state, SIDES[self.seen[state] % 2])
        self._tell(position.to_text())
        return position

    def solve_twice(self) -> None:
        """Solve states with their keys and without, the last plies first, and compare those of one key."""
        self._deadline = time.monotonic() + self._seconds
        keys = {state: self._rules.key(state) for state in self.seen}
        count = Counter(keys.values())
        plain, first = ExactSearcher(self._rules, _TABLE), dict[Hashable, State]()  # by key
        for state in sorted(self.seen, key=lambda state: (count[keys[state]] < 2, -self.seen[state])):
            value, upper = self._search(plain, state, _EFFORT)
            if value < upper:
                plain.forget()
                continue
            self.solved[state], other = value, first.setdefault(keys[state], state)
            if self._rules.solver is not None and self._rules.end(state) is None:
                low, high = self._rules.user.bounds(state)
                if not low <= value <= high:
                    raise _Mistake(f"bounds says from {low} to {high}, the plain rules {value}: {_TURN}", state)
            if self.solved[other] != value:
                values = f"{self._short(self.solved[other])} and {self._short(value)}"
                raise _Mistake(f"{self._one_key(other, state)}, and the values {values}", other, state)
        keyed = searcher_of(self._rules, _TABLE)
        for state, value in self.solved.items():
            lower, upper = self._search(keyed, state, 0)
            if not lower <= value <= upper:
                values = f"the search finds {self._short(lower)}, the plain rules {self._short(value)}"
                raise _Mistake(f"{values}: {self._rules.doubt}", state)

    def _one_key(self, one: State, other: State) -> str:
        by_mirror = self._rules.solver and self._rules.key(one, True) != self._rules.key(other, True)
        return "mirrored gives two states one key" if by_mirror else "two states have one key"

    def _short(self, value: int) -> str:
        return self._words.short(Bounds(value, value))

    def _search(self, searcher: Searcher, state: State, nodes: int) -> tuple[int, int]:
        self._position(state)
        try:
            return searcher.search(state, max(0.0, self._deadline - time.monotonic()), nodes)[:2]
        except GamecoreError as error:
            raise _Mistake(str(error).removesuffix(f"; {CAN_TELL}"), state) from None

    def compare_moves(self) -> None:
        """Compare what follows on states of one key: a table of all positions has those after the first alone."""
        rules, deadline = self._rules, time.monotonic() + self._seconds
        if rules.solver is None:  # tables of rules in Python have whole states
            return
        alike: dict[Hashable, tuple[State, set[Hashable]]] = {}  # by key: a state, and the keys of the states after it
        for state in sorted(self.seen, key=self.seen.__getitem__):
            if rules.end(state) is None and time.monotonic() < deadline:
                after = {rules.key(child) for _, child, _ in rules.children(state) if rules.end(child) is None}
                first, expected = alike.setdefault(rules.key(state), (state, after))
                if after != expected:
                    what = f"{self._one_key(first, state)}, and other moves"
                    raise _Mistake(f"{what}: kit solve-all leaves out what follows on one of them", first, state)
