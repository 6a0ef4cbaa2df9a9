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
    """Play random moves from the start; return ``count`` pairs of moves and the state, where none wins at once."""
    found, seed, rules = [], 0, game.rules_of
    while len(found) < count:
        rng, state, moves = random.Random(1000 * plies + seed), rules.start(), []
        while len(moves) < plies and rules.result(state) is None:
            moves.append(rng.choice(list(rules.moves(state))))
            state = rules.play(state, moves[-1])
        if rules.result(state) is None and all(
            rules.result(rules.play(state, m)) != kit.LOSS for m in rules.moves(state)
        ):
            found.append((moves, state))
        seed += 1
    return found


def bitbully_task(task, four, discs, count=50):
    """Return a task of connect four on its full board, against a solver made for it alone: one table for all."""
    from bitbully import BitBully, Board

    lines = random_lines(four, count, discs)
    boards = [Board(moves) for moves, _ in lines]
    solver, searchers = BitBully(opening_book=None), []

    def stones_left(value):
        """Return a value in bitbully's terms: one more than the discs that the winner has left at the end."""
        left = (44 - discs - (kit.WIN - abs(value))) // 2
        return left if value > 0 else -left if value < 0 else 0

    return task(
        f"kit: connect four 7x6, {count} positions after {discs} random discs, seeds from {1000 * discs}",
        "bitbully, a solver of this game alone in C++, without its opening book",
        lambda: [solver.mtdf(board) for board in boards],
        lambda: [stones_left(searchers[-1].search(state, -1.0, 0)[0]) for _, state in lines],
        (count, count),
        before=(
            solver.reset_transposition_table,
            lambda: searchers.append(searcher_of(four.rules_of, 512 << 20)) or searchers.__delitem__(slice(-1)),
        ),
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

    made = []

    def easy():
        search, game = made.pop()
        search(game)
        return search.alpha

    yield task(
        "kit: connect four 4x4, value of the start",
        "easyAI, Negamax and its TranspositionTable",
        easy,
        lambda: four.solve(four.start(), line=False).value,
        before=(lambda: made.append((Negamax(16, tt=TranspositionTable()), connect_four(4, 4))), int),
    )
    full = built("connect4", W=7, H=6)
    yield from (bitbully_task(task, full, discs) for discs in (24, 20, 16, 12))
