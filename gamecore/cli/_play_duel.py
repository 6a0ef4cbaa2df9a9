"""The duel at the terminal."""

from typing import Any, ClassVar

from gamecore.cards import ACE_LOW
from gamecore.cli._play_screen import Screen
from gamecore.cli._play_table import Opponent, TwoSided
from gamecore.duel import PASS, deal
from gamecore.limits import Limits
from gamecore.typed_cards import read_card


class DuelTable(TwoSided):
    """The duel: Alice begins.

    Args:
        screen, opponent, limits, rng, sides: as for :class:`TwoSided`.
        cards: in a hand of a new deal.
    """

    module: ClassVar[str] = "gamecore.duel"
    unit: ClassVar[str] = " in points"
    how: ClassVar[str] = "Type a card: H7, 7h, 10c, a rank alone if one card has it; Enter passes if you must."

    def __init__(
        self, screen: Screen, opponent: Opponent, limits: Limits, rng: Any, sides: tuple[str, str], cards: int
    ) -> None:
        super().__init__(screen, opponent, limits, rng, sides)
        self.cards = cards

    def first(self) -> Any:
        """A random deal."""
        return deal(self.cards, rng=self.rng)

    def show(self, state: Any) -> None:
        """Both hands, and what may be played."""
        pen, legal = self.screen.pen, state.legal_moves() if self.is_mine(state) else ()
        for side, hand in (("Alice", state.alice), ("Bob", state.bob)):
            cards = sorted(hand, key=lambda card: ("CDHS".index(card[0]), ACE_LOW.index(card[1])))
            shown = [pen.card(card, *(("bold",) if card in legal else ())) for card in cards] or ["-"]
            self.screen.row(side + (" (you)" if side == self.mine else ""), shown, indent=13)
        if state.is_over:
            return
        self.screen.row("to match", [pen.card(state.last) if state.last else "any card may be played"], indent=13)
        if state.last and PASS not in legal:
            self.screen.row("you may play", map(pen.card, legal), indent=13)

    def prompt(self, state: Any) -> str:
        """A card is asked for, or a pass."""
        return "you have to pass (Enter): " if state.legal_moves() == (PASS,) else "your card: "

    def read(self, state: Any, typed: str) -> str:
        """A card, or a pass."""
        legal = state.legal_moves()
        if typed.lower() in ("p", PASS) or (not typed and legal == (PASS,)):
            return PASS
        return read_card(typed, legal, self.screen.pen.card)

    def ranks(self, state: Any) -> str:
        """Of the cards that fit."""
        return "".join(card[1] for card in state.legal_moves() if card != PASS)

    def shown(self, move: str) -> str:
        """A card with its suit as the terminal can write it."""
        return "passes" if move == PASS else self.screen.pen.card(move)

    def result(self, state: Any) -> None:
        """Who pays how much."""
        plural = "" if state.points == 1 else "s"
        verb = "win" if state.winner == self.mine else "wins"
        self.screen.say(f"The game is over: {self.name(state.winner)} {verb} {state.points} point{plural}.")
