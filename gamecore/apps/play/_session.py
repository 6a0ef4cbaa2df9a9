"""A session at the terminal: moves and commands of one person against the computer, in any game."""

import os
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from gamecore.apps.play._screen import Left, Screen
from gamecore.cli.common import MAX_INPUT_BYTES
from gamecore.errors import GamecoreError, IllegalMoveError, OptionError
from gamecore.files import file_errors, write_whole
from gamecore.game import Choice, Game, Player
from gamecore.limits import Limits
from gamecore.text import SEPARATOR, printable

_MANY_MOVES: Final = 100  # maximum number of completions
_TRIES: Final = 100  # invalid answers in a row before the session ends
_SHORTEST: Final = 3  # minimum length of an abbreviated command: two letters may be a card (SA)
_LETTERS: Final = {"?": "advice", "h": "help", "u": "undo", "q": "quit", "exit": "quit"}
_COMMANDS: Final = {
    "advice": "?: what each move is worth",
    "hint": "one good move",
    "rules": "the rules of the game",
    "undo": "u, undo N: back to your last decision, or the Nth last",
    "flip": "change sides",
    "show": "the table once more",
    "save": "save, save FILE: the position as one line of text",
    "load": "load FILE, load TEXT: go on from such a line",
    "new": "another game",
    "help": "h: this",
    "quit": "q, Ctrl-D: leave",
}


_VERBS: Final = {"does": "do", "has": "have", "is": "are", "may": "may", "must": "must", "cannot": "cannot"}


class State(NamedTuple):
    """The state of a game.

    Attributes:
        position: the position; in games of several rounds, the round being played.
        number: number of the round, from 0.
        totals: each side's points before it.
    """

    position: Any
    number: int = 0
    totals: tuple[int, ...] = ()


