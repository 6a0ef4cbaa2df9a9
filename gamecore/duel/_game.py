"""The duel as a :class:`gamecore.game.Game`."""

from typing import TYPE_CHECKING, Any, Final

from gamecore.cards import names_of
from gamecore.duel._coding import DuelCoding
from gamecore.duel._picture import text_of
from gamecore.duel._position import MAX_CARDS, PASS, Position, deal, greedy_move, random
from gamecore.duel._solve import analyse, solve
from gamecore.duel._solver import Solver
from gamecore.duel._text import read
from gamecore.duel._words import DuelWords
from gamecore.errors import GamecoreError
from gamecore.game import Choice, Game, Json, Option, Player, checked, takes
from gamecore.typed_cards import check_held, read_card

if TYPE_CHECKING:
    from gamecore.batch.spec import Batch
    from gamecore.draw import Pen
    from gamecore.duel._prover import DuelProver
    from gamecore.search import Refinement


_CARDS: Final = Option("n", "Cards each", 6, 1, MAX_CARDS, flag="cards")
_PRESETS: Final[dict[str, Json]] = {f"{n} cards each": {"n": n} for n in (6, 3, 9, 12, 15, 18, 26)}


class Duel(Game):
    """See :class:`gamecore.game.Game`."""

    name = "duel"
    title = "Card duel"
    rules = """\
Two open hands: match suit or number, or pass; the first empty hand wins what is left in the other.
Players take turns.
A card must share suit or number with the card before it.
A player who holds no such card passes; after a pass any card may be played.
Points: ace 1, 2 to 9, ten 10, jack 11, queen 12, king 13."""
    sides = ("Alice", "Bob")
    example = "DQH2HA:H3D6S3:A:-"
    typing = "Type a card: H7, 7h, 10c, a rank alone if one card has it; Enter passes if you must."
    presets = _PRESETS
    Position = Position

    @property
    def words(self) -> DuelWords:
        return DuelWords(self)

    @takes(_CARDS)
    def start(self, *, rng: Any = None, **options: Any) -> Any:
        return deal(checked(options, (_CARDS,))["n"], rng=rng)

    def random(self, *, rng: Any = None, plies: int | None = None, **options: Any) -> Any:
        return random(**checked(options, (_CARDS,)), plies=plies, rng=rng)

    def parse(self, text: str, **options: Any) -> Any:
        return read(text)

    def solve(self, position: Any, limits: Any = None, **options: Any) -> Any:
        return solve(position, limits, **options)

    def analyse(self, position: Any, limits: Any = None, **options: Any) -> Any:
        return analyse(position, limits, **options)

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

    def picture(
        self, position: Any, moves: Any = (), line: Any = (), *, seat: int | None = None, width: int | None = None
    ) -> Any:
        from gamecore.duel._picture import picture

        return picture(position, moves, line, width)

    @property
    def judging(self) -> Any:
        from gamecore.duel._judging import JUDGING

        return JUDGING

    def show(self, position: Any, pen: "Pen", me: Any = None) -> str:
        return text_of(position, pen, me)

    def prompt(self, position: Any) -> str:
        return "you must pass (Enter): " if position.legal_moves() == (PASS,) else "your card: "

    def label(self, position: Any, seat: int | None = None) -> str:
        hands = f"Alice holds {names_of(position.alice)}. Bob holds {names_of(position.bob)}."
        return f"{hands} {self.words.turn(position)}."

    def shown(self, move: str, pen: "Pen") -> str:
        return "passes" if move == PASS else pen.card(move)

    def to_judge(self, position: Any) -> str | None:
        try:
            return str(position.to_judge())
        except GamecoreError:  # the judge's format holds only fresh deals
            return None

    @property
    def prover(self) -> "DuelProver":
        from gamecore.duel._prover import DuelProver

        return DuelProver()

    def coding(self, start: Any) -> DuelCoding:
        return DuelCoding(start)

    def typed(self, position: Any, text: str) -> str:
        legal = position.legal_moves()
        if text.lower() in ("p", PASS) or (not text and legal == (PASS,)):
            return PASS
        card = read_card(text, legal)
        check_held([card], position.alice if position.to_move == "Alice" else position.bob)
        return card


GAME = Duel()
