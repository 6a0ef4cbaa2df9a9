"""Calls whose memory `tools/reliability.py leaks` watches: every public function, with good arguments and bad ones.

The name of a call begins with the public name that it tests; a test compares these names with the public names.
"""

import contextlib
import io
import os
import pickle
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from gamecore import GamecoreError, Limits, batch, cards, cli, draw, duel, hearts, hexapawn, prove, rows
from gamecore.explore._api import Api

DECK = [suit + rank for rank in "A23456789TJQK" for suit in "CDHS"]
ORDER = np.random.default_rng(3).permutation(52).tolist()
FULL = duel.Position([DECK[i] for i in ORDER[:26]], [DECK[i] for i in ORDER[26:]])
DEAL = duel.Position(["DQ", "H2", "HA"], ["H3", "D6", "S3"])
TEN = duel.Position([DECK[i] for i in ORDER[:10]], [DECK[i] for i in ORDER[10:20]])
BOARD = hexapawn.Position.start(3, 3)
LARGE = hexapawn.Position.start(8, 8)
ROW = [5, 7, 9, 1, 4, 2, 8, 8]
ARRAY = np.arange(3000) * 7919 % 1009
FRESH = hearts.Round.deal(3)
LATE = hearts.Round.deal(3)
while len(LATE.tricks) < 10:
    LATE = LATE.play(LATE.legal_moves()[0])
