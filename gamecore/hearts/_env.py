"""Vectorised environments for reinforcement learning: :func:`batch_env`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gamecore import kernels
from gamecore.errors import GamecoreError, IllegalMoveError, OptionError
from gamecore.hearts._cards import EXCHANGED
from gamecore.hearts._players import Player, player
from gamecore.hearts._rules import DIRECTIONS, SEATS, Rules, check_count, check_rules
from gamecore.hearts._view import View, checked
from gamecore.rng import seed_of
from gamecore.text import printable

if TYPE_CHECKING:
    from gamecore.kernels.baseline import hearts_env as _kernel
    from gamecore.rng import Rng
else:
    _kernel = kernels.kernel("hearts_env")

#: The cards by column: clubs, diamonds, spades, hearts, each from its 2. An action is a column.
CARDS: Final = tuple(suit + rank for suit in "CDSH" for rank in "23456789TJQKA")
#: Version of the observation's columns; it grows when a column changes its meaning.
OBSERVATION_VERSION, _PLANES, _, _NUMBERS = _kernel.layout()
WIDTH: Final = _PLANES * len(CARDS) + _NUMBERS  #: columns of an observation
MAX_ENVS: Final = 1 << 20
_COLUMN: Final = {card: column for column, card in enumerate(CARDS)}
_OPPONENTS: Final = ("random", "greedy", "duck", "linear")  # players without search
_CALLER: Final = (-1, None)

Seat: TypeAlias = "tuple[int, NDArray[np.int8] | None]"  # the player's number in the kernel, and learned weights


class Step(NamedTuple):
    """The next decision in each of n rounds. The next step overwrites the arrays: copy what you keep.

    Attributes:
        observations: (n, 692) uint8: the view of the seat to act; :class:`Observation` lists the columns.
        legal: (n, 52) bool: the cards that it may play or pass, by column.
        rewards: (n, 4) int8: minus the points of the four seats if the last action ended a round, else zeros.
        done: (n,) bool: whether it ended a round; the other arrays then show the next round.
        seats: (n,) int8: the seat to act.
    """

    observations: NDArray[np.uint8]
    legal: NDArray[np.bool_]
    rewards: NDArray[np.int8]
    done: NDArray[np.bool_]
    seats: NDArray[np.int8]


class BatchEnv:
    """n rounds played in parallel; made by :func:`batch_env`.

    Attributes:
        state: the current :class:`Step`.
        seed, rules, passing: of the rounds.
    """

    def __init__(self, n: int, seed: int, rules: Rules, passing: str, seats: tuple[Seat, ...], first: int) -> None:
        self.seed, self.rules, self.passing = seed, rules, passing
        self._first = first
        kinds, weights = zip(*seats, strict=True)
        self._env = _kernel.Env(n, rules.flags, seed, rules.directions(passing), kinds, weights)
        self.state = Step(
            np.zeros((n, WIDTH), np.uint8),
            np.zeros((n, len(CARDS)), np.bool_),
            np.zeros((n, 4), np.int8),
            np.zeros(n, np.bool_),
            np.zeros(n, np.int8),
        )
        self._may, self._done = self.state.legal.view(np.uint8), self.state.done.view(np.uint8)
        self.reset()

    def __len__(self) -> int:
        return len(self.state.seats)

    def reset(self) -> Step:
        """Restart with the first rounds."""
        observations, _, rewards, done, seats = self.state
        self._env.reset(self._first, observations, self._may, seats)
        rewards[:], done[:] = 0, False
        return self.state

    def step(self, actions: "NDArray[np.integer[Any]] | Sequence[int]") -> Step:
        """Act in each round: play a card, or choose one to pass (three actions make a pass).

        After the end of a round its row continues with the next: row k plays rounds k, k + n, k + 2 n, ... of the seed.

        Args:
            actions: (n,) integers, columns of :data:`CARDS`, each legal in its round.

        Raises:
            OptionError: not n integers.
            IllegalMoveError: an illegal action; the message names the first. No round has changed.
        """
        try:
            given = np.asarray(actions)
        except ValueError as error:  # lists of different lengths
            raise OptionError(f"actions must be {len(self)} integers: {error}") from None
        if isinstance(actions, np.ma.MaskedArray):
            raise OptionError(f"actions must be {len(self)} integers, not a masked array")
        if given.shape != (len(self),) or given.dtype.kind not in "iu":
            what = f"an array of shape {given.shape} and type {given.dtype}"
            raise OptionError(f"actions must be an array of {len(self)} integers, not {what}")
        found = np.array(given, np.int64, order="C")  # a copy: other threads may change the original
        observations, legal, rewards, _, seats = self.state
        bad = self._env.step(found, observations, self._may, rewards, self._done, seats)
        if bad >= 0:
            action = int(found[bad])
            card = CARDS[action] if 0 <= action < len(CARDS) else "no card"
            known = " ".join(card for card, may in zip(CARDS, legal[bad].tolist(), strict=True) if may)
            raise IllegalMoveError(f"actions[{bad}] is {action} ({card}), which is not legal there: one of {known} is")
        return self.state

    @property
    def rounds(self) -> NDArray[np.int64]:
        """(n,) int64: numbers of the current rounds; ``Round.deal(seed, index=...)`` deals them."""
        numbers = np.empty(len(self), np.int64)
        self._env.numbers(numbers)
        return numbers


def batch_env(
    n: int,
    rng: "Rng" = None,
    *,
    rules: Rules | None = None,
    passing: str = "hold",
    opponents: str | Sequence[str] | None = None,
    first: int = 0,
    version: int = OBSERVATION_VERSION,
) -> BatchEnv:
    """Play n rounds in parallel, as arrays, for reinforcement learning.

    Round i is the round of ``simulate`` and ``Round.deal`` with the same seed and number.

        >>> from gamecore import hearts
        >>> env = hearts.batch_env(64, rng=7, opponents="duck")
        >>> step = env.step(env.state.legal.argmax(axis=1))          # the lowest legal club, or diamond, ...
        >>> step.observations.shape, step.legal.shape, step.rewards.shape
        ((64, 692), (64, 52), (64, 4))

    Args:
        n: rounds in parallel, 1 to 1,048,576.
        rng: None, an integer (the seed), a sequence of integers, or a NumPy SeedSequence, BitGenerator or Generator.
        rules: default ``Rules()``. passing: as in :func:`simulate`.
        opponents: None: the caller acts for all four seats. Else the players of seats 1 to 3, one name for all or three
            of ``random``, ``greedy``, ``duck``, ``linear`` (or ``linear:weights=FILE``): the caller
            acts for seat 0.
        first: number of the first round.
        version: of the observations that the caller expects.

    Raises:
        OptionError: an argument out of its range. GamecoreError: another version of observations.
        WeightsError: a file of weights is missing or damaged.
    """
    n = check_count("n", n, 1, MAX_ENVS)
    first = check_count("first", first, 0, 1 << 60)
    rules = check_rules(rules)
    rules.directions(passing)
    check_version(version)
    return BatchEnv(n, seed_of(rng), rules, passing, _seats(opponents), first)


def _seats(opponents: object) -> tuple[Seat, ...]:
    if opponents is None:
        return (_CALLER,) * 4
    names = (opponents,) * 3 if isinstance(opponents, str) else opponents
    known = ", ".join(_OPPONENTS)
    if not isinstance(names, Sequence) or len(names) != 3:
        raise OptionError(f"opponents must be None, a name or three of {known}, not {printable(opponents)}")
    found: list[Seat] = [_CALLER]
    for name in names:
        if not isinstance(name, str) or name.partition(":")[0] not in _OPPONENTS:
            raise OptionError(f"opponents: {printable(name)} is none of {known}")
        numbers = player(name).numbers
        found.append((numbers[0], numbers[7] if len(numbers) > 7 else None))
    return tuple(found)


def check_version(version: object) -> None:
    """Check the version of observations.

    Raises:
        GamecoreError: not this release's version.
    """
    if isinstance(version, bool) or version != OBSERVATION_VERSION:
        raise GamecoreError(f"version of observations must be {OBSERVATION_VERSION}, not {printable(version)}")


# --- one observation --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Observation:
    """The 692 columns of an observation. Seats are relative to the seat to act: 0 itself, 1 its left neighbour, ...

    Attributes:
        hand: columns 0 to 51: its cards.
        trick: columns 52 to 207, a plane of 52 for each seat 1 to 3: its card of the current trick, or None.
        played: columns 208 to 415, for each of the four seats: all cards that it has played.
        passed: columns 416 to 467: the cards that it passed; during the pass, the cards chosen so far.
        received: columns 468 to 519: the cards that it received.
        barred: columns 520 to 675, for each seat 1 to 3: unplayed cards that it is known not to hold.
        version: column 676: of these columns.
        is_passing: column 677: whether this is the pass.
        passing: column 678: the direction: 0 hold, 1 left, 2 across, 3 right.
        tricks: column 679: finished tricks.
        place: column 680: cards in the current trick; during the pass, the number of cards chosen so far.
        leader: column 681: the seat that leads the trick.
        broken: column 682: whether hearts may be led.
        seat: column 683: the absolute number of the seat to act.
        points: columns 684 to 687: points taken so far, for each of the four seats.
        taken: columns 688 to 691: tricks taken, for each of the four seats.
    """

    hand: tuple[str, ...]
    trick: tuple[str | None, ...]
    played: tuple[tuple[str, ...], ...]
    passed: tuple[str, ...]
    received: tuple[str, ...]
    barred: tuple[tuple[str, ...], ...]
    version: int
    is_passing: bool
    passing: str
    tricks: int
    place: int
    leader: int
    broken: bool
    seat: int
    points: tuple[int, ...]
    taken: tuple[int, ...]


def read_observation(row: "NDArray[np.uint8]") -> Observation:
    """Decode an observation.

    Args:
        row: (692,) uint8, a row of :attr:`Step.observations`.

    Raises:
        OptionError: an array of another shape or type.
        GamecoreError: an observation of another version.
    """
    if not isinstance(row, np.ndarray) or row.dtype != np.uint8 or row.ndim != 1:
        raise OptionError(f"an observation is an array of {WIDTH} uint8, not {printable(row)}")
    at = _PLANES * len(CARDS)
    if len(row) != WIDTH:
        raise GamecoreError(f"an observation of version {OBSERVATION_VERSION} has {WIDTH} columns, not {len(row)}")
    numbers = row[at:].tolist()
    check_version(numbers[0])
    planes = [
        tuple(CARDS[column] for column in np.flatnonzero(plane)) for plane in row[:at].reshape(_PLANES, len(CARDS))
    ]
    return Observation(
        hand=planes[0], trick=tuple(cards[0] if cards else None for cards in planes[1:4]), played=tuple(planes[4:8]),
        passed=planes[8], received=planes[9], barred=tuple(planes[10:13]), version=numbers[0],
        is_passing=bool(numbers[1]), passing=tuple(DIRECTIONS)[numbers[2] & 3], tricks=numbers[3], place=numbers[4],
        leader=numbers[5], broken=bool(numbers[6]), seat=numbers[7], points=tuple(numbers[8:12]),
        taken=tuple(numbers[12:16]),
    )  # fmt: skip


def observe(view: View, chosen: Sequence[str] = ()) -> NDArray[np.uint8]:
    """The observation of a view, in the format of :func:`batch_env`.

    Args:
        view: of the seat to act.
        chosen: during the pass, the cards chosen so far.

    Returns:
        (692,) uint8.

    Raises:
        GamecoreError: an inconsistent view.
    """
    checked(view)
    me, passes = view.seat, view.is_passing
    planes = np.zeros((_PLANES, len(CARDS)), np.uint8)

    def fill(plane: int, cards: Sequence[str]) -> None:
        planes[plane, [_COLUMN[card] for card in cards]] = 1

    plays = [
        ((trick.leader + place) % 4, card) for trick in view.tricks for place, card in enumerate(trick.cards)
    ] + list(view.trick)
    fill(0, view.hand)
    for seat, card in view.trick:
        fill((seat - me) % 4, [card])
    for seat, card in plays:
        fill(4 + (seat - me) % 4, [card])
    fill(8, chosen if passes else view.passed)
    fill(9, view.received)
    for other in range(1, 4):
        fill(9 + other, view.barred[(me + other) % 4])
    if view.trick:
        leader = view.trick[0][0]
    else:
        leader = view.tricks[-1].winner if view.tricks else view.to_move
    turned = [(me + other) % 4 for other in SEATS]
    numbers = [
        OBSERVATION_VERSION, passes, DIRECTIONS[view.passing], len(view.tricks),
        len(chosen) if passes else len(view.trick), 0 if passes else (leader - me) % 4,
        _broken(view.rules, [card for _, card in plays]), me,
        *(view.points[seat] for seat in turned),
        *(sum(trick.winner == seat for trick in view.tricks) for seat in turned),
    ]  # fmt: skip
    return np.concatenate([planes.reshape(-1), np.array(numbers, np.uint8)])


def _broken(rules: Rules, played: Sequence[str]) -> bool:
    """Whether hearts may be led."""
    if not rules.must_break_hearts:
        return True
    return any(card[0] == "H" for card in played) or (rules.qs_breaks_hearts and "SQ" in played)


Policy = Callable[[NDArray[np.uint8], NDArray[np.bool_]], "NDArray[np.integer[Any]] | Sequence[int]"]


class ArrayPlayer(Player):
    """A player that calls a function of arrays, such as a policy trained with :func:`batch_env`.

    Args:
        policy: called with observations (1, 692) uint8 and legal cards (1, 52) bool; returns an action, a column, in
            an array of shape (1,).
        name: in results and messages.
        version: of the observations that it was trained on.

    Raises:
        OptionError: ``policy`` cannot be called. GamecoreError: another version of observations.
    """

    def __init__(self, policy: Policy, name: str = "ArrayPlayer", version: int = OBSERVATION_VERSION) -> None:
        if not callable(policy):
            raise OptionError(f"policy must be a function of observations and legal cards, not {printable(policy)}")
        check_version(version)
        self._policy, self._name = policy, name

    @property
    def name(self) -> str:
        """Name in results and messages."""
        return self._name

    def choose(self, view: View) -> str:
        """The card of the policy's action."""
        return self._ask(view, (), view.legal_moves())

    def pass_cards(self, view: View) -> tuple[str, ...]:
        """The cards of the policy's next three actions."""
        chosen: list[str] = []
        while len(chosen) < EXCHANGED:
            chosen.append(self._ask(view, chosen, [card for card in view.hand if card not in chosen]))
        return tuple(chosen)

    def _ask(self, view: View, chosen: Sequence[str], legal: Sequence[str]) -> str:
        may = np.zeros((1, len(CARDS)), np.bool_)
        may[0, [_COLUMN[card] for card in legal]] = True
        action = int(np.asarray(self._policy(observe(view, chosen)[None], may)).reshape(1)[0])
        if not 0 <= action < len(CARDS) or not may[0, action]:
            raise IllegalMoveError(f"the policy answered {action}, which is not legal: one of {' '.join(legal)} is")
        return CARDS[action]
