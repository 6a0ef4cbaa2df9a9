"""A player of Hearts that asks a program, line by line.

    python examples/engine_player.py COMMAND ...      compare the program with duck, against three greedy

The program reads these lines, the whole round before each question. It flushes each answer and writes nothing else.

    round seat S passing P seed N hand CARD ...       its seat, the direction, a seed, the 13 cards that it was dealt
    passed CARD CARD CARD received CARD CARD CARD     before the first trick, if cards are passed
    played S CARD                                     a seat has played a card; also its own cards
    pass                                              it answers: pass CARD CARD CARD
    go CARD ...                                       its legal cards; it answers: card CARD
"""

import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, cast

from gamecore import hearts


class EnginePlayer(hearts.Player):
    """A program as a player; it gets what its seat may see. Each copy has its own process, which :meth:`close` ends."""

    def __init__(self, command: list[str], seconds: float = 10.0) -> None:
        self.command, self.seconds, self.seed, self.process = command, seconds, 0, cast("Any", None)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.command, self.seconds)

    @property
    def name(self) -> str:
        """The program's file name."""
        return Path(next((word for word in self.command if word.endswith((".py", ".mjs"))), self.command[0])).stem

    def begin_round(self, view: hearts.View, seed: int, totals: tuple[int, ...]) -> None:
        self.seed = seed

    def pass_cards(self, view: hearts.View) -> tuple[str, ...]:
        return tuple(self.ask(view, "pass").split()[1:])

    def choose(self, view: hearts.View) -> str:
        return self.ask(view, f"go {' '.join(view.legal_moves())}").removeprefix("card ")

    def ask(self, view: hearts.View, question: str) -> str:
        """Write the round so far, and a question; return the answer."""
        if not self.process:
            self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        timer = threading.Timer(self.seconds, self.process.kill)
        timer.start()
        print(*transcript(view, self.seed), question, sep="\n", file=self.process.stdin, flush=True)
        answer = str(self.process.stdout.readline()).strip()
        timer.cancel()
        if not answer:
            self.close()
            raise TimeoutError(f"it ended, or had no answer to {question!r} within {self.seconds:g} seconds")
        return answer

    def close(self) -> None:
        if self.process:
            self.process.kill()
            self.process.wait()
        self.process = None


def transcript(view: hearts.View, seed: int) -> list[str]:
    """Return the lines of a round so far."""
    plays = [((trick.leader + k) % 4, card) for trick in view.tricks for k, card in enumerate(trick.cards)]
    plays += view.trick
    mine = {*view.hand, *(card for seat, card in plays if seat == view.seat)}
    dealt = mine.difference(view.received).union(view.passed if view.received else ())
    lines = [f"round seat {view.seat} passing {view.passing} seed {seed} hand {' '.join(sorted(dealt))}"]
    if view.received:
        lines.append(f"passed {' '.join(view.passed)} received {' '.join(view.received)}")
    return lines + [f"played {seat} {card}" for seat, card in plays]


if __name__ == "__main__":
    print(hearts.compare([EnginePlayer(sys.argv[1:]), "duck"], field="greedy", rounds=100, rng=7))
