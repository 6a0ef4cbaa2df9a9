"""A session at the terminal: moves and commands of one person, back to any decision."""

import os
from typing import Final, Generic, TypeVar

from gamecore.cli._play_screen import Left, Screen
from gamecore.cli._play_table import Table
from gamecore.cli.common import MAX_INPUT_BYTES
from gamecore.errors import GamecoreError, IllegalMoveError, OptionError
from gamecore.files import file_errors, write_whole
from gamecore.text import SEPARATOR, printable

S = TypeVar("S")

_TRIES: Final = 100  # answers in a row that mean nothing: that is no person
_SHORTEST: Final = 3  # letters by which a command is known: two may be a card (SA)
_LETTERS: Final = {"?": "advice", "h": "help", "u": "undo", "q": "quit", "exit": "quit"}
_COMMANDS: Final = {
    "advice": "?: what each move is worth",
    "hint": "one good move",
    "undo": "u, undo N: back to your last decision, or the Nth last",
    "flip": "change sides",
    "show": "the table once more",
    "save": "save, save FILE: the position as one line of text",
    "load": "load FILE, load TEXT: go on from such a line",
    "new": "another game",
    "help": "h: this",
    "quit": "q, Ctrl-D: leave",
}


class Session(Generic[S]):
    """One person at a table, until the game is over and no other is wanted, or the person leaves.

    Args:
        table: the game.
        screen: the terminal.
        start: a moment to begin at; None: a new game.
    """

    def __init__(self, table: Table[S], screen: Screen, start: S | None = None) -> None:
        self.table, self.screen = table, screen
        self._state = table.first() if start is None else start
        self._decisions: list[S] = []  # at which the person was asked, up to now
        self._nonsense = 0
        self._shown = False  # whether the table is on the screen as it is

    def run(self) -> None:
        """Play; afterwards, and whatever ends it, the last position stands on the screen as one line.

        Raises:
            GamecoreError: the input is no text, or a stream of nonsense.
            KeyboardInterrupt: Ctrl-C.
        """
        try:
            self.screen.say(f"{self.table.how} ? tells what each move is worth, h lists the commands, q leaves.")
            while self._turn():
                pass
        except (Left, KeyboardInterrupt) as left:
            self.screen.draw("")
            if not self.table.is_over(self._state):
                self.screen.say("The position, for load or the command line:")
                self.screen.draw(self.table.notation(self._state))
            if isinstance(left, KeyboardInterrupt):
                raise

    def _turn(self) -> bool:
        """Ask the person once, or let the computer move; False at the end."""
        table, state = self.table, self._state
        if table.is_over(state):
            if not self._shown:
                table.show(state)
                table.result(state)
                self._shown = True
            if not self.screen.is_terminal:
                return False
            self._answer(self.screen.ask("new game, undo or quit? ", list(_COMMANDS)))
        elif table.is_mine(state):
            if not self._shown:
                self.screen.say()
                table.show(state)
                self._shown = True
            words = [*table.moves(state), *_COMMANDS]
            self._answer(self.screen.ask(table.prompt(state), words))
        else:
            self._go(table.answer(state))
        return True

    def _go(self, state: S) -> None:
        self._state, self._shown = state, False

    def _answer(self, typed: str) -> None:
        """Do what was typed; what it lacks is said."""
        try:
            self._obey(typed)
            self._nonsense = 0
        except GamecoreError as error:
            self._nonsense += 1
            if self._nonsense == _TRIES:
                raise GamecoreError(f"{_TRIES} answers in a row that the rules forbid") from None
            self.screen.say(f"{error}")

    def _obey(self, typed: str) -> None:
        word, _, rest = typed.partition(" ")
        command = _command(word)
        if command == "quit" and word == "q":
            self._check_queen()
        if command is not None:
            getattr(self, f"_{command}")(rest.strip())
        elif self.table.is_over(self._state):
            raise IllegalMoveError("The game is over: new, undo, flip, load, save or quit.")
        else:
            after = self.table.play(self._state, typed)
            self._decisions.append(self._state)
            self._go(after)

    def _check_queen(self) -> None:
        """In card games ``q`` may be a queen: neither is done then."""
        if not self.table.is_over(self._state) and "Q" in self.table.ranks(self._state):
            raise IllegalMoveError("q may be the queen or quit: type Q for the queen, quit to leave")

    # --- commands ----------------------------------------------------------------------------------------------------

    def _quit(self, _: str) -> None:
        raise Left

    def _help(self, _: str) -> None:
        self.screen.say(self.table.how)
        for command, text in _COMMANDS.items():
            self.screen.row(f"  {command:<7}", text.split(), indent=10)

    def _advice(self, _: str) -> None:
        self._check_turn()
        self.table.advise(self._state)

    def _hint(self, _: str) -> None:
        self._check_turn()
        self.screen.draw(f"hint: {self.table.hint(self._state)}")

    def _check_turn(self) -> None:
        if self.table.is_over(self._state):
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
        self.table.flip(self._state)
        self._shown = False

    def _show(self, _: str) -> None:
        self._shown = False

    def _new(self, _: str) -> None:
        self._go(self.table.first())
        self._decisions.clear()

    def _save(self, path: str) -> None:
        text = self.table.notation(self._state)
        if not path:
            self.screen.draw(text)
            return
        if os.path.exists(path):
            try:
                self.loaded(path)  # nothing else is overwritten
            except GamecoreError:
                raise OptionError(f"{printable(path, 80)} exists and is no saved game: not touched") from None
        with file_errors("write", path, OptionError):
            write_whole(path, [f"{text}\n".encode("ascii")])
        self.screen.say(f"saved in {printable(path, 80)}")

    def _load(self, given: str) -> None:
        if not given:
            raise OptionError("load: a file, or a position's notation")
        self._go(self.loaded(given))
        self._decisions.clear()

    def loaded(self, given: str) -> S:
        """The moment of a notation, or of a file that has one.

        Raises:
            GamecoreError: neither, or a file that cannot be read.
        """
        return loaded(self.table, given)


def loaded(table: Table[S], given: str) -> S:
    """The moment that a notation says, or a file that holds one and nothing else.

    Raises:
        GamecoreError: neither, or a file that cannot be read.
    """
    if SEPARATOR in given and not os.path.isfile(given):
        return table.loaded(given)
    with file_errors("read", given), open(given, encoding="ascii") as file:
        text = file.read(MAX_INPUT_BYTES)
    return table.loaded(text)


def _command(word: str) -> str | None:
    """The command that a word means: a letter of its own, or three letters and more of its name."""
    known = _LETTERS.get(word if len(word) == 1 else word.lower())
    if known is None and len(word) >= _SHORTEST:
        known = next((command for command in _COMMANDS if command.startswith(word.lower())), None)
    return known
