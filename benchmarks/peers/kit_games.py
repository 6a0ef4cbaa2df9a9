"""Games of gamecore.apps.kit beside the same games in OpenSpiel, easyAI and bitbully, for measure.py."""

import random
import shutil
import tempfile
from pathlib import Path

from gamecore import kit
from gamecore.apps.kit._search import searcher_of

EXAMPLES = Path(__file__).parents[2] / "examples" / "kit"


def built(name, **sizes):
    """Return an example's game with other numbers, such as ``W=4``."""
    folder = Path(tempfile.mkdtemp(prefix="kit-"))
    try:
        text = (EXAMPLES / f"{name}.pyx").read_text()
        for constant, number in sizes.items():
            before = next(line for line in text.splitlines() if line.startswith(f"    {constant} = "))
            text = text.replace(before, f"    {constant} = {number}", 1)
        (folder / f"{name}.pyx").write_text(text)
        return kit.load(folder / f"{name}.pyx")
    finally:
        shutil.rmtree(folder)


def every_position(game):
    """Return the value of a kit game's start, and how many positions that are not over were solved."""
    value, _, values = searcher_of(game.rules_of, 64 << 20).solve_all(game.rules_of.start(), -1.0)
    return value, len(values) // 2


def walk(game):
    """Return the same of an OpenSpiel game by a memoised walk."""
    known = {}

    def value(state):
        if state.is_terminal():
            return state.returns()[0]
        key = str(state)
        if key not in known:
            best = max if state.current_player() == 0 else min
            known[key] = best([value(state.child(action)) for action in state.legal_actions()])
        return known[key]

    return value(game.new_initial_state()), len(known)


def connect_four(columns, rows):
    """Return connect four as easyAI's documentation writes games: lists, and its TranspositionTable."""
    from easyAI import TwoPlayerGame

    steps = ((0, 1), (1, 0), (1, 1), (1, -1))

    class ConnectFour(TwoPlayerGame):
        def __init__(self):
            self.players, self.current_player, self.board = [None, None], 1, [[] for _ in range(columns)]

        def possible_moves(self):
            return [column for column in range(columns) if len(self.board[column]) < rows]

        def make_move(self, column):
            self.board[column].append(self.current_player)

        def unmake_move(self, column):
            self.board[column].pop()

        def at(self, column, row):
            return self.board[column][row] if 0 <= column < columns and 0 <= row < len(self.board[column]) else 0

        def lose(self):
            other = self.opponent_index
            return any(
                all(self.at(column + k * across, row + k * up) == other for k in range(4))
                for column in range(columns)
                for row in range(len(self.board[column]))
                for across, up in steps
            )

        def is_over(self):
            return not self.possible_moves() or self.lose()

        def scoring(self):
            return -100 if self.lose() else 0

        def ttentry(self):
            return self.current_player, tuple(map(tuple, self.board))

    return ConnectFour()


def random_lines(game, count, plies):
    """Play random moves from the start; return ``count`` pairs of the moves and the position, where no game is over."""
    found, seed = [], 0
    while len(found) < count:
        rng, position, moves = random.Random(seed), game.start(), []
        while len(moves) < plies and position.legal_moves():
            moves.append(rng.choice(position.legal_moves()))
            position = position.play(moves[-1])
        if len(moves) == plies and not position.is_over:
            found.append((moves, position))
        seed += 1
    return found


def bitbully_task(task, discs=16):
    """Return a task of connect four on its full board, against a solver made for it alone."""
    from bitbully import BitBully, Board

    four = built("connect4", W=7, H=6)
    lines = random_lines(four, 10, discs)
    boards = [Board(["abcdefg".index(move) for move in moves]) for moves, _ in lines]
    solver = BitBully(opening_book=None)

    def theirs():
        solver.reset_transposition_table()
        return [solver.mtdf(board) for board in boards]

    def stones_left(value):
        """Return a value in bitbully's terms: one more than the discs that the winner has left at the end."""
        left = (44 - discs - (kit.WIN - abs(value))) // 2
        return left if value > 0 else -left if value else 0

    return task(
        f"kit: connect four 7x6, 10 positions after {discs} random discs, seeds from 0",
        "bitbully, a solver of this game alone in C++, without its opening book",
        theirs,
        lambda: [stones_left(four.solve(position, line=False).value) for _, position in lines],
        (10, 10),
    )


def tasks(task):
    """Yield tasks; ``task``: the class of measure.py."""
    import pyspiel
    from easyAI import Negamax, TranspositionTable
    from open_spiel.python.games import tic_tac_toe  # noqa: F401 - importing it registers python_tic_tac_toe

    tictactoe, four = built("tictactoe"), built("connect4", W=4, H=4)
    for ours, name, theirs, peer in (
        (tictactoe, "tic-tac-toe", "python_tic_tac_toe", "OpenSpiel, a game in Python, memoised walk"),
        (four, "connect four 4x4", "connect_four(rows=4,columns=4)", "OpenSpiel, a game in C++, walked from Python"),
    ):
        game = pyspiel.load_game(theirs)
        yield task(
            f"kit: {name}, value of every position",
            peer,
            lambda game=game: walk(game),
            lambda ours=ours: every_position(ours),
        )

    def easy():
        search, game = Negamax(16, tt=TranspositionTable()), connect_four(4, 4)
        search(game)
        return search.alpha

    yield task(
        "kit: connect four 4x4, value of the start",
        "easyAI, Negamax and its TranspositionTable",
        easy,
        lambda: four.solve(four.start(), line=False).value,
    )
    yield bitbully_task(task)
