"""The sources' algorithms for rows in plain, readable Python.

From the card game ("Hold'em for n00bs"): greedy against greedy, full exploration, the top-down recursion with a memo,
and the bottom-up table with links to the best subproblem. Their opponent is a sister who takes the larger end, the
right one on a tie. From the coin row: the tables *smart* (both maximise) and *dumb* (both help the first player).

The source prints "(i+2),(j-2) or (i+1,j-1)"; this module reads it as (i+2, j), (i, j-2) or (i+1, j-1). The value of an
empty row is 0. ``trace`` records the calls: see :func:`gamecore.trace`.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from gamecore.reference import Version, Versions, watched
from gamecore.text import checked_word

if TYPE_CHECKING:
    from gamecore.draw import How, Trace

Row = Sequence[int]

OPPONENTS = ("greedy", "optimal", "cooperative")  #: in the sources: the sister, "smart", "dumb"
FIRST = ("me", "opponent")
TIES = ("right", "left")


def sister(row: Row, i: int, j: int, ties: str = "right") -> tuple[str, int, int]:
    """Return the sister's move, L or R, and the interval that she leaves: she takes the larger end, ``ties`` of equals.

    Raises:
        OptionError: an unknown word, here and in all functions that take ``ties``.
    """
    if ties != "right":
        checked_word(ties, "ties", TIES)
    takes_left = row[i] > row[j] or (row[i] == row[j] and ties == "left")
    return ("L", i + 1, j) if takes_left else ("R", i, j - 1)


#: The moves of opponents that have no choice.
FORCED: dict[str, Callable[..., tuple[str, int, int]]] = {"greedy": sister}


def greedy_against_greedy(row: Row, ties: str = "right") -> tuple[int, int]:
    """Return the totals of the first and the second player when both take the larger end."""
    checked_word(ties, "ties", TIES)
    line, i, j = "", 0, len(row) - 1
    while i <= j:
        move, i, j = sister(row, i, j, ties)
        line += move
    return replay(row, line)


def text(row: Row, i: int, j: int) -> str:
    """Return an interval and its values, for a trace."""
    return f"[{i},{j}] {' '.join(map(str, row[i : j + 1]))}".rstrip()


def full_exploration(
    row: Row, opponent: str = "greedy", first: str = "me", ties: str = "right", trace: "Trace | None" = None
) -> tuple[int, int]:
    """Return my total and the opponent's by trying every play.

    Args:
        row: the values.
        opponent: greedy, optimal, cooperative.
        first: me or opponent.
        ties: the end that a greedy opponent takes on a tie.
        trace: records the calls.

    Raises:
        OptionError: an unknown word.
    """
    for name, given, known in (("opponent", opponent, OPPONENTS), ("first", first, FIRST), ("ties", ties, TIES)):
        checked_word(given, name, known)

    def described(i: int, j: int, mine: bool) -> tuple[str, "How"]:
        is_forced = not mine and opponent in FORCED and i <= j
        return f"{text(row, i, j)}, {'I' if mine else 'opponent'}", "forced" if is_forced else "computed"

    @watched(trace, described)
    def explore(i: int, j: int, mine: bool) -> int:
        if i > j:
            return 0
        if mine:
            return max(row[i] + explore(i + 1, j, False), row[j] + explore(i, j - 1, False))
        if opponent in FORCED:
            return explore(*FORCED[opponent](row, i, j, ties)[1:], True)
        choose = min if opponent == "optimal" else max
        return choose(explore(i + 1, j, True), explore(i, j - 1, True))

    mine = explore(0, len(row) - 1, first == "me")
    return mine, sum(row) - mine


def top_down(row: Row, ties: str = "right", trace: "Trace | None" = None) -> int:
    """Return my total against the greedy sister when I go first, by recursion with a memo."""
    checked_word(ties, "ties", TIES)
    known: dict[tuple[int, int], int] = {}

    @watched(trace, lambda i, j: (text(row, i, j), "remembered" if (i, j) in known else "computed"))
    def best(i: int, j: int) -> int:
        if (i, j) not in known:
            if i >= j:
                known[i, j] = row[i] if i == j else 0
            else:
                left = row[i] + best(*sister(row, i + 1, j, ties)[1:])
                right = row[j] + best(*sister(row, i, j - 1, ties)[1:])
                known[i, j] = max(left, right)
        return known[i, j]

    return best(0, len(row) - 1)


def bottom_up(row: Row, ties: str = "right", trace: "Trace | None" = None) -> tuple[list[list[int]], str]:
    """Return the table Best against the greedy sister, and the line of play along its links to best subproblems."""
    checked_word(ties, "ties", TIES)
    n = len(row)
    best = [[0] * n for _ in range(n)]
    link: dict[tuple[int, int], tuple[str, int, int]] = {}

    def at(i: int, j: int) -> int:
        return best[i][j] if i <= j else 0

    for length in range(1, n + 1):
        for i in range(n - length + 1):
            j = i + length - 1
            if length == 1:
                best[i][i], link[i, i] = row[i], ("L", i + 1, i)
            else:
                left, right = sister(row, i + 1, j, ties), sister(row, i, j - 1, ties)
                with_left, with_right = row[i] + at(*left[1:]), row[j] + at(*right[1:])
                best[i][j] = max(with_left, with_right)
                link[i, j] = ("L" + left[0], *left[1:]) if with_left >= with_right else ("R" + right[0], *right[1:])
            if trace:
                trace.leaf(text(row, i, j), best[i][j])
    line, i, j = "", 0, n - 1
    while i <= j:
        moves, i, j = link[i, j]
        line += moves
    # The last value is at both ends; by convention it is taken with L.
    return best, line[:-1] + "L"


def coin_row(row: Row, helped: bool, trace: "Trace | None") -> list[list[int]]:
    """Return the coin row's table: the totals of the side to move; ``helped``: the opponent helps the first player."""
    n = len(row)
    table = [[0] * n for _ in range(n)]
    for i in range(n - 1, -1, -1):
        table[i][i] = total = row[i]
        if trace:
            trace.leaf(text(row, i, i), total)
        for j in range(i + 1, n):
            total += row[j]
            worst = max if helped and (j - i + n) % 2 == 0 else min
            table[i][j] = total - worst(table[i + 1][j], table[i][j - 1])
            if trace:
                trace.leaf(text(row, i, j), table[i][j])
    return table


