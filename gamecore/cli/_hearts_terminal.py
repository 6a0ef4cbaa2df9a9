"""Hearts in the terminal: a person against three built-in players (``gamecore hearts play``)."""

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from gamecore.errors import CardError, GamecoreError, IllegalMoveError, OptionError
from gamecore.hearts._evaluate import evaluate_moves
from gamecore.hearts._players import BuiltIn, Player, player
from gamecore.hearts._position import Round
from gamecore.hearts._rules import Rules, check_rules
from gamecore.hearts._view import View
from gamecore.rng import seed_of

if TYPE_CHECKING:
    from gamecore.rng import Rng

_LONGEST = 1000
_TRIES = 100


class _Quit(Exception):
    """The person has had enough."""


_HELP = """\
Type a card (C2 or 2C; SQ is the queen of spades), ? for what playouts think of each, h for this, q to leave.
When passing, type three cards."""


class _Person(Player):
    """Asks at the terminal; ``show`` writes a card as the terminal can."""

    def __init__(self, show: Callable[[str], str]) -> None:
        self.show = show

    def pass_cards(self, view: View) -> list[str]:
        """Three cards in one line."""
        print(f"\nyour hand   {self._hand(view.hand)}")
        return _ask(f"pass three cards {view.passing}: ").upper().replace(",", " ").split()

    def choose(self, view: View) -> str:
        """One card; ``?`` shows what playouts say."""
        on_table = "  ".join(f"{_name(seat)} {self.show(card)}" for seat, card in view.trick) or "you lead"
        print(f"\non the table  {on_table}\nyour hand     {self._hand(view.hand)}")
        print(f"legal         {' '.join(map(self.show, view.legal_moves()))}")
        while True:
            answer = _ask("your card: ").upper()
            if answer != "?":
                return answer
            print("points you can expect (a thousand deals that agree with what you have seen):")
            for one in evaluate_moves(view, playouts=1000, rng=0):
                print(f"  {one}")

    def _hand(self, cards: tuple[str, ...]) -> str:
        suits = [" ".join(self.show(card) for card in cards if card[0] == suit) for suit in "CDSH"]
        return "   ".join(suit for suit in suits if suit)


def _ask(prompt: str) -> str:
    while True:
        answer = _line(prompt).strip()
        if answer.lower() in {"q", "quit"}:
            raise _Quit
        if answer.lower() in {"h", "help"}:
            print(_HELP)
        elif answer:
            return answer


def _line(prompt: str) -> str:
    """One line of input; from a file or a pipe no longer one than a person would type."""
    try:
        if sys.stdin is not None and sys.stdin.isatty():
            return input(prompt)
        print(prompt, end="", flush=True)
        line = "" if sys.stdin is None else sys.stdin.readline(_LONGEST + 1)
    except EOFError:
        raise _Quit from None
    except UnicodeDecodeError:
        raise GamecoreError("the input is not text") from None
    if not line:
        raise _Quit
    if len(line) > _LONGEST:
        raise GamecoreError(f"a line of more than {_LONGEST} characters")
    return line


def _name(seat: int) -> str:
    return ("you", "left", "across", "right")[seat]


def play(
    players: Sequence[str], rng: "Rng" = None, rules: Rules | None = None, show: Callable[[str], str] = str
) -> None:
    """A match at the terminal: a person in seat 0 against three built-in players, from its left.

    Reads stdin and writes stdout; ``q`` or the end of input leaves the table.

    Args:
        players: the three others. rng, rules: as for ``hearts.match``.
        show: writes a card as the terminal can, with symbols and colours.

    Raises:
        OptionError: not three players, or an unknown one.
    """
    if len(players) != 3:
        raise OptionError(f"play takes 3 other players, not {len(players)}")
    rules = check_rules(rules)
    others = [player(name) for name in players]
    person = _Person(show)
    seed = seed_of(rng)
    totals = [0, 0, 0, 0]
    number = 0
    print(_HELP)
    try:
        while max(totals) < rules.match_points:
            points = _play_round(person, others, rules, seed, number)
            totals = [total + got for total, got in zip(totals, points, strict=True)]
            number += 1
            print(f"\nround {number}: " + ", ".join(f"{_name(seat)} +{points[seat]}" for seat in range(4)))
            print("score:   " + ", ".join(f"{_name(seat)} {totals[seat]}" for seat in range(4)))
    except _Quit:
        print("\nleft the table; score: " + ", ".join(f"{_name(seat)} {totals[seat]}" for seat in range(4)))
        return
    best = [_name(seat) for seat in range(4) if totals[seat] == min(totals)]
    print(f"won by {' and '.join(best)}")


def _play_round(person: _Person, others: list[BuiltIn], rules: Rules, seed: int, number: int) -> tuple[int, ...]:
    passing = rules.cycle[number % len(rules.cycle)] if rules.pass_cards else "hold"
    round_ = Round.deal(seed, rules, passing, None, number)
    if round_.passing_seats:
        for seat, other in enumerate(others, 1):
            round_ = round_.pass_cards(seat, round_.ask_pass(seat, other))
        dealt = round_
        round_ = _retry(lambda: dealt.pass_cards(0, person.pass_cards(dealt.view(0))))
        print(f"you got {' '.join(round_.view(0).received)}")
    while not round_.is_over:
        if round_.to_move == 0:
            round_ = _play_typed(person, round_)
        else:
            round_ = round_.play(round_.ask(others[round_.to_move - 1]))
        if round_.tricks and not round_.trick:
            trick = round_.tricks[-1]
            cards = "  ".join(f"{_name((trick.leader + i) & 3)} {person.show(c)}" for i, c in enumerate(trick.cards))
            print(f"trick {len(round_.tricks):>2}      {cards}  -> {_name(trick.winner)}")
    return round_.points


def _play_typed(person: _Person, round_: Round) -> Round:
    return _retry(lambda: round_.play(person.choose(round_.view(0))))


def _retry(action: Callable[[], Round]) -> Round:
    """The next round, when the person has typed something that the rules allow; a stream of nonsense is no person."""
    for _ in range(_TRIES):
        try:
            return action()
        except (CardError, IllegalMoveError) as error:
            print(f"  {error}")
    raise GamecoreError(f"{_TRIES} answers in a row that the rules forbid")
