"""Checks of proofs: forged certificates, searches done again, and what a certificate's file may be."""

import contextlib
import copy
import functools
import itertools
import json
import lzma
import random
import re
import tempfile
import tracemalloc
from collections import Counter
from pathlib import Path

import pytest
from prove.truth import GAMES, after, images, position_of, random_key, score_of, solved  # in pytest's pythonpath

from gamecore import duel, hexapawn, prove
from gamecore.apps.prove import _certificate, _verify, prover_of
from gamecore.apps.prove._certificate import LOWER, UPPER
from gamecore.errors import GamecoreError
from gamecore.limits import Limits

KEY, LOW, HIGH, MOVES = range(4)  #: fields of a row
PROOFS = Path(__file__).resolve().parents[2] / "docs" / "results" / "proofs"
LINES = Path(__file__).with_name("records.txt").read_text().splitlines()  #: name, value and position of each
RECORDS = {name: (int(value), position) for name, value, position in map(str.split, LINES)}


def read(path):
    """Return the first line of a certificate and its rows: notation, bounds, and moves with numbers."""
    head, *lines = lzma.decompress(path.read_bytes()).decode().splitlines()
    rows = [line.split(" ") for line in lines]
    for row in rows:
        row[MOVES] = dict(pair.split("=") for pair in row[MOVES].split(",")) if row[MOVES] != "-" else {}
    return json.loads(head), rows


def faults_of(head, rows, path, **options):
    """Return the faults of a certificate as text."""
    lines = [json.dumps(head)]
    for *fields, moves in rows:
        lines.append(" ".join([*fields, ",".join(map("=".join, moves.items())) or "-"]))
    path.write_bytes(lzma.compress("\n".join([*lines, ""]).encode(), preset=0))
    try:
        return "\n".join(prove.verify(path, **options).faults)
    except GamecoreError as error:
        return str(error)


PROVED = {
    "duel": [duel.deal(6, rng=seed) for seed in range(4)],
    "hexapawn": [hexapawn.Position.start(*size) for size in ((3, 5), (4, 3), (3, 4))],
}


@functools.cache
def true_proof(game, number):
    """Return a true certificate of 7 to 17 steps; its position is an image of the first row's."""
    position = PROVED[game][number % len(PROVED[game])]
    image = position_of(images(position.to_text(), random.Random(number))[-1])
    with tempfile.TemporaryDirectory() as folder:
        store, path = Path(folder) / "store", Path(folder) / "certificate"
        prove.run(image, store, job_nodes=5, limits=Limits(table_mb=0.02))
        prove.export(store, path)
        return read(path)


def lies(head, rows):
    """Whether a certificate says anything that is false: of its value, a bound, a move."""
    if not head["lower"] <= solved(head["position"]).value <= head["upper"]:
        return True
    for key, low, high, moves in rows:
        score = score_of(key)
        low, high = (score if bound == "-" else int(bound.rstrip("*")) for bound in (low, high))
        reached = {move: rows[int(number)][KEY] for move, number in moves.items()}
        if not low <= score <= high or not reached.items() <= after(position_of(key)).items():
            return True
    return False


# --- forgeries: each changes a true certificate ----------------------------------------------------------------------


def moved(bound, off):
    """A bound further on; whether it follows from moves stays."""
    return bound if bound == "-" else f"{int(bound.rstrip('*')) + off}{'*' * bound.endswith('*')}"


def change_key(head, rows, rng, row):
    key, (hand, _, rest) = row[KEY], row[KEY].partition(":")
    backwards = "".join(hand[at : at + 2] for at in range(len(hand) - 2, -1, -2))
    other_side = key.replace(":w", ":b").replace(":A:", ":B:")
    notation = key.replace("1", "01", 1) if "/" in key else f"{backwards}:{rest}"
    row[KEY] = rng.choice([*images(key, rng), notation, other_side, rng.choice(rows)[KEY]])


def change_bound(head, rows, rng, row):
    side, off = rng.choice([side for side in (LOW, HIGH) if row[side] != "-"]), rng.choice((-2, -1, 1, 2))
    bound = row[side].rstrip("*")
    row[side] = rng.choice([moved(row[side], off), bound + "*" * (bound == row[side]), "-"])


def exchange_bounds(head, rows, rng, row):
    row[LOW], row[HIGH] = row[HIGH], row[LOW]


