"""Find mistakes in a user's rules: moves, results, cycles, keys, bounds."""

import random
import time
from collections import Counter
from dataclasses import dataclass
from typing import Any, Final

from gamecore.apps.kit._game import KitGame
from gamecore.apps.kit._rules import Rules
from gamecore.apps.kit._search import DEEPEST, ExactSearcher, searcher_of
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
    """Words, and states that show the mistake, each with its ply."""


def check(game: KitGame, *, seconds: float = 5.0, seed: int = 0) -> Check:
    """Look for mistakes in the rules of a kit game.

    It plays at random, follows the shortest games, and solves small positions with the table's keys and without. It
    finds: no move although the game goes on, moves written alike, a move that raises an error, a state that comes
    again, two states of one key and different values or moves, bounds that are wrong. Nothing found is no proof.

    Args:
        game: the game.
        seconds: about how long to look.
        seed: of the random games.
    """
    seconds, rng = Limits(seconds).for_kernel(1).seconds, random.Random(seed_of(seed))
    rules, deadline = game.rules_of, time.monotonic() + seconds
    seen: dict[Any, int] = {rules.start(): 0}
    solved: dict[Any, int] = {}
    problem, positions = "", ()
    try:
        _look_around(rules, seen, rng, deadline)
        _solve_twice(game, seen, solved, deadline + seconds)
        _compare_moves(rules, seen)
    except _Mistake as mistake:
        words, *states = mistake.args
        problem = words.removeprefix(f"{game.name}: ")
        try:
            positions = tuple(game.Position(state, "AB"[ply % 2]) for state, ply in states)
        except GamecoreError as error:  # not even a position
            problem = f"{problem} ({error})"
    return Check(game.name, len(seen), len(solved), problem, positions)


def _look_around(rules: Rules, seen: dict[Any, int], rng: random.Random, deadline: float) -> None:
    """Add states with their plies: all near the start, then those of random games."""
    (start,) = near = list(seen)
    for state in near:  # the list grows
        if len(seen) >= _NEAR or time.monotonic() >= deadline:
            break
        for after in _after(rules, state, seen[state]):
            if after not in seen:
                seen[after] = seen[state] + 1
                near.append(after)
    for _ in range(_GAMES):
        state, path = start, {start: 0}
        while time.monotonic() < deadline and (children := _after(rules, state, path[state])):
            before, state = state, rng.choice(children)
            if rules.cycles and (state in path or len(path) > DEEPEST):
                break
            if state in path:
                raise _Mistake(f"a state comes again after {len(path) - path[state]} plies", (state, path[state]))
            if len(path) > DEEPEST:
                raise _Mistake(f"a game of more than {DEEPEST} plies", (before, DEEPEST))
            path[state] = len(path)
            seen.setdefault(state, path[state])


def _after(rules: Rules, state: Any, ply: int) -> list[Any]:
    """Return the states after each move, checking the moves."""
    try:
        children = rules.named_children(state, ply % 2)
    except GamecoreError as error:
        raise _Mistake(str(error), (state, ply)) from error
    for name, (_, after, _) in children.items():
        if after == state and not rules.cycles:
            raise _Mistake(f"the move {name!a} changes nothing", (state, ply))
    return [after for _, after, _ in children.values()]


def _compare_moves(rules: Rules, seen: dict[Any, int]) -> None:
    """Compare what follows on states of one key: a table of all positions has those after the first alone."""
    if rules.solver is None:  # tables of rules in Python have whole states
        return
    alike: dict[Any, list[Any]] = {}
    for state in sorted(seen, key=lambda state: seen[state]):
        if rules.end(state) is None:
            alike.setdefault(rules.key(state), []).append(state)
    for first, *others in alike.values():
        for state in others:
            after, expected = (
                {rules.key(child) for _, child, _ in rules.children(parent) if rules.end(child) is None}
                for parent in (state, first)
            )
            if after != expected:
                words = "two states have one key, and other moves: kit solve-all leaves out what follows on one of them"
                raise _Mistake(words, (first, seen[first]), (state, seen[state]))


def _solve_twice(game: KitGame, seen: dict[Any, int], values: dict[Any, int], deadline: float) -> None:
    """Solve states with their keys and without, the last plies first, and compare those of one key; set ``values``."""
    rules = game.rules_of
    keyed, plain = searcher_of(rules, _TABLE), ExactSearcher(rules, _TABLE)
    keys = {state: rules.key(state) for state in seen}
    try:
        count = Counter(keys.values())
    except TypeError as error:
        raise _Mistake(f"key must return a tuple, or what else has a hash: {error}", (rules.start(), 0)) from None
    first: dict[Any, Any] = {}  # state of each key

    def search(searcher: Any, state: Any, nodes: int) -> tuple[int, int]:
        try:
            lower, upper, _ = searcher.search(state, max(0.0, deadline - time.monotonic()), nodes)
        except GamecoreError as error:
            raise _Mistake(str(error), (state, seen[state])) from None
        return lower, upper

    def words(value: int) -> str:
        return game.words.short(Bounds(value, value))

    for state in sorted(seen, key=lambda state: (count[keys[state]] < 2, -seen[state])):
        value, upper = search(plain, state, _EFFORT)
        if value < upper:
            plain.forget()
            continue
        values[state], other = value, first.setdefault(keys[state], state)
        if values[other] != value:
            different = f"two states have one key, and the values {words(values[other])} and {words(value)}"
            raise _Mistake(different, (other, seen[other]), (state, seen[state]))
    for state, value in values.items():
        lower, upper = search(keyed, state, 0)
        if not lower <= value <= upper:
            found = f"the search finds {words(lower)}, the plain rules {words(value)}: key or bounds are wrong"
            raise _Mistake(found, (state, seen[state]))
