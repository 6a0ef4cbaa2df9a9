"""A session at the terminal: one person against the computer, in any game."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final, Generic

from gamecore.cli.common import position_of, say
from gamecore.contract import P, Playable
from gamecore.errors import GamecoreError, IllegalMoveError, OptionError
from gamecore.files import file_errors, write_whole
from gamecore.game import Game, Player
from gamecore.limits import Limits
from gamecore.text import printable

if TYPE_CHECKING:
    from gamecore.rng import Rng

HELP: Final = """\
Type a move as the game writes it, or its beginning; Enter plays the only one.
? tells what each move is worth; hint: a good move; rules: those of the game;
undo: back to your last decision; flip: change sides; new: another game;
save, save FILE: the position as one line; load TEXT, load FILE: go on from it;
help: this; quit, q, Ctrl-D: leave."""

_LISTED: Final = 20  # legal moves in a message


class Left(Exception):
    """Raised when the person leaves: ``quit``, or the end of the input."""


class Session(Generic[P]):
    """One or more games of the side ``me`` against a player: of one round, with nothing hidden.

    ``new`` returns the start position of a new game; ``limits`` hold for each move of the player and for advice.
    """

    hidden = False  #: True if a position's notation shows more than the person may know

    def __init__(
        self, game: Game, position: P, me: str, new: Callable[[], P], player: Player, limits: Limits, rng: "Rng"
    ) -> None:
        self.game, self.position, self.me = game, position, me
        self.new, self.player, self.limits, self.rng = new, player, limits, rng
        self.rounds: tuple[P, ...] = ()  # the last positions of finished rounds
        self._decisions: list[tuple[P, tuple[P, ...], str]] = []  # the person's moves: position, rounds, move
        self._is_shown = False
        self._saved = set[str]()  # files

    def run(self) -> None:
        """Play until the person leaves; then print the position as one line unless it shows hidden hands."""
        try:
            say(f"Your side: {self.game.words.name(self.me)}. Against you: {self.player.title}.")
            say("Type a move, ? for what each move is worth, help for the commands, or quit.")
            while True:
                self._step()
        except (Left, KeyboardInterrupt) as left:
            say()
            if self.hidden and not self.position.is_over:
                say("The hands stay hidden; save, typed before, shows the position with all of them.")
            elif not self.position.is_over:
                say(f"The position, for load or the command line:\n{self.position.to_text()}")
            if isinstance(left, KeyboardInterrupt):
                raise

    def _step(self) -> None:
        """Ask the person once, or make a move of the computer; after a finished round, begin the next one."""
        if self.position.is_over:
            following = self.next_round()
            if not self._is_shown:
                self._show(f"\nThe {'game' if following is None else 'round'} is over: {self.result()}.")
                for line in () if following else self.summary():
                    say(line)
            if following is None:
                self._answer("new, undo or quit: ")
            else:
                self._go(following, (*self.rounds, self.position))
        elif str(self.position.to_move) == self.me:
            self._show()
            self._answer("your move: ")
        else:
            move = self.player.choose(self.position, self.limits, self.rng).move
            if text := self.announcement(move):
                say(text)
            self._go(self.position.play(move), self.rounds)

    def _show(self, more: str = "") -> None:
        if not self._is_shown:
            say(f"\n{self.picture()}{more}")
        self._is_shown = True

    def _go(self, position: P, rounds: tuple[P, ...] = ()) -> None:
        self.position, self.rounds, self._is_shown = position, rounds, False

    def _answer(self, prompt: str) -> None:
        """Ask, and execute the typed line; print its error, if any."""
        say(prompt, end="")
        try:
            line = "" if sys.stdin is None else sys.stdin.readline()
        except UnicodeDecodeError:
            raise GamecoreError("the input is not text") from None
        if not line:
            raise Left
        word, _, rest = line.strip().partition(" ")
        try:
            match word.lower():
                case "quit" | "q" if not self._fitting(word):
                    raise Left
                case "help":
                    say(HELP)
                case "rules":
                    say(self.game.rules)
                case "undo":
                    if not self._decisions:
                        raise OptionError("undo: nothing to take back yet")
                    self._go(*self._decisions.pop()[:2])
                case "flip":
                    sides = self.game.sides
                    self.me, self._is_shown = sides[(sides.index(self.me) + 1) % len(sides)], False
                    say(f"Your side: {self.game.words.name(self.me)}.")
                case "save":
                    self._save(rest.strip())
                case "load" | "new" as command:
                    self._go(self.new() if command == "new" else position_of(self.game, rest.strip()))
                    self._decisions.clear()
                case _ if self.position.is_over:
                    raise IllegalMoveError("The game is over: new, undo, load, save or quit.")
                case "?":
                    say("\n".join(self.values()))
                case "hint":
                    best = next(iter(self.game.players.values())).choose(self.position, self.limits, self.rng)
                    say(f"hint: {best.move}{'' if best.proven else ' (not proven)'}")
                case _:
                    move = self.move(line.strip())
                    after = self.position.play(move)
                    self._decisions.append((self.position, self.rounds, move))
                    self._go(after, self.rounds)
        except GamecoreError as error:
            say(str(error))

    def _save(self, path: str) -> None:
        text = self.position.to_text()
        if path in ("", "-"):
            say(text)
            return
        if os.path.lexists(path) and os.path.realpath(path) not in self._saved:
            raise OptionError(f"{printable(path, 80)} exists, and was not saved in this session: not touched")
        with file_errors("write", path):
            write_whole(path, [f"{text}\n".encode("ascii")])
        self._saved.add(os.path.realpath(path))
        say(f"saved in {printable(path, 80)}")

    # --- what Hearts does otherwise ----------------------------------------------------------------------------------

    def picture(self) -> str:
        """Return the position as the person sees it."""
        return self.game.picture(self.position).text()

    def move(self, typed: str) -> str:
        """Return the legal move that was typed: whole or its beginning, in small or capital letters."""
        fitting = self._fitting(typed)
        if len(fitting) == 1:
            return fitting[0]
        legal = list(map(str, self.position.legal_moves()))
        moves = " ".join((fitting or legal)[:_LISTED]) + (" ..." if len(fitting or legal) > _LISTED else "")
        what = "begins several moves" if fitting else "is not a legal move; legal"
        raise IllegalMoveError(f"{printable(typed)} {what}: {moves}")

    def _fitting(self, typed: str) -> list[str]:
        """Return the legal moves that begin with a text, or the one that is it."""
        legal, word = map(str, self.position.legal_moves()), typed.lower()
        fitting = [move for move in legal if move.lower().startswith(word)]
        return [move for move in fitting if move.lower() == word] or fitting

    def announcement(self, move: str) -> str:
        """Return what the person is told of another side's move."""
        return f"{self.game.words.name(self.position.to_move, self.me)}: {self.game.words.move(self.position, move)}"

    def values(self) -> Iterator[str]:
        """Yield a line for each legal move that says what it is worth, best first."""
        for entry in self.game.refine(self.position).run(self.limits.seconds or 0.0):
            yield f"{entry.move}: {self.game.words.value(entry, self.position)}"

    def summary(self) -> Iterator[str]:
        """Yield what the person's moves cost, the most costly first; all moves share the time for one move's advice."""
        deadline, mistakes, unknown = time.perf_counter() + (self.limits.seconds or 0.0), [], 0
        for number, (position, _, move) in reversed([*enumerate(self._decisions, start=1)]):  # the last are quick
            if len(position.legal_moves()) < 2:
                continue
            loss, words = _cost(self.game, position, move, (deadline - time.perf_counter()) / number)
            unknown += words is None
            if words:
                mistakes.append((loss, number, f"your move {number}, {move}, {words}"))
        if unknown:
            yield f"{unknown} of your {len(self._decisions)} moves: not known in time whether they cost anything"
        elif self._decisions and not mistakes:
            yield "You made no mistakes."
        yield from (line for _, _, line in sorted(mistakes, key=lambda mistake: (-mistake[0], mistake[1])))

    def next_round(self) -> P | None:
        """Return the first position of the next round; None if the game has ended."""
        return None

    def result(self) -> str:
        """Return how the finished round ended."""
        return self.game.words.turn(self.position, self.me)


def _cost(game: Game, position: Playable, move: str, seconds: float) -> tuple[float, str | None]:
    """Return what a move costs, as a number to compare and in words: none if it is best, None if that is not known."""
    try:
        analysis = game.refine(position).run(max(0.0, seconds))
    except GamecoreError:  # positions without values
        return 0.0, None
    order = {entry.move: game.words.order(entry, position) for entry in analysis}
    best, entry = (max(analysis, key=lambda entry: order[entry.move][0]), next(e for e in analysis if e.move == move))
    loss = order[best.move][0] - order[move][1]
    if loss > 0:
        return loss, f"{game.words.cost(best, entry, position)[1]}; best was {best.move}"
    return 0.0, "" if move in analysis.best_moves else None