def change_moves(head, rows, rng, row):
    row = rng.choice([row for row in rows if row[MOVES]])
    (move, number), (other, other_number) = rng.choices([*row[MOVES].items()], k=2)
    moves = {move: str(rng.randrange(len(rows)))}, {move: other_number, other: number}, {move: str(rows.index(row))}
    row[MOVES] |= rng.choice(moves)
    if rng.random() < 0.3:
        del row[MOVES][move]


def drop_row(head, rows, rng, row):
    rows.remove(row)


def repeat_row(head, rows, rng, row):
    """It stands once more: where one of the moves to it leads, or nowhere."""
    (other, move), *_ = [(other, move) for other in rows for move in other[MOVES]]
    rows.append(copy.deepcopy(rows[int(other[MOVES][move])]))
    if rng.random() < 0.8:
        other[MOVES][move] = str(len(rows) - 1)


def add_row(head, rows, rng, row):
    rows.append([random_key(head["game"], rng), str(rng.randint(-9, 9)), "-", {}])


def change_head(head, rows, rng, row):
    position, lower, upper = head["position"], head["lower"], head["upper"]
    head["position"] = rng.choice([position, position, rng.choice(rows)[KEY]])
    values = (-upper, -lower), (lower + 1, upper), (lower - 1, upper), (lower, upper + 2), (upper + 1, lower)
    head["lower"], head["upper"] = rng.choice([(lower, upper), *values])


def claim_another_value(head, rows, rng, row):
    """Let a false value follow from everything, down to the searches."""
    off = rng.choice((-2, -1, 1, 2))
    waiting, done = [(0, LOW, off), (0, HIGH, off)], set()
    while waiting:
        number, side, off = waiting.pop()
        row = rows[number]
        if (number, side) not in done:
            done.add((number, side))
            waiting += [(int(to), LOW + HIGH - side, -off) for to in row[MOVES].values() if row[side].endswith("*")]
            row[side] = moved(row[side], off)


def leave_the_range(head, rows, rng, row):
    """Bounds that are true, but further from 0 than any score: what follows from them can be false."""
    plain, root, far = prover_of(head["game"]).plain, rows[0], rng.randint(9000, 12_000)
    moves, (least, most) = plain.after(root[KEY]), plain.most(root[KEY])
    keys = [*dict.fromkeys(moves.values())]
    rows[1:] = [[key, str(-far), str(far), {}] for key in keys]
    root[MOVES] = {move: str(keys.index(key) + 1) for move, key in moves.items()}
    root[LOW:MOVES] = rng.choice([
        (f"{plain.before(far)}*", str(most)), (str(least), f"{plain.before(-far)}*")
    ])  # fmt: skip


BROKEN = (repeat_row, add_row)  #: never accepted
FORGERIES = (
    *BROKEN, change_key, change_key, change_bound, change_bound, exchange_bounds, change_moves, change_moves, drop_row,
    change_head, change_head, claim_another_value, leave_the_range,
)  # fmt: skip


