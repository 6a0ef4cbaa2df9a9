"""Players: the built-in ones by name, and the base class of your own."""

import ctypes
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, TypeAlias

from gamecore.cards import ACE_HIGH
from gamecore.errors import GamecoreError, OptionError
from gamecore.files import file_errors
from gamecore.hearts._rules import check_number
from gamecore.hearts._view import View
from gamecore.text import checked_integer, checked_word, is_word, printable, without_controls

# The kernel's numbers (pyx/hearts/policy.pxd, pyx/hearts/spec.pxd).
KINDS: Final = {
    "random": 0, "greedy": 1, "duck": 2, "intelligent": 3, "literal": 4, "mc": 5, "pimc": 5, "solver": 6, "linear": 7,
    "search": 8, "ismcts": 9,
}  # fmt: skip
_BY_RULES: Final = ("greedy", "duck")  # decide by a few rules, also in playouts
POLICIES: Final = {name: KINDS[name] for name in ("random", *_BY_RULES, "linear")}
PASSES: Final = ("playouts", "danger")  #: how `search` passes cards, the default first
_PLAYOUTS: Final = {"playouts": 100, "policy": "greedy", "epsilon": None, "infer": 0}
#: The options of each player with their defaults; None: see `_default_epsilon`.
_OPTIONS: Final[dict[str, dict[str, Any]]] = {
    "mc": _PLAYOUTS | {"policy": "random"},
    "pimc": _PLAYOUTS,
    "solver": _PLAYOUTS | {"solve_at": 20},
    "search": {"playouts": 160, "seconds": 0.0, "infer": 6, "solve_at": 0, "passes": PASSES[0]},
    "ismcts": {"playouts": 1000, "policy": "duck", "seconds": 0.0, "infer": 0},
}
#: What a player has whose kind lacks the option; policy and epsilon: see `_own_policy`, `_default_epsilon`.
_NONE: Final = {"playouts": 0, "infer": 0, "solve_at": 0, "seconds": 0, "passes": PASSES[0]}
_NUMBER: Final = re.compile(r"[-.A-Za-z0-9][-+.A-Za-z0-9]*")  # Python's int and float take blanks, +5 and 1_000, too
_KIND_OF: Final[dict[str, Any]] = {"policy": str, "passes": str, "epsilon": float, "seconds": float}  # else: int
QUICK: Final = frozenset({"random", *_BY_RULES})  #: players that decide in nanoseconds
MAX_PLAYOUTS: Final = 10_000_000
_LEAST_SECONDS: Final = 1e-9

# Arguments of the kernel: six whole numbers; with weights also nanoseconds, the weights, and whether to pass by danger.
Numbers: TypeAlias = tuple[Any, ...]