class Session:
    """A session of one person: one or more games.

    Args:
        game: the game.
        screen: the terminal.
        new: returns the start position of the next game, given its number from 0.
        me: the person's side.
        players: who plays each other side.
        limits: limits of each move of the computer, and of advice.
        rng: a NumPy generator for the computer's moves.
        start: a position to begin at; None: a new game.
    """

    def __init__(
        self, game: Game, screen: Screen, new: Any, me: Any, players: Mapping[Any, Player], limits: Limits, rng: Any,
        start: Any = None,
    ) -> None:  # fmt: skip
        self.game, self.screen, self.me, self.players = game, screen, me, players
        self._new_position, self.limits, self.rng = new, limits, rng
        self._games = 0
        self._state = self._first() if start is None else State(start)
        self._decisions: list[State] = []  # states at the person's moves
        self._nonsense = 0
        self._shown = False

    def run(self) -> None:
        """Play; on exit, print the last position as one line unless it shows hidden hands.

        Raises:
            GamecoreError: the input is not text, or has too many invalid answers in a row.
            KeyboardInterrupt: Ctrl-C.
        """
        try:
            typing = self.game.typing
            self.screen.say(f"{typing} ? tells what each move is worth, h lists the commands, q leaves.")
            titles = dict.fromkeys(player.title for player in self.players.values())
            self.screen.say(f"Against you: {'; '.join(titles)}.")
            while self._turn():
                pass
        except (Left, KeyboardInterrupt) as left:
            self.screen.draw("")
            if self.game.seats and not self._is_over():
                self.screen.say("The hands stay hidden; save, typed before, shows the position with all of them.")
            elif not self._is_over():
                self.screen.say("The position, for load or the command line:")
                self.screen.draw(self._state.position.to_text())
            if isinstance(left, KeyboardInterrupt):
                raise

    def _first(self) -> State:
        self._games += 1
        return State(self._new_position(self._games - 1))

    # --- turns -------------------------------------------------------------------------------------------------------

    def _totals(self) -> tuple[int, ...]:
        """Return each side's points, the current round included."""
        now = self.game.scores(self._state.position)
        before = self._state.totals or (0,) * len(now)
        return tuple(a + b for a, b in zip(before, now, strict=True))

    def _next_round(self) -> Any | None:
        return self.game.following(self._state.position, self._state.number, self._totals())

    def _is_over(self) -> bool:
        return bool(self._state.position.is_over) and self._next_round() is None

    def _turn(self) -> bool:
        """Ask the person once, or let the computer move; False at the end."""
        position = self._state.position
        if self._is_over():
            return self._end()
        if position.is_over:
            self._go(State(self._next_round(), self._state.number + 1, self._totals()))
        elif position.to_move == self.me:
            if not self._shown:
                self.screen.say()
                self._show("")
                self._shown = True
            legal = position.legal_moves()
            words = [*(legal if len(legal) <= _MANY_MOVES else ()), *_COMMANDS]
            self._answer(self.screen.ask(self.game.prompt(position), words))
        else:
            self._play(self._choice(self.players[position.to_move]).move)
        return True

    def _end(self) -> bool:
        """Show the result once; at a terminal, ask for another game."""
        if not self._shown:
            self._show("")
            result = self.game.words.turn(self._state.position, self.me)
            totals = self._totals()
            if totals:
                best = [self._called(side) for side, total in zip(self.game.sides, totals, strict=True)
                        if total == min(totals)]  # fmt: skip
                result = f"won by {' and '.join(best)}"
            self.screen.say(f"The game is over: {result}.")
            self._shown = True
        if not self.screen.is_terminal:
            return False
        self._answer(self.screen.ask("new game (n), undo (u) or quit (q)? ", list(_COMMANDS)))
        return True

    def _called(self, side: Any) -> str:
        return self.game.words.name(type(self.me)(side), self.me)

    def _go(self, state: State) -> None:
        self._state, self._shown = state, False

    def _play(self, move: str) -> None:
        """Make a move and print the news.

        Raises:
            IllegalMoveError: the move is not legal.
        """
        before = self._state.position
        after = before.play(move)
        self._go(self._state._replace(position=after))
        for line in self.game.news(before, move, after, self.screen.pen, self.me):
            self.screen.draw(line)
        totals = self._totals()
        if after.is_over and totals:
            texts = [f"{self._called(side)} {total}" for side, total in zip(self.game.sides, totals, strict=True)]
            self.screen.row(f"round {self._state.number + 1}, score:", self.game.around(texts, self.me), ", ")

    def _choice(self, player: Player) -> Choice:
        """Return a player's move; a forced move costs no time."""
        legal = self._state.position.legal_moves()
        if len(legal) == 1:
            return Choice(str(legal[0]), True)
        return player.choose(self._state.position, self.limits, self.rng)

    # --- what is typed -----------------------------------------------------------------------------------------------

    def _answer(self, typed: str) -> None:
        """Execute a typed line; print its error, if any."""
        try:
            self._obey(typed)
            self._nonsense = 0
        except GamecoreError as error:
            self._nonsense += 1
            if self._nonsense == _TRIES:
                raise GamecoreError(f"{_TRIES} answers in a row that the rules forbid") from None
            self.screen.say(self._to_person(str(error)))

    def _obey(self, typed: str) -> None:
        word, _, rest = typed.partition(" ")
        command = "new" if word.lower() == "n" and self._is_over() else _command(word)
        if command == "quit" and word == "q":
            self._check_queen()
        if command is not None:
            getattr(self, f"_{command}")(rest.strip())
        elif self._is_over():
            raise IllegalMoveError("The game is over: new, undo, flip, load, save or quit.")
        else:
            state = self._state
            self._play(self.game.typed(state.position, typed))
            self._decisions.append(state)

    def _check_queen(self) -> None:
        """In card games ``q`` may be a queen: ask."""
        if not self._is_over() and any(move[1:] == "Q" for move in self._state.position.legal_moves()):
            raise IllegalMoveError("q may be the queen or quit: type Q for the queen, quit to leave")

    # --- commands ----------------------------------------------------------------------------------------------------

    def _to_person(self, text: str) -> str:
        """Return a text whose subject is the person's side with the subject "You"."""
        subject, _, rest = text.removeprefix("seat ").partition(" ")
        verb, _, rest = rest.partition(" ")
        return f"You {_VERBS[verb]} {rest}" if subject == str(self.me) and verb in _VERBS else text

    def _quit(self, _: str) -> None:
        raise Left

    def _help(self, _: str) -> None:
        self.screen.say(self.game.typing)
        for command, text in _COMMANDS.items():
            self.screen.row(f"  {command:<7}", text.split(), indent=10)

    def _rules(self, _: str) -> None:
        for line in self.game.rules.splitlines():
            self.screen.say(line)

    def _advice(self, _: str) -> None:
        self._check_turn()
        pen = self.screen.pen
        heading, moves = self.game.advice(self._state.position, self.limits, self.me)
        self.screen.say(heading)
        longest = max((len(value) for _, value, _, _ in moves), default=0)
        items = [
            f"{self.game.shown(move, pen)} {pen.value(value, low, high)}{' ' * (longest - len(value))}"
            for move, value, low, high in moves
        ]
        self.screen.row("", items, "  ", 2)
        if any(".." in value for _, value, _, _ in moves):
            self.screen.say("LOW..HIGH are proven bounds: time was up.")

    def _hint(self, _: str) -> None:
        self._check_turn()
        best = self.game.hint(self._state.position, self.limits, self.me)
        self.screen.draw(f"hint: {self.game.shown(best.move, self.screen.pen)}{'' if best.proven else ' (not proven)'}")

    def _check_turn(self) -> None:
        if self._is_over():
            raise IllegalMoveError("The game is over.")

    def _undo(self, count: str) -> None:
        steps = int(count) if count.isascii() and count.isdigit() and len(count) < 5 else 0 if count else 1
        if not 1 <= steps <= len(self._decisions):
            known = f"a number from 1 to {len(self._decisions)}" if self._decisions else "nothing to take back yet"
            raise OptionError(f"undo: {known}")
        state = self._decisions[-steps]
        del self._decisions[-steps:]
        self._go(state)

    def _flip(self, _: str) -> None:
        position, before = self._state.position, self.me
        self.me = self.game.other_side(position, before)
        everyone = {**self.players, before: next(iter(self.players.values()))}
        self.players = {side: player for side, player in everyone.items() if side != self.me}
        self.screen.say(f"You play {self.game.words.name(self.me)} now.")
        self._shown = False

    def _show(self, _: str) -> None:
        position = self._state.position
        shown = self.game.show(position, self.screen.pen, self.me).splitlines()
        self.screen.draw("\n".join(map(self._to_person, shown) if position.to_move == self.me else shown))
        self._shown = True

    def _new(self, _: str) -> None:
        self._go(self._first())
        self._decisions.clear()

    def _save(self, path: str) -> None:
        text = self._state.position.to_text()
        if not path:
            self.screen.draw(text)
            return
        if os.path.exists(path):
            try:
                loaded(self.game, path)  # overwrite saved games only
            except GamecoreError:
                raise OptionError(f"{printable(path, 80)} exists and is no saved game: not touched") from None
        with file_errors("write", path, OptionError):
            write_whole(path, [f"{text}\n".encode("ascii")])
        self.screen.say(f"saved in {printable(path, 80)}")

    def _load(self, given: str) -> None:
        if not given:
            raise OptionError("load: a file, or a position's notation")
        self._go(State(loaded(self.game, given)))
        self._decisions.clear()


def loaded(game: Game, given: str) -> Any:
    """Return the position of a notation, or of a file that contains only a notation.

    Raises:
        GamecoreError: neither, or a file that cannot be read.
    """
    if SEPARATOR in given and not os.path.isfile(given):
        return game.Position.from_text(given)
    with file_errors("read", given), open(given, encoding="utf-8-sig") as file:
        return game.Position.from_text(file.read(MAX_INPUT_BYTES))


def _command(word: str) -> str | None:
    """Return the command for a word: its one-letter name, or at least three letters of its name."""
    known = _LETTERS.get(word if len(word) == 1 else word.lower())
    if known is None and len(word) >= _SHORTEST:
        known = next((command for command in _COMMANDS if command.startswith(word.lower())), None)
    return known
