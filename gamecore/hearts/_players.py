"""Who plays: the built-in players by name, and the class to derive your own from."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from gamecore.cards import ACE_HIGH
from gamecore.errors import GamecoreError, OptionError
from gamecore.hearts._rules import check_count
from gamecore.hearts._view import View
from gamecore.text import printable

if TYPE_CHECKING:
    from gamecore.hearts._simulate import Simulation

# The numbers of the kernel (pyx/hearts/policy.pxd, pyx/hearts/players.pxd).
POLICIES: Final = {"random": 0, "greedy": 1, "duck": 2}
_KINDS: Final = {
    "random": 0,
    "greedy": 1,
    "duck": 2,
    "intelligent": 3,
    "literal": 4,
    "mc": 5,
    "pimc": 5,
    "solver": 6,
}
_DEFAULT_POLICY: Final = {"mc": "random", "pimc": "greedy", "solver": "greedy"}
SEARCHING: Final = 3  #: players of this number and above play rounds out before they decide
NAMES: Final = tuple(_KINDS)
MAX_PLAYOUTS: Final = 10_000_000


class PlayerError(GamecoreError):
    """A player in Python raised, or answered with something that is not a legal card.

    Attributes:
        seat: of the player.
        trick: from 1; 0 while cards are passed.
        card: what it answered, or None.
        partial: the :class:`Simulation` of the rounds finished before, or None outside a simulation.
    """

    def __init__(self, message: str, seat: int, trick: int, card: object = None) -> None:
        super().__init__(message)
        self.seat = seat
        self.trick = trick
        self.card = card
        self.partial: Simulation | None = None

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle with all attributes; of a card that is not text, what the message shows of it."""
        card = self.card if self.card is None or isinstance(self.card, str) else printable(self.card)
        return type(self), (str(self), self.seat, self.trick, card), {"partial": self.partial}


class Player:
    """A player in plain Python: derive, and give it ``choose``.

    It is asked through a :class:`View`: what its seat may see, and nothing else. It runs in this process all the same:
    the view keeps an honest player from seeing too much, it does not hold a hostile one back. :class:`Isolated` runs
    a player in a process of its own.
    """

    @property
    def name(self) -> str:
        """As what it stands in results and messages: the name of its class."""
        return type(self).__name__

    def choose(self, view: View) -> str:
        """The card to play, one of ``view.legal_moves()``."""
        raise NotImplementedError(f"{type(self).__name__} has no choose(view)")

    def pass_cards(self, view: View) -> "Sequence[str]":
        """The three cards to pass on; here the three most dangerous ones, as the built-in greedy does."""
        return danger(view.hand)


def danger(hand: "Sequence[str]", count: int = 3) -> tuple[str, ...]:
    """The most dangerous cards of a hand: the queen of spades, higher spades, then by rank, hearts first."""

    def key(card: str) -> tuple[int, int, int]:
        group = 0 if card == "SQ" else 1 if card in {"SK", "SA"} else 2
        return group, -ACE_HIGH.index(card[1]), -"CDSH".index(card[0])

    return tuple(sorted(hand, key=key)[:count])


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """A player of the kernel; made by :func:`player`.

    Attributes:
        name: ``random``; ``greedy``, the source's logic tree; ``intelligent``, the source's one playout per legal
            card, in which the others play any unseen card; ``literal``, the source's pseudo-code as it is printed (it
            never changes its mind: the first legal card); ``duck``, a better greedy; ``mc`` and ``pimc``, playouts over
            determinized hands (by default with random and with greedy seats); ``solver``, pimc that solves the worlds
            exactly near the end.
        playouts: worlds a decision (mc, pimc, solver).
        policy: who plays the playouts: ``random``, ``greedy`` or ``duck``.
        epsilon: chance of a random card instead of the policy's, at each step of a playout.
        infer: 0, or so many candidate worlds for each one used: they are drawn by how well they explain what the
            others have played, if they play by ``policy``.
        solve_at: solver: cards left from which worlds are solved (max^n) instead of played out.
    """

    name: str
    playouts: int = 0
    policy: str = "random"
    epsilon: float = 0.0
    infer: int = 0
    solve_at: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or self.name not in _KINDS:
            raise OptionError(f"unknown player {printable(self.name)}: one of {', '.join(NAMES)}")
        if self.name not in _DEFAULT_POLICY:
            return
        check_count("playouts", self.playouts, 1, MAX_PLAYOUTS)
        check_count("infer", self.infer, 0, 64)
        check_count("solve_at", self.solve_at, 0, 32)
        if self.policy not in POLICIES:
            raise OptionError(f"unknown policy {printable(self.policy)}: one of {', '.join(POLICIES)}")
        if isinstance(self.epsilon, bool) or not isinstance(self.epsilon, (int, float)) or not 0 <= self.epsilon <= 1:
            raise OptionError(f"epsilon has to be a number from 0 to 1, not {printable(self.epsilon)}")

    @property
    def numbers(self) -> tuple[int, int, int, int, int, int]:
        """As the kernel takes them."""
        chance = min(math.floor(self.epsilon * (1 << 32)), (1 << 32) - 1)
        return _KINDS[self.name], self.playouts, POLICIES[self.policy], chance, self.infer, self.solve_at

    def __str__(self) -> str:
        """As :func:`player` reads it: ``pimc:100:greedy``."""
        if self.name not in _DEFAULT_POLICY:
            return self.name
        more = f":infer={self.infer}" if self.infer else ""
        more += f":solve_at={self.solve_at}" if self.name == "solver" else ""
        if self.policy != "random" and self.epsilon != 0.1:
            more += f":epsilon={self.epsilon:g}"
        return f"{self.name}:{self.playouts}:{self.policy}{more}"


