"""Values that others have published, of examples and of games that stand here and in the folder ``published``."""

import pytest

from gamecore import kit
from gamecore.apps.kit._search import searcher_of

nightly = pytest.mark.nightly

PUBLISHED = [
    # Othello on 4 x 4: White wins. Wikipedia, "Computer Othello".
    ("othello", {}, "A loses"),
    # Hex: whoever begins wins (Nash's argument). Gardner, Scientific American, July 1957.
    ("hex", {}, "A wins"),
    # Sim: whoever does not begin wins. Mead, Rosa, Huang, Mathematics Magazine 47 (1974).
    ("sim", {}, "A loses"),
    # NoGo: Martin Müller, "Solving NoGo on small board sizes", webdocs.cs.ualberta.ca/~mmueller/nogo/solving.html
    ("nogo", {"N": 3}, "A wins"),
    ("nogo", {}, "A loses"),
    # Breakthrough on 5 x 5: "Tasmanian Devil", littlegolem.net, "5x5 solved" (2006).
    ("breakthrough", {}, "A loses in 26 plies"),
    ("connect4", {"W": 5, "H": 5}, "A draws"),  # Tromp's table
    ("tictactoe", {}, "A draws"),
    ("nim", {}, "A wins in 15 plies"),
    ("hexapawn", {}, "A wins in 11 plies"),
    ("hexapawn", {"R": 5, "C": 5}, "A wins in 19 plies"),
    # Quixo on 4 x 4: the first player wins. Tanaka and others, "Quixo is solved".
    ("quixo", {"N": 3}, "A wins in 7 plies"),
    ("quixo", {}, "A wins in 21 plies"),
    # Dodgem does not end on 4 x 4. David des Jardins, 1996: Wikipedia, "Dodgem".
    ("dodgem", {"N": 4}, "A draws"),
]


@pytest.mark.parametrize(
    ("name", "sizes", "words"),
    [pytest.param(*row, marks=() if row[:2] == ("hexapawn", {}) else nightly) for row in PUBLISHED],
)
def test_published_values(built, name, sizes, words):
    """By day of a game that other tests compile, too: that takes longer than to solve one."""
    solution = built(name, tuple(sizes.items())).solve("start", line=False)
    assert f"{solution} ".startswith(f"{words} ")


@nightly
def test_every_position_of_the_l_game(built, tmp_path):
    """18,368, 2,296 but for turned and mirrored ones; 15 of these are lost; the start is drawn. Wikipedia, "L game"."""
    header = kit.solve_all(built("lgame"), tmp_path / "table")
    assert (header["positions"], header["value"]) == (18_368 - 8 * 15, 0)


class MuTorere:
    """Four men a side on eight points and a centre; whoever cannot move has lost."""

    CYCLES = True

    def start(self):
        return (0, 1, 1, 1, 1, 2, 2, 2, 2, 0)  # whose turn it is, whose man is on each point, and in the centre

    def moves(self, state):
        side, *men = state
        own = [place for place in range(9) if men[place] == side + 1]
        if men[8] == 0:
            return [p for p in own if {men[(p + 1) % 8], men[(p - 1) % 8]} - {side + 1}]
        return [p for p in own if p == 8 or men[(p + 1) % 8] == 0 or men[(p - 1) % 8] == 0]

    def play(self, state, move):
        men = list(state[1:])
        men[men.index(0)], men[move] = men[move], 0
        return (1 - state[0], *men)

    def result(self, state):
        return None if self.moves(state) else kit.LOSS


def test_every_position_of_mu_torere():
    """1,180: 208 wins, 128 losses, 844 draws. Wikipedia, "Mū tōrere", after GamesCrafters."""
    searcher = searcher_of(kit.make(MuTorere).rules_of, 1 << 24)
    assert searcher.search(MuTorere().start(), -1.0, 0)[:2] == (0, 0)
    values = list(searcher.values.values())
    assert [sum(value > 0 for value in values), sum(value < 0 for value in values), values.count(0)] == [208, 128, 844]


class Notakto:
    """Both sides put crosses on 3 x 3; whoever completes a row of three loses."""

    rows = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)

    def start(self):
        return (0,)

    def moves(self, state):
        return [square for square in range(9) if not state[0] >> square & 1]

    def play(self, state, move):
        return (state[0] | 1 << move,)

    def result(self, state):
        return kit.WIN if any(state[0] & row == row for row in self.rows) else None


def test_notakto_is_won_in_the_centre_alone():
    """Plambeck, Whitehead, "The Secrets of Notakto" (2013)."""
    assert [move.move for move in kit.make(Notakto).analyse("start") if move.value > 0] == ["4"]


class Kayles:
    """Take one, or two neighbours, of a row, or some of a heap beside it; whoever cannot move has lost."""

    most, least, row, heap = 2, 1, 5, 0

    def start(self):
        return ((1 << self.row) - 1, self.heap)

    def moves(self, state):
        taken = [
            16 * (place + 1) + count
            for place in range(self.row)
            for count in range(self.least, self.most + 1)
            if state[0] >> place & (1 << count) - 1 == (1 << count) - 1
        ]
        return [*taken, *range(1, state[1] + 1)]

    def play(self, state, move):
        place, count = divmod(move, 16)
        return (state[0] & ~(((1 << count) - 1) << place - 1), state[1]) if place else (state[0], state[1] - count)

    def result(self, state):
        return None if self.moves(state) else kit.LOSS


@pytest.mark.parametrize(
    ("least", "numbers"),
    [
        (1, [0, 1, 2, 3, 1, 4, 3, 2, 1, 4]),  # Kayles: OEIS A002186, from Guy, Smith (1956)
        (2, [0, 0, 1, 1, 2, 0, 3, 1, 1, 0, 3]),  # Dawson's Kayles: OEIS A002187
    ],
)
def test_a_row_equals_the_heap_of_its_number(least, numbers):
    """Only with such a heap does the side lose that moves."""
    for row, number in enumerate(numbers):
        for heap in range(6):
            game = kit.make(type("Row", (Kayles,), {"least": least, "row": row, "heap": heap}))
            assert (game.solve("start", line=False).value < 0) == (heap == number)