def smart(row: Row, trace: "Trace | None" = None) -> list[list[int]]:
    """Return the coin row's table when both maximise: the totals of the side to move."""
    return coin_row(row, False, trace)


def dumb(row: Row, trace: "Trace | None" = None) -> list[list[int]]:
    """Return the coin row's table when both help the first player: the totals of the side to move."""
    return coin_row(row, True, trace)


#: The versions of the game against the sister: V1, V2 and V3 of the source; and the coin row's two tables.
VERSIONS: dict[str, Callable[..., Any]] = {
    "full": full_exploration,
    "top_down": top_down,
    "bottom_up": bottom_up,
    "smart": smart,
    "dumb": dumb,
}


def fold(row: Row) -> list[int]:
    """Replace a <= b >= c by a - b + c until none is left; valid when both maximise. (Not in the sources.)"""
    stack: list[int] = []
    for value in row:
        while len(stack) >= 2 and stack[-2] <= stack[-1] >= value:
            value = stack[-2] - stack[-1] + value
            del stack[-2:]
        stack.append(value)
    return stack


def fold_value(row: Row) -> int:
    """Return the difference for the side to move: fold, then take the larger end each time."""
    values, difference, sign = fold(row), 0, 1
    while values:
        difference += sign * (values.pop(0) if values[0] >= values[-1] else values.pop())
        sign = -sign
    return difference


def replay(row: Row, line: str) -> tuple[int, int]:
    """Return the totals of the first and the second player in a line of L and R; OptionError for other letters."""
    i, j, taken = 0, len(row) - 1, [0, 0]
    for turn, move in enumerate(line):
        checked_word(move, "a move", ("L", "R"))
        if move == "L":
            taken[turn % 2] += row[i]
            i += 1
        else:
            taken[turn % 2] += row[j]
            j -= 1
    return taken[0], taken[1]


def _versions_of(position: Any) -> dict[str, Version]:
    row, is_mine = list(position.values), position.to_move == "me"
    versions = {}
    if len(row) <= 12 and position.opponent in OPPONENTS:
        versions["full"] = Version(full_exploration, (row, position.opponent, position.to_move, position.ties))
    if len(row) <= 60 and is_mine:
        arguments = (row, position.ties) if position.rule.forced_end else (row,)
        versions |= {name: Version(VERSIONS[name], arguments) for name in position.rule.versions}
    return versions


PART = Versions(tuple(VERSIONS), _versions_of, {"V1": "full", "V2": "top_down", "V3": "bottom_up"})