class PlayerError(GamecoreError):
    """A player in Python raised, or its answer was not a legal card.

    Attributes:
        seat: of the player.
        trick: from 1; 0 during the pass.
        card: its answer, or None.
        partial: result (such as a :class:`Simulation`) of the rounds finished before, None outside simulations.
    """

    def __init__(self, message: str, seat: int, trick: int, card: object = None) -> None:
        super().__init__(message)
        self.seat = seat
        self.trick = trick
        self.card = card
        self.partial: Any = None

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle with all attributes; a card that is not text becomes text."""
        card = self.card if self.card is None or isinstance(self.card, str) else printable(self.card)
        return type(self), (str(self), self.seat, self.trick, card), {"partial": self.partial}


class Player:
    """A player in plain Python: derive from it and define ``choose``.

    It gets a :class:`View` with what its seat may see. It runs in this process: the view is no protection against a
    hostile player. ``examples/engine_player.py`` runs a program as a player.
    """

    @property
    def name(self) -> str:
        """Name in results and messages; default: the name of the class."""
        return type(self).__name__

    def choose(self, view: View) -> str:
        """Return the card to play, one of ``view.legal_moves()``; not called for forced cards."""
        raise NotImplementedError(f"{type(self).__name__} has no choose(view)")

    def pass_cards(self, view: View) -> "Sequence[str]":
        """Return the three cards to pass; default: the three most dangerous ones, as greedy."""
        return danger(view.hand)

    def begin_round(self, view: View, seed: int, totals: "tuple[int, ...]") -> None:
        """Called for each seat of the player before a round; default: do nothing.

        A player whose random numbers and memory depend on these arguments alone plays the same rounds whatever the
        workers.

        Args:
            view: of its seat, before the pass.
            seed: below 2**64, one per round and seat; it does not reveal the deal.
            totals: points of the four seats in the match before this round; zeros outside a match.
        """

    def end_round(self, view: View, points: "tuple[int, ...]") -> None:
        """Called for each seat of the player after a round, with its last view and the score; default: do nothing."""

    def close(self) -> None:
        """Release processes and files; called when a copy of the player is no longer needed. Default: do nothing."""


def danger(hand: "Sequence[str]", count: int = 3) -> tuple[str, ...]:
    """The most dangerous cards of a hand: the queen of spades, higher spades, then by rank, hearts first."""

    def key(card: str) -> tuple[int, int, int]:
        group = 0 if card == "SQ" else 1 if card in {"SK", "SA"} else 2
        return group, -ACE_HIGH.index(card[1]), -"CDSH".index(card[0])

    return tuple(sorted(hand, key=key)[:count])


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """A player of the kernel, made by :func:`player`.

    Attributes:
        name: ``random``; ``greedy``, the source's decision tree; ``intelligent``, the source's player: one playout per
            legal card, in which the others play any unseen card; ``literal``, the source's pseudo-code as printed,
            which plays the first legal card; ``duck``, an improved greedy; ``mc`` and ``pimc``, playouts over
            determinizations (by default with random and with greedy seats); ``solver``, pimc that solves the worlds
            exactly near the end; ``linear``, a learned policy without search; ``search``, playouts by this policy over
            inferred worlds, with early dropping of inferior cards; ``ismcts``, information-set Monte Carlo tree search
            (single observer, UCB1). The weights were trained under the default rules; docs/hearts.md has
            results under others.
        playouts: worlds per decision (mc, pimc, solver, search), iterations (ismcts).
        policy: of the playouts: ``random`` (the default), ``greedy``, ``duck`` or ``linear``; linear and search have
            no other than ``linear``.
        epsilon: chance of a random card at each step of a playout.
        infer: 0: worlds are uniform. Else: Metropolis steps per world; worlds are drawn by the likelihood of the play,
            each other seat being a mixture of learned behaviour, duck and greedy.
        solve_at: solver, search: cards left from which worlds are solved (max^n) instead of played out.
        seconds: search, ismcts: time for a decision instead of playouts; 0: use playouts. Results by time depend
            on the machine.
        passes: search: ``playouts``, or ``danger``: pass the three most dangerous cards, as greedy.
    """

    name: str
    playouts: int = 0
    policy: str = ""
    epsilon: float = 0.0
    infer: int = 0
    solve_at: int = 0
    seconds: float = 0.0
    passes: str = PASSES[0]

    def __post_init__(self) -> None:
        _check_name(self.name)
        if is_word(self.policy, ("",)):
            object.__setattr__(self, "policy", _own_policy(self.name))
        check_number("seconds", self.seconds, 0, 3600)
        if 0 < self.seconds < _LEAST_SECONDS:
            raise OptionError(f"seconds must be 0 or at least {_LEAST_SECONDS:g}, not {self.seconds!r}", "seconds")
        without = self.seconds or self.name not in _OPTIONS
        checked_integer(self.playouts, "playouts", 0 if without else 1, MAX_PLAYOUTS)
        if self.seconds and self.playouts:
            raise OptionError(f"{self.name} has playouts ({self.playouts}) or seconds ({self.seconds:g}), not both")
        checked_word(self.passes, "passes", PASSES)
        checked_integer(self.infer, "infer", 0, 64)
        checked_integer(self.solve_at, "solve_at", 0, 32)
        _check_policy(self.policy)
        check_number("epsilon", self.epsilon, 0, 1)
        if self.epsilon == 0 and "epsilon" not in _OPTIONS.get(self.name, {}):
            object.__setattr__(self, "epsilon", _default_epsilon(self.policy))
        if self.epsilon and self.policy == "linear":
            raise OptionError("epsilon must be 0 with policy linear, which draws cards by their scores", "epsilon")
        own = {**_NONE, "policy": _own_policy(self.name), "epsilon": _default_epsilon(self.policy)}
        _check_options(self.name, [option for option, value in own.items() if getattr(self, option) != value])

    @property
    def numbers(self) -> Numbers:
        """Arguments of the kernel."""
        chance = min(math.floor(self.epsilon * (1 << 32)), (1 << 32) - 1)
        six = (KINDS[self.name], self.playouts, POLICIES[self.policy], chance, self.infer, self.solve_at)
        if self.policy == "linear" or self.infer or self.name in ("linear", "search", "ismcts"):
            return (*six, int(self.seconds * 1e9), learned_weights(), self.passes == "danger")
        return six

    def __str__(self) -> str:
        """The text that :func:`player` reads: ``pimc:100:greedy``."""
        if self.name not in _OPTIONS:
            return self.name
        amount = _time_text(self.seconds) if self.seconds else str(self.playouts)
        usual = _OPTIONS[self.name]
        parts = [self.name, amount] if self.name == "search" else [self.name, amount, self.policy]
        if self.infer != usual.get("infer", 0):
            parts.append(f"infer={self.infer}")
        if self.name == "solver" or self.solve_at != usual.get("solve_at", self.solve_at):
            parts.append(f"solve_at={self.solve_at}")
        if self.passes != PASSES[0]:
            parts.append(f"passes={self.passes}")
        if self.epsilon != _default_epsilon(self.policy):
            parts.append(f"epsilon={_shortest(self.epsilon)}")
        return ":".join(parts)


def _check_name(name: object) -> None:
    if not isinstance(name, str) or name not in KINDS:
        raise OptionError(f"unknown player {printable(name)}: one of {', '.join(KINDS)}")


def _check_policy(policy: object) -> None:
    if not is_word(policy, POLICIES):
        raise OptionError(f"unknown policy {printable(policy)}: one of {', '.join(POLICIES)}")


def _check_options(name: str, options: Iterable[str]) -> None:
    for option in options:
        if option not in _OPTIONS.get(name, {}):
            raise OptionError(f"the player {name!r} has no option {option!r}")


def _own_policy(name: str) -> str:
    return "linear" if name in ("linear", "search") else "random"


def _default_epsilon(policy: object) -> float:
    return 0.1 if is_word(policy, _BY_RULES) else 0.0


def _shortest(number: float) -> str:
    """The shortest text that reads back as the same number."""
    text = f"{number:g}"
    return text if float(text) == number else repr(float(number))


def _time_text(seconds: float) -> str:
    """``5ms``, or ``seconds=`` and the number if milliseconds would not read back exactly."""
    milliseconds = _shortest(1000 * seconds)
    return f"{milliseconds}ms" if float(milliseconds) / 1000 == seconds else f"seconds={float(seconds)!r}"


AnyPlayer: TypeAlias = str | BuiltIn | Player


def player(
    name: str,
    playouts: int | None = None,
    policy: str | None = None,
    epsilon: float | None = None,
    infer: int | None = None,
    solve_at: int | None = None,
    seconds: float | None = None,
    passes: str | None = None,
) -> BuiltIn:
    """A built-in player by name and options; text such as ``pimc:100:duck:infer=8`` is equivalent.

    Args:
        name: see :class:`BuiltIn`; options after colons: playouts, policy, then ``option=value`` in any order.
            ``search:160`` has playouts, ``search:5ms`` a time.
        playouts: of mc, pimc, solver, search and ismcts, from 1; default 100, of search 160, of ismcts 1000.
        policy: of their playouts; default ``random`` for mc, ``greedy`` for pimc and solver, ``duck`` for ismcts.
        epsilon: 0 to 1; default 0.1 (0 with random and linear playouts).
        infer: 0 to 64; default of search 6.
        solve_at: 0 to 32; default 20, of search 0.
        seconds: of search and ismcts, instead of playouts: up to 3600.
        passes: of search: ``playouts`` (default) or ``danger``.

    Raises:
        OptionError: an unknown player or option, or a value out of its range.
    """
    if not isinstance(name, str):
        raise OptionError(f"a player is a name, a BuiltIn or a Player, not {printable(name)}")
    options: dict[str, Any] = {
        "playouts": playouts, "policy": policy, "epsilon": epsilon, "infer": infer, "solve_at": solve_at,
        "seconds": seconds, "passes": passes,
    }  # fmt: skip
    base, *fields = name.split(":")
    _check_name(base)
    _read_fields(name, fields, options)
    defaults = _OPTIONS.get(base, {})
    chosen = {option: value for option, value in options.items() if value is not None}
    _check_options(base, chosen)
    arguments = {"policy": _own_policy(base), **defaults, **chosen}
    _check_policy(arguments["policy"])  # an empty one would be that of a BuiltIn without one
    if "seconds" in chosen:
        arguments["playouts"] = chosen.get("playouts", 0)
    if arguments.get("epsilon") is None:
        arguments["epsilon"] = _default_epsilon(arguments["policy"])
    return BuiltIn(base, **arguments)


def _read_fields(name: str, fields: list[str], options: dict[str, object]) -> None:
    """Parse the fields of a text such as ``pimc:100:duck:infer=8`` into the options."""
    positions = ["playouts", "policy"]
    for field in fields:
        option, equals, value = field.partition("=")
        if not equals:
            if not positions:
                raise OptionError(f"player {printable(name)}: {printable(field)} is too much; name:playouts:policy")
            option, value = positions.pop(0), field
            if option == "playouts" and value.endswith("ms"):
                option, value = "seconds", value.removesuffix("ms")
        if options.get(option) is not None:
            raise OptionError(f"player {printable(name)}: {option} is given twice")
        if option not in options:
            raise OptionError(f"player {printable(name)}: no option {printable(option)}; one of {', '.join(options)}")
        kind = _KIND_OF.get(option, int)
        try:
            number = kind(value if kind is str or _NUMBER.fullmatch(value) else "")
        except ValueError:
            text = f"player {printable(name)}: {option} must be a number, not {printable(value)}"
            raise OptionError(text) from None
        options[option] = number / 1000 if option == "seconds" and not equals else number


def players_of(players: object, name: str = "players", least: int = 4, most: int = 4) -> "tuple[BuiltIn | Player, ...]":
    """Return the players of a list, such as the four of a table, or raise OptionError."""
    if isinstance(players, str) or not isinstance(players, Sequence) or not least <= len(players) <= most:
        count = most if least == most else f"{least} to {most}"
        raise OptionError(f"{name} must be a list of {count} players, not {printable(players, 60)}", name)
    return tuple(map(any_player, players))


def any_player(who: AnyPlayer) -> BuiltIn | Player:
    """Return a player object, or the built-in player of a text, or raise OptionError."""
    if isinstance(who, (BuiltIn, Player)):
        return who
    return _player_of_text(who) if isinstance(who, str) else player(who)


_player_of_text = lru_cache(maxsize=256)(player)


# --- names in results and messages ------------------------------------------------------------------------------------


def name_of(who: BuiltIn | Player) -> str:
    """A built-in player as :func:`player` reads it; a Player's name (its class's if that is not text), printable."""
    if isinstance(who, BuiltIn):
        return str(who)
    name: object = who.name
    return without_controls(name if isinstance(name, str) else type(who).__name__)


def names_of(players: "Sequence[BuiltIn | Player]") -> tuple[str, ...]:
    """The names of players; different players of one name get numbers: ``Mine``, ``Mine#2``."""
    namesakes: dict[str, dict[int, int]] = {}  # by name and identity; built-in players of one name are equal
    names = []
    for who in players:
        name = name_of(who)
        same = namesakes.setdefault(name, {})
        number = same.setdefault(0 if isinstance(who, BuiltIn) else id(who), len(same) + 1)
        names.append(name if number == 1 else f"{name}#{number}")
    return tuple(names)


# --- learned weights --------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def learned_weights() -> memoryview:
    """The package's weights for the kernel, int8: of the policy, then of the behaviour of good players.

    They begin at a cache line: each row of 64 weights is one line. In the file they follow three lines of text.

    Raises:
        GamecoreError: the file cannot be read.
    """
    path = Path(__file__).with_name("data") / "linear.weights"
    with file_errors("read weights", path):
        weights = path.read_bytes().split(b"\n", 3)[3]
    room = bytearray(len(weights) + 64)
    start = -ctypes.addressof(ctypes.c_char.from_buffer(room)) % 64
    aligned = memoryview(room)[start : start + len(weights)]
    aligned[:] = weights
    return aligned.toreadonly().cast("b")
