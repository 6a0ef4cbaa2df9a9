"""Find mistakes in a user's rules: moves, results, cycles, keys, bounds."""

import random
import time
from collections import Counter
from collections.abc import Hashable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from gamecore.apps.kit._game import KitGame
from gamecore.apps.kit._rules import SIDES, State
from gamecore.apps.kit._search import DEEPEST, ExactSearcher, Searcher, searcher_of
from gamecore.contract import Bounds
from gamecore.errors import GamecoreError
from gamecore.game import Position
from gamecore.limits import Limits
from gamecore.rng import seed_of

_EFFORT: Final = 5000  # states that a plain search of one position may visit
_NEAR: Final = 20_000  # states that are listed from the start on
_GAMES: Final = 500
_TABLE: Final = 64 << 20


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
    finds: no move although the game goes on, moves written alike, a move that raises an error, a state that is none or
    comes again, two states of one key and different values or moves, bounds that are wrong. Nothing found is no proof.

    Args:
        game: the game.
        seconds: about how long to look.
        seed: of the random games.
    """
    checker = _Checker(game, Limits(seconds).for_kernel(1).seconds)
    problem, positions = "", list[Position]()
    try:
        checker.look_around(random.Random(seed_of(seed)))
        checker.solve_twice()
        checker.compare_moves()
    except _Mistake as mistake:
        words, *states = mistake.args
        problem = words.removeprefix(f"{game.name}: ")
        with suppress(GamecoreError):  # not even a position
            positions += [game.Position(state, SIDES[checker.seen[state] % 2]) for state in states]
    return Check(game.name, len(checker.seen), len(checker.solved), problem, tuple(positions))


class _Checker:
    """Looks for mistakes, for some seconds in each of two steps.

    Attributes:
        seen: states, and after how many plies play gets there.
        solved: values of states.
    """

    def __init__(self, game: KitGame, seconds: float) -> None:
        self._rules, self._words, self._seconds = game.rules_of, game.words, seconds
        self._deadline = time.monotonic() + seconds
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
                    raise _Mistake(f"a state comes again after {len(path) - path[state]} plies", state)
                if len(path) > DEEPEST:
                    raise _Mistake(f"a game of more than {DEEPEST} plies", before)
                path[state] = len(path)
                self.seen.setdefault(state, path[state])

    def _after(self, state: State) -> list[State]:
        """Return the states after each move of a state that was seen, checking both."""
        try:
            self._rules.check_state(state)
            children = self._rules.named_children(state, self.seen[state] % 2)
        except GamecoreError as error:
            raise _Mistake(str(error), state) from error
        return [after for _, after, _ in children.values()]

    def solve_twice(self) -> None:
        """Solve states with their keys and without, the last plies first, and compare those of one key."""
        self._deadline = time.monotonic() + self._seconds
        keys = {state: self._rules.key(state) for state in self.seen}
        try:
            count = Counter(keys.values())
        except TypeError as error:
            words = f"key must return a tuple, or what else has a hash: {error}"
            raise _Mistake(words, self._rules.start()) from None
        plain, first = ExactSearcher(self._rules, _TABLE), dict[Hashable, State]()  # by key
        for state in sorted(self.seen, key=lambda state: (count[keys[state]] < 2, -self.seen[state])):
            value, upper = self._search(plain, state, _EFFORT)
            if value < upper:
                plain.forget()
                continue
            self.solved[state], other = value, first.setdefault(keys[state], state)
            if self.solved[other] != value:
                values = f"{self._short(self.solved[other])} and {self._short(value)}"
                raise _Mistake(f"two states have one key, and the values {values}", other, state)
        keyed = searcher_of(self._rules, _TABLE)
        for state, value in self.solved.items():
            lower, upper = self._search(keyed, state, 0)
            if not lower <= value <= upper:
                values = f"the search finds {self._short(lower)}, the plain rules {self._short(value)}"
                raise _Mistake(f"{values}: key or bounds are wrong", state)

    def _short(self, value: int) -> str:
        return self._words.short(Bounds(value, value))

    def _search(self, searcher: Searcher, state: State, nodes: int) -> tuple[int, int]:
        try:
            return searcher.search(state, max(0.0, self._deadline - time.monotonic()), nodes)[:2]
        except GamecoreError as error:
            raise _Mistake(str(error), state) from None

    def compare_moves(self) -> None:
        """Compare what follows on states of one key: a table of all positions has those after the first alone."""
        rules = self._rules
        if rules.solver is None:  # tables of rules in Python have whole states
            return
        alike: dict[Hashable, tuple[State, set[Hashable]]] = {}  # by key: a state, and the keys of the states after it
        for state in sorted(self.seen, key=self.seen.__getitem__):
            if rules.end(state) is None:
                after = {rules.key(child) for _, child, _ in rules.children(state) if rules.end(child) is None}
                first, expected = alike.setdefault(rules.key(state), (state, after))
                if after != expected:
                    what = "two states have one key, and other moves"
                    raise _Mistake(f"{what}: kit solve-all leaves out what follows on one of them", first, state)
