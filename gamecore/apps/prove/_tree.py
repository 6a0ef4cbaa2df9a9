"""The tree of a run: proof numbers over tests of positions, in memory. It knows no store, no worker and no clock.

A node is a position with a test. Its children are the positions after its moves, each with the test after it, and it
holds exactly if one of them fails. The *proof number* of a node is the least number of leaves that must be answered
to show that it holds, its *disproof number* the same for failing (Allis 1994). The *most-proving leaf* is found by
going from a node to the child with the least disproof number. Several leaves are searched at once: a node counts the
jobs below it, which makes it look worse (virtual loss).

Positions meet again, also under other tests, so bounds belong to positions (:class:`Place`) and are shared by all
nodes there. Places are all that a store keeps: nodes are made again from them.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from gamecore.apps.prove._prover import Child, Prover
from gamecore.contract import check_bounds
from gamecore.errors import GamecoreError

QUESTIONS: Final = ("value", "wins")  #: what may be asked of a position
NEVER: Final = 1 << 40  #: the number of a node that can no longer be proved, or disproved
BY_SEARCH: Final = 0  #: a bound that comes from a search, or the rules alone
BY_MOVES: Final = 1  #: a bound that follows from those after the moves

_UNDER_WAY: Final = 3  # added to a child's disproof number for each job below it
_LATER: Final = 4  # added to a new leaf's disproof number for each sibling that should be tried sooner


class Place:
    """A canonical position, and what is proved of it.

    Attributes:
        key: its notation.
        low, high: proved bounds of the score of its mover.
        low_by, high_by: ``BY_SEARCH`` or ``BY_MOVES``.
        moves: pairs of a move and the place after it, in the order of trying; None before it is split.
        work: nodes searched by jobs for it since the last transaction.
        nodes: by test.
    """

    __slots__ = ("high", "high_by", "key", "low", "low_by", "moves", "nodes", "work")

    def __init__(self, key: str, low: int, high: int) -> None:
        self.key, self.low, self.high = key, low, high
        self.low_by = self.high_by = BY_SEARCH
        self.moves: tuple[tuple[str, Place], ...] | None = None
        self.nodes: dict[int, Node] = {}
        self.work = 0

    def fact(self) -> tuple[str, int, int, int, int, str | None, int]:
        """Return the row of a store; InternalError if bounds contradict each other."""
        check_bounds(self.low, self.high, self.key)
        moves = None if self.moves is None else " ".join(f"{move} {after.key}" for move, after in self.moves)
        return self.key, self.low, self.high, self.low_by, self.high_by, moves, self.work


class Node:
    """A test of a position.

    Attributes:
        place, test: which.
        proof, disproof: numbers; 0 and NEVER when it holds, NEVER and 0 when it fails.
        children: None before it is split.
        parents: the nodes that have it as a child.
        jobs: under way here and below; of a leaf, its own.
    """

    __slots__ = ("children", "disproof", "jobs", "parents", "place", "proof", "test")

    def __init__(self, place: Place, test: int, disproof: int = 1) -> None:
        self.place, self.test, self.proof, self.disproof = place, test, 1, disproof
        self.children: tuple[Node, ...] | None = None
        self.parents: list[Node] = []
        self.jobs = 0

    @property
    def answered(self) -> bool:
        """Whether it is known to hold or to fail."""
        return not self.proof or not self.disproof


class Tree:
    """All nodes that prove a canonical position, and the one whose test is asked now.

    Attributes:
        places: by key.
        start: the place of the root position.
        root: the node that is asked.
        most_score: no score is further from 0.
        changed: places that the store does not have as they are.
    """

    def __init__(self, prover: Prover, root: str, question: str = "value") -> None:
        self.prover, self.question = prover, question
        self.places: dict[str, Place] = {}
        self.root: Node | None = None
        self.changed: dict[Place, None] = {}
        self._full: set[Node] = set()  # nodes without a free leaf below, until a job ends
        self.start = self.place(root)
        self.most_score = 1 + max(abs(self.start.low), abs(self.start.high))

    def advance(self) -> int | None:
        """Ask the next test of the root position, and return it; None when the question is answered."""
        start = self.start
        while (test := self.prover.next_test(start.key, start.low, start.high, self.question)) is not None:
            if not start.low < test <= start.high:
                scores = f"the score is {start.low} to {start.high}"
                raise GamecoreError(f"{start.key}: test {test} has its answer: {scores}")
            if self.root is None or self.root.test != test:
                is_new, self.root = self.root is None, self.node(start, test)
                self._full.clear()
                if is_new:  # later tests begin with a job: it may answer them without the whole tree
                    self._grow(self.root, deep=True)
            if not self.root.answered:
                return test
        return None

    def value(self) -> tuple[int, int]:
        """Return the proved bounds of the value."""
        return self.prover.plain.value(self.start.key, self.start.low, self.start.high)

    # --- nodes -------------------------------------------------------------------------------------------------------

    def place(self, key: str, low: int | None = None, high: int | None = None) -> Place:
        """Return the place of a canonical position; a new one has these bounds, or those of the rules."""
        place = self.places.get(key)
        if place is None:
            if low is None or high is None:
                low, high = self.prover.plain.most(key)
            check_bounds(low, high, key)
            place = self.places[key] = Place(key, low, high)
            self.changed[place] = None
        return place

    def add(self, key: str, low: int, high: int, low_by: int, high_by: int) -> None:
        """Take a fact from a store; :meth:`add_moves` comes when all are there."""
        check_bounds(low, high, key)
        place = self.place(key, low, high)
        place.low, place.high, place.low_by, place.high_by = low, high, low_by, high_by
        del self.changed[place]

    def add_moves(self, key: str, moves: str) -> None:
        """Take the moves of a fact from a store.

        Raises:
            ValueError, KeyError: they lead to no position, or to none after it.
        """
        place, words = self.places[key], moves.split(" ")
        place.moves = tuple((move, self.places[after]) for move, after in zip(words[::2], words[1::2], strict=True))
        left = self.prover.plain.plies_left(key)
        if any(self.prover.plain.plies_left(after.key) >= left for _, after in place.moves):
            raise ValueError(f"a move of {key} leads to no position after it")

    def node(self, place: Place, test: int, disproof: int = 1) -> Node:
        """Return the node of a test there; the number is for a new one that is not answered."""
        node = place.nodes.get(test)
        if node is None:
            node = place.nodes[test] = Node(place, test, disproof)
            self._answer_by_bounds(node)
        return node

    def _answer_by_bounds(self, node: Node) -> bool:
        """Answer an open node if the bounds of its place do; return whether they did."""
        holds, fails = node.place.low >= node.test, node.place.high < node.test
        if node.answered or not (holds or fails):
            return False
        node.proof, node.disproof = (0, NEVER) if holds else (NEVER, 0)
        return True

    # --- choosing work -----------------------------------------------------------------------------------------------

    def take(self) -> list[Node] | None:
        """Reserve the most-proving free leaf and return the path to it, None if there is none.

        Give the path to :meth:`put_back` when its job has ended.
        """
        assert self.root is not None
        path = [self.root]
        while path:
            node = path[-1]
            if node.children is None and not node.jobs:
                for ancestor in path:
                    ancestor.jobs += 1
                return path
            free = [child for child in node.children or () if not child.answered and child not in self._full]
            if free:
                path.append(min(free, key=lambda child: child.disproof + _UNDER_WAY * child.jobs))
            else:
                self._full.add(path.pop())
        return None

    def put_back(self, path: Sequence[Node]) -> None:
        """Release a path whose job has ended."""
        for node in path:
            node.jobs -= 1
        self._full.clear()

    # --- what jobs found ---------------------------------------------------------------------------------------------

    def tighten(self, place: Place, low: int, high: int, by: int = BY_SEARCH) -> None:
        """Tighten the bounds of a position, and all that follows from them in the whole tree.

        Raises:
            InternalError: bounds contradict each other.
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
            check_bounds(place.low, place.high, place.key)
            self.changed[place] = None
            for node in place.nodes.values():
                if self._answer_by_bounds(node):
                    waiting.extend(self._update(node.parents))

    def expand(self, node: Node, children: Sequence["Child"]) -> None:
        """Split a leaf: every legal move becomes a node."""
        if node.answered or node.children is not None:
            return
        place = node.place
        if place.moves is None:
            ordered = sorted(children, key=lambda child: -child.order)
            place.moves = tuple((child.move, self.place(child.key, child.low, child.high)) for child in ordered)
            self.changed[place] = None
        for child in children:
            self.tighten(self.places[child.key], child.low, child.high)
        self._grow(node, deep=False)

    def _grow(self, node: Node, deep: bool) -> None:
        """Split a node into the test after its own at the positions after the moves, and compute numbers.

        Args:
            deep: split nodes below, too, whose positions were split before.
        """
        waiting, inner = [node], []
        while waiting:
            node = waiting.pop()
            if node.place.moves is None or node.children is not None or node.answered:
                continue
            test, ranked = self.prover.test_after(node.test), enumerate(node.place.moves)
            children = [self.node(after, test, 1 + _LATER * rank) for rank, (_, after) in ranked]
            node.children = tuple(dict.fromkeys(children))
            for child in node.children:
                child.parents.append(node)
            inner.append(node)
            waiting.extend(node.children if deep else ())
        for bounds in list(self._update(inner)):
            self.tighten(*bounds)

    def _update(self, nodes: Iterable[Node]) -> Iterator[tuple[Place, int, int, int]]:
        """Recompute numbers, upwards; yield what follows for the bounds of positions."""
        waiting = list(nodes)
        while waiting:
            node = waiting.pop()
            if node.children is None or node.answered:
                continue
            proof, disproof = NEVER, 0
            for child in node.children:
                if child.disproof < proof:  # noqa: PLR1730 - min() would take a third of the master's time
                    proof = child.disproof
                disproof += child.proof
            if proof == 0 or disproof == 0:
                place, before, moves = node.place, self.prover.plain.before, node.place.moves or ()
                if proof == 0:  # the best move shows a lower bound, all together an upper one
                    yield place, max(before(after.high) for _, after in moves), place.high, BY_MOVES
                else:
                    yield place, place.low, max(before(after.low) for _, after in moves), BY_MOVES
                continue
            disproof = min(disproof, NEVER - 1)
            if proof != node.proof or disproof != node.disproof:
                node.proof, node.disproof = proof, disproof
                waiting.extend(node.parents)

    def line(self) -> list[str]:
        """Return the moves that the proof follows so far, from the root, as canonical positions write them."""
        moves, node = [], self.root
        while node is not None and node.children:
            assert node.place.moves is not None
            best = min(node.children, key=lambda child: (child.disproof, -child.proof))
            moves.append(next(move for move, after in node.place.moves if after is best.place))
            node = best
        return moves