AnyPlayer: TypeAlias = str | BuiltIn | Player


def player(
    name: str,
    playouts: int | None = None,
    policy: str | None = None,
    epsilon: float | None = None,
    infer: int | None = None,
    solve_at: int | None = None,
) -> BuiltIn:
    """A built-in player by name and options; the text forms ``pimc:100`` and ``pimc:100:duck:infer=8`` say the same.

    Args:
        name: see :class:`BuiltIn`; options after colons: playouts, policy, then ``option=value`` in any order.
        playouts: of mc, pimc and solver, from 1; default 100.
        policy: of their playouts; default ``random`` for mc, ``greedy`` for the others.
        epsilon: 0 to 1; default 0.1 (0 with random playouts).
        infer: 0 to 64.
        solve_at: 0 to 32; default 20.

    Raises:
        OptionError: no such player, an option that it does not have, or a value out of its range.
    """
    if not isinstance(name, str):
        raise OptionError(f"a player is a name, a BuiltIn or a Player, not {printable(name)}")
    options: dict[str, object] = {
        "playouts": playouts, "policy": policy, "epsilon": epsilon, "infer": infer, "solve_at": solve_at,
    }  # fmt: skip
    base, *fields = name.split(":")
    if base not in _KINDS:
        raise OptionError(f"unknown player {printable(base)}: one of {', '.join(NAMES)}")
    _read_fields(name, fields, options)
    given = {option: value for option, value in options.items() if value is not None}
    if base not in _DEFAULT_POLICY or (base != "solver" and "solve_at" in given):
        unused = next(iter(given), None) if base not in _DEFAULT_POLICY else "solve_at"
        if unused is not None:
            raise OptionError(f"the player {base!r} has no option {unused!r}")
        return BuiltIn(base)
    defaults: dict[str, object] = {"playouts": 100, "policy": _DEFAULT_POLICY[base]}
    defaults["epsilon"] = 0.0 if (given.get("policy") or _DEFAULT_POLICY[base]) == "random" else 0.1
    if base == "solver":
        defaults["solve_at"] = 20
    return BuiltIn(base, **(defaults | given))  # type: ignore[arg-type]


def _read_fields(name: str, fields: list[str], options: dict[str, object]) -> None:
    """Fill the options from the fields of a text such as ``pimc:100:duck:infer=8``."""
    positions = ["playouts", "policy"]
    for field in fields:
        option, equals, value = field.partition("=")
        if not equals:
            if not positions:
                raise OptionError(f"player {printable(name)}: {printable(field)} is too much; name:playouts:policy")
            option, value = positions.pop(0), field
        if options.get(option) is not None:
            raise OptionError(f"player {printable(name)}: {option} is given twice")
        if option not in options:
            raise OptionError(f"player {printable(name)}: no option {printable(option)}; one of {', '.join(options)}")
        try:
            options[option] = value if option == "policy" else float(value) if option == "epsilon" else int(value)
        except ValueError:
            text = f"player {printable(name)}: {option} has to be a number, not {printable(value)}"
            raise OptionError(text) from None


def players_of(players: "Sequence[AnyPlayer]") -> "tuple[BuiltIn | Player, ...]":
    """The four players of a table.

    Raises:
        OptionError: not four, or one that is unknown.
    """
    if isinstance(players, str) or not isinstance(players, Sequence):
        raise OptionError(f"hearts takes a list of 4 players, not {printable(players)}")
    if len(players) != 4:
        count = len(players)
        raise OptionError(f"hearts is for 4 players, not {count}")
    return tuple(one if isinstance(one, (BuiltIn, Player)) else player(one) for one in players)


def built_in(who: "str | BuiltIn") -> BuiltIn:
    """A built-in player, by itself or by its text.

    Raises:
        OptionError: there is none of that name.
    """
    return who if isinstance(who, BuiltIn) else player(who)