@pytest.mark.parametrize("count", [200, pytest.param(4000, marks=pytest.mark.nightly)])
def test_no_forged_certificate_is_accepted(tmp_path, count):
    """But for a few that are true: a weaker bound, an image of the position."""
    verdicts, checks = Counter(), {"path": tmp_path / "c", "recheck": "all", "table_mb": 0.02}
    for seed, forgery in zip(range(count), itertools.cycle(FORGERIES), strict=False):
        rng, true = random.Random(seed), true_proof(("duel", "hexapawn")[seed % 2], seed // 2 % 4)
        head, rows = copy.deepcopy(true)
        forgery(head, rows, rng, rng.choice([*rows, rows[0]]))
        bounds = rows[0][LOW:MOVES]
        if "-" not in bounds and rng.random() < 0.8:  # mostly, the first line says what the bounds of the root say
            low, high = (int(bound.rstrip("*")) for bound in bounds)
            with contextlib.suppress(GamecoreError):
                low, high = prover_of(head["game"]).plain.value(rows[0][KEY], low, high)
            head |= {"lower": low, "upper": high}
        if (head, rows) != true:
            accepted = not faults_of(head, rows, **checks)
            assert not accepted or not (forgery in BROKEN or lies(head, rows)), (forgery, true, head, rows)
            verdicts[accepted] += 1
    assert 0 < verdicts[True] < count * 0.2


@pytest.mark.parametrize("game", GAMES)
def test_every_conclusion_is_worked_out_again(game, tmp_path):
    """Each bound that follows from moves, if it says one or two more, and without each move that it needs."""
    conclusions = 0
    for seed in range(4):
        head, rows = copy.deepcopy(true_proof(game, seed))
        assert not faults_of(head, rows, tmp_path / "c", recheck="all", table_mb=0.02)
        for row, (side, name, way) in itertools.product(rows, ((LOW, LOWER, 1), (HIGH, UPPER, -1))):
            bound, moves = row[side], row[MOVES]
            if not bound.endswith("*"):
                continue
            conclusions += 1
            for off in (1, 2):
                row[side] = moved(bound, off * way)
                says = f"{row[KEY]}: (the {name} bound .* does not follow|no score is as)"
                assert re.search(says, faults_of(head, rows, tmp_path / "c"))
            row[side] = bound
            for move in moves if side == HIGH else ():
                if [*moves.values()].count(moves[move]) == 1:
                    row[MOVES] = {name: to for name, to in moves.items() if name != move}
                    assert "1 legal moves have no bound" in faults_of(head, rows, tmp_path / "c")
                    row[MOVES] = moves
    assert conclusions > 9


@pytest.mark.parametrize("game", GAMES)
def test_a_search_done_again_finds_true_bounds_and_no_others(game):
    """No score of Hexapawn is near 0: a bound there says who wins, whatever the board's own layout counts from."""
    rng, near = random.Random(3), (-3000, -2, 0, 1, 2, 63, 3000) if game == "hexapawn" else ()
    wide = ["ppp/3/PPP:w", "pppppppppppp/12/PPPPPPPPPPPP:w"] if near else []
    for key in [random_key(game, rng) for _ in range(25)] + wide:
        score, (least, most) = score_of(key), prover_of(game).plain.most(key)
        for bound in {*range(score - 2, score + 3), *near} & {*range(least + 1, most)}:
            assert _verify.search_again(game, (key, LOWER, bound), 1 << 14)[0] == (score >= bound)
            assert _verify.search_again(game, (key, UPPER, bound), 1 << 14)[0] == (score <= bound)


def test_a_certificate_is_not_unpacked_further_than_it_may_be(tmp_path, monkeypatch):
    """16 MiB in one line, or in many: neither a line nor the text is in memory as a whole; nor is one exported."""
    path, store = tmp_path / "c", tmp_path / "store"
    prove.run(hexapawn.Position.start(3, 3), store)
    prove.export(store, path)
    monkeypatch.setattr(_certificate, "_MOST_BYTES", 1 << 16)
    for bomb in (lzma.decompress(path.read_bytes()) + b" " * (16 << 20), b"2/2:w - - -\n" * (1 << 20)):
        path.write_bytes(lzma.compress(bomb, preset=0))
        tracemalloc.start()
        try:
            with pytest.raises(GamecoreError, match="too large: more than 65536 bytes"):
                prove.verify(path)
            assert tracemalloc.get_traced_memory()[1] < 1 << 20
        finally:
            tracemalloc.stop()
    path.write_bytes(lzma.compress(b"[" * 50000))  # nor nested without end
    with pytest.raises(GamecoreError, match="damaged"):
        prove.verify(path)
    monkeypatch.setattr(_certificate, "_MOST_BYTES", 99)
    with pytest.raises(GamecoreError, match=r"too large for a certificate: [0-9]+ bytes, at most 99"):
        prove.export(store, tmp_path / "exported")
    assert not (tmp_path / "exported").exists()


@pytest.mark.skipif(not PROOFS.exists(), reason="the results of a checkout are meant")
@pytest.mark.parametrize("name", sorted({path.stem for path in PROOFS.glob("*.xz")} | RECORDS.keys()))
def test_a_record_holds_is_of_this_position_and_cannot_be_changed(name, tmp_path):
    """Another value is a fault; without its last step, on which others rest, it does not hold."""
    path, damaged, (value, position) = PROOFS / f"{name}.xz", tmp_path / "damaged", RECORDS[name]
    proof = prove.verify(path)
    assert (proof.faults, proof.lower, proof.upper, proof.position) == ((), value, value, position)
    head, *steps = lzma.decompress(path.read_bytes()).rstrip(b"\n").split(b"\n")
    other = json.dumps(json.loads(head) | {"upper": value + 1}).encode()
    damaged.write_bytes(lzma.compress(b"\n".join([other, *steps, b""])))
    assert any("the proof says" in fault for fault in prove.verify(damaged).faults)
    damaged.write_bytes(lzma.compress(b"\n".join([head, *steps[:-1], b""])))
    with pytest.raises(GamecoreError, match="damaged"):
        prove.verify(damaged)
