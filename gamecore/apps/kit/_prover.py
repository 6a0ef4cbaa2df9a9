"""Kit games for ``gamecore prove``.

A key is ``PLY:POINTS:STATE``: the plies and the mover's points since the first position, and the state as the notation
has it. Scores are values of the whole game from that position on: the kit's wins and losses, or all points of the mover
less the other side's. With the ply in its key, no position comes after itself.
"""

from contextlib import suppress
from typing import Any, Final
from urllib.parse import quote

from gamecore.apps.kit._rules import SIDES, WIN, Rules, rules_of
from gamecore.apps.kit._search import PythonSearcher, searcher_of
from gamecore.errors import GamecoreError
from gamecore.game import Game, as_position
from gamecore.text import printable

LONGEST: Final = 1000  #: plies from the first position to one that a proof may contain
SLOWEST: Final = WIN - 5 * LONGEST  #: a score above 0 is at least this: a search follows at most 1000 more plies
MOST: Final = 99_999  #: points of a whole game count as at most so many
_MOST_POINTS: Final = MOST - WIN - 1  # before a position
_PLAIN_NODES: Final = 5_000  # of a claim's second search, without keys
_AS_WRITTEN: Final = "!\"#$&'()*+-./:;<>?@[\\]^_`{|}~"  # a certificate needs the other characters

Place = tuple[int, int, tuple[int, ...]]  #: ply, points of the side to move, state


class KitProver:
    """What ``gamecore prove`` asks of a game; also its plain rules: a user's game has no others."""

    def __init__(self, game: Game, rules: Rules) -> None:
        self.game, self.rules, self.plain = game, rules, self

    # --- keys

    def read(self, key: str) -> Place:
        """Read a key; raise GamecoreError if it is none, or a place that a proof cannot contain."""
        try:
            number, gained, text = key.split(":")
            ply, points, state = int(number), int(gained), tuple(map(int, text.split(",")))
        except ValueError:
            ply, points, state = -1, 0, ()
        if ply < 0:
            raise GamecoreError(f"{printable(key, 80)} is no position of {self.rules.name}")
        if ply > LONGEST or abs(points) > _MOST_POINTS:
            what = f"{LONGEST} plies: is there a cycle?" if ply > LONGEST else f"{_MOST_POINTS} points"
            raise GamecoreError(f"{self.rules.name}: a proof of more than {what}")
        self.rules.check_state(state)
        return ply, points, state

    @staticmethod
    def write(ply: int, points: int, state: tuple[int, ...]) -> str:
        """Return the key."""
        return f"{ply}:{points}:{','.join(map(str, state))}"

    def canonical(self, position: Any) -> str:
        """Return the key of a first position, of its notation, or of a key."""
        if not isinstance(position, str) or position.startswith(SIDES):
            first = as_position(self.game, position)
            position = self.write(0, first.points, first.state)
        return self.write(*self.read(position))

    def plies_left(self, key: str) -> int:
        ply = key.partition(":")[0]  # the master asks this of every child
        return -(int(ply) if ply.isdecimal() else self.read(key)[0])

    def after(self, key: str) -> dict[str, str]:
        ply, points, state = self.read(key)
        children = self.rules.named_children(state, ply % 2).items()
        return {
            quote(name, safe=_AS_WRITTEN): self.write(ply + 1, -(points + gain), after)
            for name, (_, after, gain) in children
        }

    # --- scores

    def most(self, key: str) -> tuple[int, int]:
        _, points, state = self.read(key)
        end = self.rules.end(state)
        if end is not None:
            return points + end, points + end
        return (1 - WIN, WIN - 1) if self.rules.outcome else (-MOST, MOST)

    def before(self, score: int) -> int:
        return self.rules.parent_score(score, 0)  # points are those of the whole game: no gain is added

    def value(self, key: str, low: int, high: int) -> tuple[int, int]:
        _, points, state = self.read(key)
        low, high = self.rules.checked_bounds(state, low - points, high - points)
        return low + points, high + points

    # --- tests

    def test_after(self, test: int) -> int:
        if not self.rules.outcome:
            return 1 - test
        after = -test if test > 0 else 2 - test if test < 0 else 1
        return 1 if 0 < after <= SLOWEST else 0 if -SLOWEST < after <= 0 else after

    def next_test(self, key: str, low: int, high: int, question: str) -> int | None:
        """Test who wins, then null windows from the bound nearer to 0."""
        for test in (1, 0):
            if low < test <= high:
                return test
        if question == "wins" or low == high:
            return None
        nearest = SLOWEST if self.rules.outcome else 1
        return max(low + 1, nearest) if low > 0 else min(high, 1 - nearest)

    # --- searches

    def engine(self, key: str, table_bytes: int, shared: bool) -> "KitEngine":
        searcher, shared = searcher_of(self.rules, table_bytes), shared and self.rules.solver is not None
        if shared:
            searcher.share(False)
        return KitEngine(self, searcher, shared)

    def recheck(self, key: str, test: int, table_bytes: int) -> tuple[bool, int]:
        """Search without the user's keys in plain Python if that is quick, otherwise as the proof did."""
        nodes = 0
        with suppress(GamecoreError):  # a game too long for it
            plain = KitEngine(self, PythonSearcher(self.rules, table_bytes, keyed=False), False)
            low, high, nodes = plain.test(key, test, _PLAIN_NODES)
            if low >= test or high < test:
                return low >= test, nodes
        low, _, more = self.engine(key, table_bytes, False).test(key, test, 0)
        return low >= test, nodes + more

    def fingerprint(self, root: str) -> str:
        return rules_of(self.game)


class KitEngine:
    """A search that keeps its table."""

    def __init__(self, game: KitProver, searcher: Any, shared: bool) -> None:
        self._game, self._searcher, self._shared, self.stop = game, searcher, shared, searcher.stop

    def test(self, key: str, test: int, nodes: int) -> tuple[int, int, int]:
        _, points, state = self._game.read(key)
        low, high, searched = self._searcher.search(state, -1.0, nodes, test=test - points)
        if self._game.rules.outcome:  # no score lies between a draw and the slowest win or loss
            low = SLOWEST if 0 < low < SLOWEST else 0 if -SLOWEST < low < 0 else low
            high = -SLOWEST if -SLOWEST < high < 0 else 0 if 0 < high < SLOWEST else high
        else:  # best play is the same with all totals within the range
            low, high = (max(-MOST, min(MOST, bound + points)) for bound in (low, high))
        return low, high, searched

    def children(self, key: str, test: int) -> list[tuple[str, str, int, int, int]]:
        after = enumerate(self._game.after(key).items())
        return [(move, child, *self._game.most(child), -rank) for rank, (move, child) in after]

    def helper(self) -> "KitEngine | None":
        return KitEngine(self._game, self._searcher.helper(), True) if self._shared else None
