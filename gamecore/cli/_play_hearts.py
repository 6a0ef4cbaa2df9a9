"""Hearts at the terminal: a person against three built-in players, round by round to the end of a match."""

import time
from collections.abc import Sequence
from typing import Any, ClassVar, Final, NamedTuple

from gamecore.cli._play_screen import Screen
from gamecore.cli._play_table import Table
from gamecore.errors import IllegalMoveError, OptionError
from gamecore.hearts import Round, Rules, Trick, evaluate_moves, player
from gamecore.hearts._cards import EXCHANGED
from gamecore.hearts._evaluate import Evaluation
from gamecore.hearts._outlook import passes
from gamecore.limits import Limits
from gamecore.rng import seed_of
from gamecore.typed_cards import read_card, read_cards

_NAMES: Final = ("you", "left", "across", "right")
_PLAYOUTS: Final = 1000  # of advice, for each card
_PASSES: Final = 5  # sets of cards to pass on that advice shows


class Moment(NamedTuple):
    """Where a match stands.

    Attributes:
        round: being played.
        number: of the round in the match, from 0.
        totals: points of the seats before it.
    """

    round: Round
    number: int
    totals: tuple[int, ...]

    @property
    def scores(self) -> tuple[int, ...]:
        """Points of the seats with those of this round."""
        return tuple(total + got for total, got in zip(self.totals, self.round.points, strict=True))


