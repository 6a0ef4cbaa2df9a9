"""Which of the sources' algorithms answer a position of one of the four games, and how they are called."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from gamecore.errors import OptionError
from gamecore.reference import duel, hearts, hexapawn, rows
from gamecore.text import printable

#: The sources' own words for versions of the game of rows.
WORDS: Final[Mapping[str, str]] = {"V1": "full", "V2": "top_down", "V3": "bottom_up"}
_TABLES: Final = {"greedy": ("top_down", "bottom_up"), "optimal": ("smart",), "cooperative": ("dumb",)}


class Version(NamedTuple):
    """An algorithm for a position: ``gamecore.trace(*version)`` runs it.

    Attributes:
        function: of ``gamecore.reference``. arguments: the position, as that function takes it.
    """

    function: Callable[..., Any]
    arguments: tuple[Any, ...]

    def trace(self) -> Any:
        """Run it; return its calls, a ``gamecore.draw.Trace``."""
        from gamecore.draw import trace

        return trace(self.function, *self.arguments)


def versions_of(position: Any) -> dict[str, Version]:
    """Return the versions that answer a position within about a second, by name; empty if it is too large or over.

    Args:
        position: a position of the duel, Hexapawn or rows, or a round of Hearts. Rows: mine is the total that is asked
            for; the memo and the table are of the greedy opponent, "smart" and "dumb" of the other two.
    """
    sized = {"duel": _duel, "hexapawn": _hexapawn, "rows": _rows, "hearts": _hearts}.get(_game_of(position))
    return {} if sized is None or position.is_over else sized(position)


def version_of(position: Any, name: str) -> Version:
    """Return one version by its name, or by the source's word for it (V1, V2, V3).

    Raises:
        OptionError: no such version, or the position is too large for it.
    """
    versions = versions_of(position)
    if WORDS.get(name, name) not in versions:
        if not versions:
            raise OptionError("trace must be left out: no version is quick enough for this position")
        names = f"one of {', '.join(versions)} for this position"
        raise OptionError(f"trace must be {names}, not {printable(name)}")
    return versions[WORDS.get(name, name)]


def _game_of(position: Any) -> str:
    _, _, rest = type(position).__module__.partition("gamecore.")
    return rest.partition(".")[0]


def _duel(position: Any) -> dict[str, Version]:
    hands = frozenset(position.alice), frozenset(position.bob)
    most = {"full": 5, "memoised": 7, "alpha-beta": 9}
    arguments = (*(hands if position.to_move == "Alice" else hands[::-1]), position.last)
    size = max(map(len, hands))
    return {name: Version(function, arguments) for name, function in duel.VERSIONS.items() if size <= most[name]}


def _hexapawn(position: Any) -> dict[str, Version]:
    arguments = ((position.to_move, tuple(position.to_rows())),)
    most = {"naive": 12, "memoised with a list": 12, "memoised with a map": 16}
    size = position.rows * position.columns
    return {name: Version(function, arguments) for name, function in hexapawn.VERSIONS.items() if size <= most[name]}


def _rows(position: Any) -> dict[str, Version]:
    row, is_mine = list(position.values), position.to_move == "me"
    versions = {}
    if len(row) <= 12:
        versions["full"] = Version(rows.full_exploration, (row, position.opponent, position.to_move, position.ties))
    if len(row) <= 60 and is_mine:
        arguments = (row, position.ties) if position.opponent == "greedy" else (row,)
        versions |= {name: Version(rows.VERSIONS[name], arguments) for name in _TABLES[position.opponent]}
    return versions


def _hearts(round_: Any) -> dict[str, Version]:
    if round_.passing_seats or sum(map(len, round_.hands)) > 12:
        return {}
    flags = {name: getattr(round_.rules, name) for name in hearts.Rules.__dataclass_fields__}
    state = hearts.State(
        [list(hand) for hand in round_.hands],
        hearts.Rules(**flags),
        round_.trick[0][0] if round_.trick else round_.to_move,
        [card for _, card in round_.trick],
        list(round_.played),
        [[card for trick in round_.tricks if trick.winner == seat for card in trick.cards] for seat in range(4)],
        any(card[0] == "H" or (card == "SQ" and round_.rules.qs_breaks_hearts) for card in round_.played),
    )
    return {
        "max_n": Version(hearts.brute_max_n, (state,)),
        "paranoid": Version(hearts.brute_paranoid, (state, round_.to_move)),
    }
