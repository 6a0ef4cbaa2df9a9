"""The master's tree: proof numbers over tests of positions, in memory. It knows no store, no worker and no clock.

A node is a position with a test. Its children are the positions after its moves, each with the test after it, and it
holds exactly if one of them fails. The *proof number* of a node is the least number of leaves that have to be answered
to show that it holds, its *disproof number* the same for failing (Allis 1994); the *most-proving leaf* is found by
going from a node to the child with the least disproof number. Several leaves are under way at a time: a node counts
what is under way below it, which makes it look worse (virtual loss).

Positions meet again, also under other tests, so bounds belong to positions (:class:`Place`) and are shared by all
nodes there.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from gamecore.errors import GamecoreError

if TYPE_CHECKING:
    from gamecore.prove._rules import Child, Rules

NEVER: Final = 1 << 40  #: the number of a node that cannot be proved, or disproved, any more
BY_SEARCH: Final = 0  #: where a bound comes from: a search, or the rules alone,
BY_MOVES: Final = 1  #: or the bounds after the moves

_UNDER_WAY: Final = 3  # of each job under way below a child, added to its disproof number
_LATER: Final = 4  # of each sibling that should be tried sooner, added to a new leaf's disproof number


class Place:
    """A canonical position, and what is proved of it.

    Attributes:
        key: its notation.
        low, high: proved bounds of the score of its mover.
        low_by, high_by: where they come from.
        moves: moves and the positions after them, those first that should be tried first, once it was split.
        nodes: by test.
        id: number in the store; 0: not there yet.
    """

    __slots__ = ("high", "high_by", "id", "key", "low", "low_by", "moves", "nodes")

    def __init__(self, key: str, low: int, high: int) -> None:
        self.key, self.low, self.high = key, low, high
        self.low_by = self.high_by = BY_SEARCH
        self.moves: tuple[tuple[str, Place], ...] | None = None
        self.nodes: dict[int, Node] = {}
        self.id = 0


class Node:
    """A test of a position.

    Attributes:
        place, test: which.
        proof, disproof: numbers; 0 and NEVER when it holds, NEVER and 0 when it fails.
        children: once it was split.
        parents: the nodes that have it as a child.
        jobs: under way here and below.
        running: whether a job for this very node is under way.
        work: nodes searched for it by jobs of its own.
    """

    __slots__ = ("children", "disproof", "jobs", "parents", "place", "proof", "running", "test", "work")

    def __init__(self, place: Place, test: int, proof: int = 1, disproof: int = 1) -> None:
        self.place, self.test, self.proof, self.disproof = place, test, proof, disproof
        self.children: tuple[Node, ...] | None = None
        self.parents: list[Node] = []
        self.jobs = 0
        self.running = False
        self.work = 0

    @property
    def settled(self) -> bool:
        """Whether it is known to hold or to fail."""
        return not self.proof or not self.disproof


class Tree:
    """All nodes, and the one whose test is asked now.

    Args:
        rules: of the game.

    Attributes:
        places: by key.
        root: the node that is asked.
        changed, split, renumbered: places whose bounds or moves changed, nodes that were split, and inner nodes whose
            numbers changed: whoever writes them down clears them.
        open, held, failed: how many nodes there are of each kind.
    """

    def __init__(self, rules: "Rules") -> None:
        self._rules = rules
        self.places: dict[str, Place] = {}
        self.root: Node | None = None
        self.changed: dict[Place, None] = {}
        self.split: dict[Node, None] = {}
        self.renumbered: dict[Node, None] = {}
        self.open = self.held = self.failed = 0
        self._full: set[Node] = set()  # nodes below which no leaf is free, until something comes back

    # --- nodes -------------------------------------------------------------------------------------------------------

    def place(self, key: str, low: int | None = None, high: int | None = None) -> Place:
        """The place of a canonical position, made if need be, with bounds from the rules or from a search."""
        found = self.places.get(key)
        if found is None:
            if low is None or high is None:
                low, high = self._rules.bounds(key)
            found = self.places[key] = Place(key, low, high)
        return found

    def node(self, place: Place, test: int, proof: int = 1, disproof: int = 1) -> Node:
        """The node of a test there, made if need be; the numbers are for a new one that is not settled."""
        found = place.nodes.get(test)
        if found is None:
            found = place.nodes[test] = Node(place, test, proof, disproof)
            self.open += 1
            self._settle_by_bounds(found)
        return found

    def ask(self, key: str, test: int) -> Node:
        """Make a test of a position the one that is asked."""
        self.root = self.node(self.place(key), test)
        self._full.clear()
        return self.root

    def _settle_by_bounds(self, node: Node) -> bool:
        """Whether the bounds of its place answer an open node now."""
        if node.settled:
            return False
        if node.place.low >= node.test:
            node.proof, node.disproof = 0, NEVER
            self.held += 1
        elif node.place.high < node.test:
            node.proof, node.disproof = NEVER, 0
            self.failed += 1
        else:
            return False
        self.open -= 1
        self.renumbered[node] = None
        return True

    # --- choosing work -----------------------------------------------------------------------------------------------

    def take(self) -> list[Node] | None:
        """The path to the most-proving leaf that is free, which is under way from now on; None: there is none.

        Give the path to :meth:`put_back` when its job has ended.
        """
        if self.root is None or self.root.settled:
            return None
        path, full = [self.root], self._full
        while path:
            node = path[-1]
            best, least = None, 0
            if node.children is not None:
                for child in node.children:
                    if child.proof and child.disproof and child not in full:
                        number = child.disproof + _UNDER_WAY * child.jobs
                        if best is None or number < least:
                            best, least = child, number
            elif not node.running:
                node.running = True
                for one in path:
                    one.jobs += 1
                return path
            if best is None:
                full.add(path.pop())
            else:
                path.append(best)
        return None

    def put_back(self, path: Sequence[Node]) -> None:
        """The job of a path has ended, however it did."""
        path[-1].running = False
        for node in path:
            node.jobs -= 1
        self._full.clear()

    # --- what jobs found ---------------------------------------------------------------------------------------------

    def tighten(self, place: Place, low: int, high: int, by: int = BY_SEARCH) -> None:
        """Proved bounds of a position; what follows from them is done for the whole tree.

        Raises:
            GamecoreError: bounds contradict each other.
        """
        waiting = [(place, low, high, by)]
        while waiting:
            place, low, high, by = waiting.pop()
            if low > place.low:
                place.low, place.low_by = low, by
            elif high >= place.high:
                continue
            if high < place.high:
                place.high, place.high_by = high, by
            if place.low > place.high:
                raise GamecoreError(f"the bounds of {place.key} contradict each other: {place.low} to {place.high}")
            self.changed[place] = None
            for node in place.nodes.values():
                if self._settle_by_bounds(node):
                    waiting.extend(self._update(node.parents))

    def expand(self, node: Node, children: Sequence["Child"]) -> None:
        """Split a leaf: every legal move becomes a node."""
        if node.settled or node.children is not None:
            return
        place, test = node.place, self._rules.test_after(node.test)
        if place.moves is None:
            ordered = sorted(children, key=lambda child: -child.order)
            place.moves = tuple((child.move, self.place(child.key, child.low, child.high)) for child in ordered)
            self.changed[place] = None
        self.connect(node, test)
        self.split[node] = None
        for child in children:
            after = self.places[child.key]
            if child.low > after.low or child.high < after.high:
                self.tighten(after, child.low, child.high)
        for found in list(self._update([node])):
            self.tighten(*found)

    def connect(self, node: Node, test: int) -> None:
        """Give a node its children: the test after it, at the positions after the moves of its place."""
        assert node.place.moves is not None
        found: dict[Node, None] = {}
        for rank, (_, after) in enumerate(node.place.moves):
            found[self.node(after, test, 1, 1 + _LATER * rank)] = None
        node.children = tuple(found)
        for child in node.children:
            child.parents.append(node)

    def connect_all(self, nodes: Iterable[Node]) -> None:
        """Give all inner nodes of a tree that was read their children, and work all numbers out."""
        inner = list(nodes)
        for node in inner:
            self.connect(node, self._rules.test_after(node.test))
        for found in list(self._update(inner)):
            self.tighten(*found)

    def _update(self, nodes: Iterable[Node]) -> Iterator[tuple[Place, int, int, int]]:
        """Work numbers out anew, upwards; yield what follows for the bounds of positions."""
        waiting = list(nodes)
        while waiting:
            node = waiting.pop()
            if node.children is None or node.settled:
                continue
            proof, disproof = NEVER, 0
            for child in node.children:
                if child.disproof < proof:  # noqa: PLR1730 - min() would be a third of the master's time
                    proof = child.disproof
                disproof += child.proof
            if proof == 0 or disproof == 0:
                yield self._bounds_by_moves(node.place, proof == 0)
            else:
                disproof = min(disproof, NEVER - 1)
                if proof != node.proof or disproof != node.disproof:
                    node.proof, node.disproof = proof, disproof
                    self.renumbered[node] = None
                    waiting.extend(node.parents)

    def _bounds_by_moves(self, place: Place, holds: bool) -> tuple[Place, int, int, int]:
        """What the bounds after its moves say of a position: a lower bound by the best, or an upper one by all."""
        assert place.moves is not None
        before = self._rules.score_before
        if holds:
            return place, max(before(after.high) for _, after in place.moves), place.high, BY_MOVES
        return place, place.low, max(before(after.low) for _, after in place.moves), BY_MOVES

    # --- for people --------------------------------------------------------------------------------------------------

    def line(self) -> list[str]:
        """The moves that the proof follows so far, from the root, as canonical positions write them."""
        found, node = [], self.root
        while node is not None and node.children:
            assert node.place.moves is not None
            best = min(node.children, key=lambda child: (child.disproof, -child.proof))
            found.append(next(move for move, after in node.place.moves if after is best.place))
            node = best
        return found