class HeartsTable(Table[Moment]):
    """A match: the person begins in seat 0.

    Args:
        screen: where it is shown.
        players: the three others, from the person's left; built-in ones by name.
        rules: of the match.
        limits: of advice.
        rng: of the deals.

    Raises:
        OptionError: not three players, or an unknown one.
    """

    how: ClassVar[str] = "Type a card: H7, 7h, 10c, a rank alone if one card has it; three of them to pass."

    def __init__(self, screen: Screen, players: Sequence[str], rules: Rules, limits: Limits, rng: Any) -> None:
        super().__init__(screen)
        if len(players) != 3:
            raise OptionError(f"hearts is played with 3 other players, not {len(players)}")
        self.players = [player(name) for name in players]
        self.rules, self.limits, self.seat = rules, limits, 0
        self.seed = seed_of(rng)
        self._games = 0

    # --- moments -----------------------------------------------------------------------------------------------------

    def first(self) -> Moment:
        """The first round of a match."""
        self._games += 1
        return self._deal(0, (0, 0, 0, 0))

    def _deal(self, number: int, totals: tuple[int, ...]) -> Moment:
        rules = self.rules
        passing = rules.cycle[number % len(rules.cycle)] if rules.pass_cards else "hold"
        # Rounds of later games have numbers of their own, so that a seed does not deal the same cards again.
        index = number + 10_000 * (self._games - 1)
        return Moment(Round.deal(self.seed, rules, passing, None, index), number, totals)

    def loaded(self, text: str) -> Moment:
        """The round of a notation; scores begin at 0."""
        round_ = Round.from_text(text)
        self.rules = round_.rules
        return Moment(round_, 0, (0, 0, 0, 0))

    def notation(self, state: Moment) -> str:
        """The round as one line, without the score of the match."""
        return state.round.to_text()

    def is_over(self, state: Moment) -> bool:
        """Whether the match is."""
        return state.round.is_over and max(state.scores) >= self.rules.match_points

    def is_mine(self, state: Moment) -> bool:
        """Whether the person is to play or to pass."""
        return state.round.to_move == self.seat and not state.round.is_over

    def _name(self, seat: int) -> str:
        return _NAMES[(seat - self.seat) & 3]

    # --- the screen --------------------------------------------------------------------------------------------------

    def show(self, state: Moment) -> None:
        """What the person's seat may see."""
        round_, card = state.round, self.screen.pen.card
        if round_.is_over:
            return
        view = round_.view(self.seat)
        legal = () if view.is_passing else view.legal_moves()
        where = f"round {state.number + 1}, " + ("passing" if view.is_passing else f"trick {len(view.tricks) + 1}")
        order = [(self.seat + k) & 3 for k in range(4)]
        self.screen.row(where + ", points", [f"{self._name(seat)} {view.points[seat]}" for seat in order], ", ")
        if not view.is_passing:
            table = [f"{self._name(seat)} {card(text)}" for seat, text in view.trick] or ["you lead"]
            self.screen.row("on the table", table, "  ", 14)
        hand = [[card(text, *(("bold",) if text in legal else ())) for text in view.hand if text[0] == suit]
                for suit in "CDSH"]  # fmt: skip
        self.screen.row("your hand", [text for suit in hand if suit for text in [" ".join(suit)]], "  ", 14)
        if legal:
            self.screen.row("legal", map(card, legal), indent=14)

    def prompt(self, state: Moment) -> str:
        """A card, or three."""
        passing = state.round.passing_seats
        return f"pass three cards {state.round.passing}: " if passing else "your card: "

    def moves(self, state: Moment) -> Sequence[str]:
        """The cards that may be played or passed on, one by one."""
        round_ = state.round
        return round_.hands[self.seat] if round_.passing_seats else round_.legal_moves()

    def ranks(self, state: Moment) -> str:
        """Of the legal cards; while three are passed, one alone means nothing."""
        return "" if state.round.passing_seats else "".join(card[1] for card in state.round.legal_moves())

    def result(self, state: Moment) -> None:
        """Who has won the match."""
        best = [self._name(seat) for seat in range(4) if state.scores[seat] == min(state.scores)]
        self.screen.say(f"won by {' and '.join(best)}")

    # --- moves -------------------------------------------------------------------------------------------------------

    def play(self, state: Moment, typed: str) -> Moment:
        """After one typed card, or three that are passed on."""
        round_, card = state.round, self.screen.pen.card
        if round_.passing_seats:
            cards = read_cards(typed, round_.hands[self.seat], card)
            if len(cards) != EXCHANGED:
                raise IllegalMoveError(f"type three cards, not {len(cards)}")
            return self._after(state, round_.pass_cards(self.seat, cards))
        if not typed:
            raise IllegalMoveError("type one of the legal cards, or h for help")
        return self._after(state, round_.play(read_card(typed, round_.legal_moves(), card)))

    def answer(self, state: Moment) -> Moment:
        """After a move of one of the others; or the next round, when this one is over."""
        round_ = state.round
        if round_.is_over:
            return self._deal(state.number + 1, state.scores)
        return self._after(state, round_.play(round_.ask(self.players[(round_.to_move - self.seat - 1) & 3])))

    def _after(self, state: Moment, after: Round) -> Moment:
        """The moment of a round one move later; what is to be seen of that move is shown."""
        moment = state._replace(round=after)
        if state.round.passing_seats and not after.passing_seats:
            self.screen.row("you got", map(self.screen.pen.card, after.view(self.seat).received))
        if len(after.tricks) > len(state.round.tricks):
            self._show_trick(len(after.tricks), after.tricks[-1])
        if after.is_over:
            order = [(self.seat + k) & 3 for k in range(4)]
            points = [f"{self._name(seat)} +{after.points[seat]}" for seat in order]
            self.screen.row(f"\nround {state.number + 1}:", points, ", ")
            self.screen.row("score:", [f"{self._name(seat)} {moment.scores[seat]}" for seat in order], ", ")
        return moment

    def _show_trick(self, number: int, trick: Trick) -> None:
        cards = [f"{self._name((trick.leader + k) & 3)} {self.screen.pen.card(card)}"
                 for k, card in enumerate(trick.cards)]  # fmt: skip
        self.screen.row(f"trick {number}:", [*cards, f"-> {self._name(trick.winner)}"], "  ")

    def flip(self, state: Moment) -> None:
        """Move on by one seat to the left."""
        self.seat = (self.seat + 1) & 3
        self.screen.say(f"You sit in seat {self.seat} now: the one that was on your left.")

    # --- advice ------------------------------------------------------------------------------------------------------

    def _judged(self, state: Moment) -> list[Evaluation]:
        """Moves with the points to expect, best first; of the sets of cards to pass on, the best."""
        if state.round.passing_seats:
            return self._judged_passes(state.round)
        found = evaluate_moves(state.round.view(self.seat), self.limits, playouts=_PLAYOUTS, rng=0)
        return [one for one in found if one.playouts]

    def _judged_passes(self, round_: Round) -> list[Evaluation]:
        """What is known of the best sets of cards when time is up; the first stage is played in any case."""
        end = time.monotonic() + (self.limits.seconds or 0.0)
        known: tuple[Evaluation, ...] = ()
        for stage in passes(round_, self.seat):
            known = stage
            if time.monotonic() >= end:
                break
        return list(known[:_PASSES])

    def _shown(self, move: str) -> str:
        return " ".join(map(self.screen.pen.card, move.split("-")))

    def advise(self, state: Moment) -> None:
        """The points to expect after each card, or after the best cards to pass on."""
        judged = self._judged(state)
        if not judged:
            self.screen.say("no time to play anything out")
            return
        self.screen.say("Points to expect in this round, by playouts over deals that agree with what you have seen:")
        items = [f"{self._shown(one.move)}  {one.mean:5.2f} +- {one.stderr:.2f}" for one in judged]
        self.screen.row("", items, "    ", 2)

    def hint(self, state: Moment) -> str:
        """What playouts like best."""
        judged = self._judged(state)
        return self._shown(judged[0].move if judged else state.round.ask("duck"))