VIEW = LATE.view(LATE.to_move)
GREEDY = ["greedy"] * 4
FOLDER = Path(tempfile.mkdtemp(prefix="gamecore-leaks-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None))
STORE, CERTIFICATE = FOLDER / "store", FOLDER / "certificate"
CUT = Limits(nodes=300, table_mb=1)
API = Api()


def refused(call: Callable[[], object]) -> Callable[[], None]:
    """Call, and expect a GamecoreError."""

    def run() -> None:
        with contextlib.suppress(GamecoreError):
            call()

    return run


def silent(*words: str, typed: str = "") -> None:
    """Run the command with input and without output."""
    before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(typed.encode("ascii")))
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            cli.main(list(words))
    finally:
        sys.stdin = before


def proved() -> None:
    """A proof from its beginning to its end, in a new store."""
    for end in ("", "-wal", "-shm"):
        (FOLDER / f"new{end}").unlink(missing_ok=True)
    prove.run(BOARD, FOLDER / "new", job_nodes=5, limits=Limits(table_mb=1))


def refined() -> None:
    """The analysis of a page, in two steps."""
    refinement = duel.GAME.refine(TEN, 1.0)
    for _ in range(2):
        refinement.run(0.0005)


def session() -> None:
    """A game at the terminal: moves, nonsense, undo, saving."""
    typed = "\n".join((BOARD.legal_moves()[0], "nonsense", "undo", "undo", "hint", "save", "quit", ""))
    silent("play", "hexapawn", BOARD.to_text(), "--opponent", "random", "--time-limit", "0.001", typed=typed)


prove.run(BOARD, STORE, job_nodes=5, limits=Limits(table_mb=1))
prove.export(STORE, CERTIFICATE)
(FOLDER / "deals").write_text("3\nDQ H2 HA\nH3 D6 S3\n" * 20, encoding="ascii")

CALLS: dict[str, Callable[[], object]] = {
    "duel.solve": lambda: duel.solve(DEAL),
    "duel.solve, table": lambda: duel.solve(TEN, Limits(table_mb=4)),
    "duel.solve, limit": lambda: duel.solve(FULL, Limits(nodes=50, table_mb=0.1)),
    "duel.solve, threads": lambda: duel.solve(TEN, Limits(table_mb=4), threads=2),
    "duel.analyse": lambda: duel.analyse(DEAL),
    "duel.deal": lambda: duel.deal(6, rng=1),
    "duel.random": lambda: duel.random(6, rng=1),
    "duel.parse": lambda: duel.parse("3\nDQ H2 HA\nH3 D6 S3\n"),
    "duel.parse, bad text": refused(lambda: duel.parse("3\nDQ H2 HA\nH3 D6 ZZ\n")),
    "duel.parse_many": lambda: list(duel.parse_many("3\nDQ H2 HA\nH3 D6 S3\n1\nC2\nC3\n")),
    "duel.solve_many": lambda: duel.solve_many([DEAL] * 5).best_moves,
    "duel.solve_many, limits": lambda: list(duel.solve_many([FULL, DEAL], CUT)),
    "duel.solve_many, deadline": lambda: list(duel.solve_many([TEN, DEAL], Limits(deadline=time.time() + 0.001))),
    "duel.solve_many, threads": lambda: duel.solve_many([DEAL] * 5, workers=2),
    "duel.solve_many, bad": refused(lambda: duel.solve_many([DEAL, "3\nZZ"])),
    "duel.solve_iter": lambda: next(duel.solve_iter([DEAL] * 50)),
    "duel.Position, pickle": lambda: pickle.loads(pickle.dumps(DEAL)),
    "hexapawn.solve": lambda: hexapawn.solve(BOARD),
    "hexapawn.solve, threads": lambda: hexapawn.solve(BOARD, threads=2),
    "hexapawn.solve, limit": lambda: hexapawn.solve(LARGE, CUT),
    "hexapawn.analyse": lambda: hexapawn.analyse(BOARD),
    "hexapawn.perft": lambda: hexapawn.perft(BOARD, 4),
    "hexapawn.random": lambda: hexapawn.random(4, 4, rng=1),
    "hexapawn.parse": lambda: hexapawn.parse("3\n3\nppp\n   \nPPP\n"),
    "hexapawn.parse, bad text": refused(lambda: hexapawn.parse("3\n3\nppp\n x \nPPP\n")),
    "hexapawn.solve_many": lambda: hexapawn.solve_many([BOARD] * 5).best_moves,
    "hexapawn.solve_many, limits": lambda: list(hexapawn.solve_many([LARGE, BOARD], CUT)),
    "hexapawn.solve_iter": lambda: next(hexapawn.solve_iter([BOARD] * 50)),
    "rows.value": lambda: rows.value(ROW),
    "rows.value, bad": refused(lambda: rows.value([1, "x"])),  # type: ignore[list-item]
    "rows.solve": lambda: rows.solve(ROW, opponent="greedy"),
    "rows.analyse": lambda: rows.analyse(rows.Position(ROW)),
    "rows.table": lambda: rows.table(ROW),
    "rows.play": lambda: rows.play(ROW, opponent="greedy"),
    "rows.deck": lambda: rows.deck(rng=1),
    "rows.decks": lambda: rows.decks(5, rng=1),
    "rows.random": lambda: rows.random(9, rng=1),
    "rows.solve_many": lambda: rows.solve_many([ROW] * 5, line=True)[0],
    "rows.solve_many, limits": lambda: list(rows.solve_many([ROW, ARRAY], Limits(nodes=20), opponent="greedy")),
    "rows.solve_iter": lambda: next(rows.solve_iter([ROW] * 50)),
    "rows.solve_piles": lambda: rows.solve_piles(double_ended=[ROW], single_ended=[[1, 9, 2]]),
    "rows.who_should_start": lambda: rows.who_should_start(ROW, opponent="greedy"),
    "rows.IntervalOracle": lambda: rows.IntervalOracle(ARRAY).value(3, 2900),
    "hearts.Round": lambda: hearts.Round.deal(5),
    "hearts.Round, pickle": lambda: pickle.loads(pickle.dumps(LATE)),
    "hearts.Round, ask": lambda: FRESH.ask("pimc:1"),
    "hearts.Round, linear": lambda: FRESH.ask("linear"),
    "hearts.Round, search": lambda: LATE.ask("search:3"),
    "hearts.Round, bad": refused(lambda: FRESH.play("ZZ")),
    "hearts.random": lambda: hearts.random(plies=20, rng=1),
    "hearts.simulate": lambda: hearts.simulate(["random"] * 4, 1, 1),
    "hearts.compare": lambda: hearts.compare(["random", "greedy"], field="greedy", rounds=8, rng=1),
    "hearts.match": lambda: hearts.match(GREEDY, 1),
    "hearts.evaluate_moves": lambda: hearts.evaluate_moves(VIEW, playouts=5, rng=1),
    "hearts.player": lambda: hearts.player("search:7:infer=2"),
    "hearts.player, bad": refused(lambda: hearts.player("pimc:worlds=3")),
    "hearts.solve": lambda: hearts.solve(LATE, Limits(table_mb=0.01)),
    "hearts.analyse": lambda: hearts.analyse(LATE, Limits(nodes=50, table_mb=0.01)),
    "hearts.solve_many": lambda: hearts.solve_many([LATE] * 2, CUT)[0],
    "hearts.solve_iter": lambda: next(hearts.solve_iter([LATE] * 20, CUT)),
    "prove.run": proved,
    "prove.run, done": lambda: prove.run(BOARD, STORE),
    "prove.run, other": refused(lambda: prove.run(LARGE, STORE)),
    "prove.status": lambda: prove.status(STORE),
    "prove.export": lambda: prove.export(STORE, CERTIFICATE, overwrite=True),
    "prove.verify": lambda: prove.verify(STORE, recheck="all", table_mb=1),
    "prove.verify, certificate": lambda: prove.verify(CERTIFICATE),
    "prove.verify, bad": refused(lambda: prove.verify(FOLDER / "deals")),
    "batch.run": lambda: batch.run(abs, [1, -2], workers=2),
    "batch.imap": lambda: next(batch.imap(abs, range(9))),
    "duel.Position.draw": DEAL.draw,
    "hexapawn.Position.draw": BOARD.draw,
    "rows.Position.draw": lambda: rows.Position(ROW).draw(),
    "hearts.Round.draw": LATE.draw,
    "hearts.Trick.draw": LATE.tricks[0].draw,
    "draw.pen_for": lambda: draw.pen_for(symbols=True),
    "cards.hand_mask": lambda: cards.hand_cards(cards.hand_mask(["C2", "D3"])),
    "explore, position": lambda: API.call("/api/position", {"game": "duel", "position": DEAL.to_text()}, "c"),
    "explore, refine": refined,
    "play, session": session,
    "command, duel": lambda: silent("duel", "-", typed="3\nDQ H2 HA\nH3 D6 S3\n"),
    "command, solve-file": lambda: silent(
        "solve-file", str(FOLDER / "deals"), "-o", str(FOLDER / "answers"), "--overwrite"
    ),
    "command, bad": lambda: silent("hexapawn", "--start", "1x1"),
}


def clean() -> None:
    """Remove the files."""
    shutil.rmtree(FOLDER, ignore_errors=True)
