"""Tic-tac-toe in plain Python: ``gamecore --game examples/kit/tictactoe.py play tictactoe``."""

from gamecore import kit

LINES = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124]


class TicTacToe:
    """Players take turns and mark an empty square of a 3x3 board.
    The first player with three in a row wins; a full board without is a draw.
    """

    NAME = "Tic-tac-toe"
    SQUARES = 3, 3  # rows and columns of a board on the page

    def start(self):
        return 0, 0  # squares of the side to move, and of the other; bit 0 is a1

    def moves(self, state):
        return [square for square in range(9) if not (state[0] | state[1]) >> square & 1]

    def play(self, state, square):
        mine, theirs = state
        return theirs, mine | 1 << square

    def result(self, state):
        mine, theirs = state
        if any(theirs & line == line for line in LINES):
            return kit.LOSS
        return kit.DRAW if mine | theirs == 0o777 else None

    def valid(self, state):  # the text of a position may say anything
        mine, theirs = state
        return 0 <= mine | theirs <= 0o777 and not mine & theirs

    def write(self, state, move):
        return "abc"[move % 3] + "123"[move // 3]

    def squares(self, state, move):
        return [move]  # the squares that it touches: 0 is the lower left one

    def draw(self, state, mover):
        marks = ["XO"[mover] if state[0] >> k & 1 else "OX"[mover] if state[1] >> k & 1 else "." for k in range(9)]
        return "\n".join(f"{r + 1} {' '.join(marks[3 * r : 3 * r + 3])}" for r in (2, 1, 0)) + "\n  a b c"


GAME = kit.make(TicTacToe)
