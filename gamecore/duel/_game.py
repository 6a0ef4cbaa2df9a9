"""The duel as a :class:`gamecore.game.Game`."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from gamecore import contract
from gamecore.cards import name_of
from gamecore.duel._position import MAX_CARDS, PASS, Position, deal, greedy_move, random
from gamecore.duel._solve import DEFAULT_TABLE_MB
from gamecore.duel._solver import Solver
from gamecore.duel._text import read
from gamecore.errors import ParseError
from gamecore.game import Choice, Lines, Option, PackageGame, Player, checked
from gamecore.text import SEPARATOR, whole_number

if TYPE_CHECKING:
    from gamecore.batch.spec import Batch
    from gamecore.search import Refinement


class Duel(PackageGame):
    """See :class:`gamecore.game.Game`."""

    name = "duel"
    title = "Card duel"
    summary = "Two open hands; match suit or number or pass. Whose hand empties first wins what is left in the other."
    rules = """\
Both hands are open. Players take turns.
A card must share suit or number with the card before it.
A player who holds no such card passes; after a pass any card may be played.
The first player without cards wins the points left in the other hand.
Points: ace 1, 2 to 9, ten 10, jack 11, queen 12, king 13."""
    sides = ("Alice", "Bob")
    notation = "ALICE:BOB:MOVER:LAST"
    accepts = ("the notation ALICE:BOB:MOVER:LAST", "the judge's text: n, then a line with each hand")
    example = "DQH2HA:H3D6S3:A:-"
    help = """\
input, as many deals as you like:      output for each, the judge's two lines:
  3                                      Alice
  DQ H2 HA                               9
  H3 D6 S3

or one position as an argument: hands, side to move (A or B) and the card to
match (- for none):
  gamecore duel DQH2:D6S3:A:H3

A card is its suit (C D H S) and its number (A 2-9 T J Q K). The two lines are
the winner and the points that the loser pays. Values belong to the side to
move, which is named beside them. After a limit the two lines are the winner
and LOW..HIGH points, or ? and bounds of the value if the winner is unknown.

example:  printf '3\\nDQ H2 HA\\nH3 D6 S3\\n' | gamecore duel --line --analyse"""
    options = (Option("n", "Cards each", 6, 1, MAX_CARDS, flag="cards"),)
    table_mb = DEFAULT_TABLE_MB
    threads = True
    position_type = Position

    def start(self, *, rng: Any = None, **options: Any) -> Position:
        return deal(checked(options, self.options)["n"], rng=rng)

    def random(self, *, rng: Any = None, plies: int | None = None, **options: Any) -> Position:
        return random(**checked(options, self.options), plies=plies, rng=rng)

    def parse(self, text: str, **options: Any) -> Position:
        return read(text)

    def split(self, lines: Lines) -> Lines:
        filled: Iterator[tuple[int, str]] = ((number, text) for number, text in lines if text.strip())
        for number, text in filled:
            if SEPARATOR in text:
                yield number, text.strip()
                continue
            try:
                whole_number(text.strip(" \t\r\n"), "n, the number of cards in a hand,", 1, MAX_CARDS)
            except ParseError as error:
                raise ParseError(str(error), number) from None
            hands = [next(filled, (number, ""))[1] for _ in range(2)]
            yield number, "\n".join((text, *hands))

    def looks_like(self, lines: Sequence[str]) -> bool:
        judge = len(lines) > 1 and lines[0].strip().isdigit() and lines[1].strip()[:1] in tuple("CDHS")
        return judge or super().looks_like(lines)

    @property
    def batch(self) -> "Batch[Any]":
        from gamecore.duel._batch import BATCH

        return BATCH

    def refine(self, position: Any, table_mb: float | None = None) -> "Refinement":
        return Solver(table_mb).refine(position)

    @property
    def players(self) -> dict[str, Player]:
        greedy = Player("gets rid of the most points", lambda position, *_: Choice(greedy_move(position), False))
        return {**super().players, "greedy": greedy}

    def answer(self, solution: contract.Solution[Any, Any]) -> str:
        found: Any = solution
        if found.exact:
            return f"{found.winner}\n{found.points}"
        if found.winner:
            low, high = sorted((abs(found.lower), abs(found.upper)))
            return f"{found.winner}\n{low}..{high}"
        return f"?\n{contract.Bounds.__str__(found)} for {found.to_move}"

    def turn(self, position: Any) -> str:
        if position.is_over:
            return "the game is over"
        if position.last is None:
            return f"{position.to_move} may play any card"
        if position.legal_moves() == (PASS,):
            return f"{position.to_move} must pass: no card fits the {name_of(position.last)}"
        return f"{position.to_move} must match the {name_of(position.last)}"

    def result(self, position: Any, me: Any = None) -> str:
        verb = "win" if position.winner == me else "wins"
        return f"{self.called(position.winner, me)} {verb} {self.amount(position.points)}"

    def move_text(self, position: Any, move: str) -> str:
        return "pass: no card fits" if move == PASS else name_of(move)


GAME = Duel()
