"""Decode the table's keys and entries in plain Python: each must hold a whole position."""

import contextlib
import itertools
import random
import threading

import pytest

from gamecore import hexapawn, kernels
from gamecore.hexapawn import Position
from gamecore.reference import hexapawn as reference

WORD = (1 << 64) - 1
LEFT, RIGHT = (47, 52), (49, 44)  # bits of a key's two numbers that entries store, indexed by `wide`
NAMES = ("hexapawn", "hexapawn_wide")  # the kernel's modules, indexed by `wide`
SHAPES = [(rows, columns) for rows in range(2, 9) for columns in range(1, 9)]
WIDE_SHAPES = [(2, 32), (3, 20), (3, 21), (4, 9), (4, 16), (5, 12), (6, 10), (7, 9), (9, 7), (16, 4), (21, 3), (31, 2)]
WIDE_SHAPES += [(64, 1), (3, 3), (8, 8), (61, 1), (62, 1)]


def bits_for(squares):
    return (3**squares - 1).bit_length()


def unmixed(left, right, left_bits, right_bits):
    """Undo the mixing of a key's two numbers, each with a hash of the other."""
    product = left * 0xC2B2AE3D27D4EB4F & WORD
    right ^= int.from_bytes(product.to_bytes(8, "little"), "big") & ((1 << right_bits) - 1)
    return left ^ (right * 0x9E3779B97F4A7C15 & WORD) >> 64 - left_bits, right


def digits(number, count):
    found = []
    for _ in range(count):
        number, digit = divmod(number, 3)
        found.append(digit)
    assert number == 0
    return found


def position_of(rows, columns, wide, left, right, dropped):
    """Decode a key to squares, first row first: 0 for empty, 1 for own, 2 for the other side's pawn."""
    assert 0 <= left < 1 << LEFT[wide]
    assert 0 <= right < 1 << RIGHT[wide] + dropped
    squares = rows * columns
    left, right = unmixed(left, right, LEFT[wide], RIGHT[wide] + dropped)
    if wide:
        parts = [left & (1 << 26) - 1, left >> 26, right & (1 << 26) - 1, right >> 26]
        found = [digit for part in parts for digit in digits(part, 16)]
        assert not any(found[squares:])
        return found[:squares]
    first = bits_for(2 * columns)
    mask = (1 << first) - 1
    rest = left >> first | right >> first << 47 - first
    third = bits_for(columns * max(rows - 6, 0))
    ends = rest >> third
    middle = [
        *digits(left & mask, 2 * columns),
        *digits(right & mask, 2 * columns),
        *digits(rest & (1 << third) - 1, columns * max(rows - 6, 0)),
    ]
    inner = columns * (rows - 2)
    assert not any(middle[inner:])
    assert ends < 1 << 2 * columns
    return [
        *(ends >> column & 1 for column in range(columns)),
        *middle[:inner],
        *(2 * (ends >> columns + column & 1) for column in range(columns)),
    ]


def some_squares(rows, columns, rng):
    """Place random white and black pawns, but none on its far row."""
    crowd = rng.random()
    white = black = 0
    for square in range(rows * columns):
        if rng.random() < crowd:
            if square >= columns and (square >= columns * (rows - 1) or rng.random() < 0.5):
                black |= 1 << square
            elif square < columns * (rows - 1):
                white |= 1 << square
    return white, black


def seen_by_mover(rows, columns, white, black, black_to_move):
    """Return the squares in the mover's view, and their mirror image."""
    position = Position(rows, columns, white, black, "black" if black_to_move else "white")
    mine = position.flip() if black_to_move else position
    return [[" Pp".index(pawn) for row in image.to_rows()[::-1] for pawn in row] for image in (mine, mine.mirror())]


@pytest.mark.parametrize("wide", [False, True])
def test_a_key_is_the_whole_position(wide):
    rng = random.Random(1)
    shapes = WIDE_SHAPES if wide else SHAPES
    for level in kernels.levels_of("hexapawn"):
        kernel = kernels.kernel(NAMES[wide], level)
        for rows, columns in shapes:
            for number in range(60):
                white, black = some_squares(rows, columns, rng)
                if number == 0:
                    white, black = (1 << columns * (rows - 1)) - 1, (1 << rows * columns) - (1 << columns * (rows - 1))
                to_move = rng.getrandbits(1)
                key = kernel.position_key(rows, columns, white, black, to_move)
                assert position_of(rows, columns, wide, *key) in seen_by_mover(rows, columns, white, black, to_move)
                assert key[2] == 0 or (wide and rows * columns >= 60)


def position_from(rows, columns, squares):
    white = sum(1 << square for square, pawn in enumerate(squares) if pawn == 1)
    black = sum(1 << square for square, pawn in enumerate(squares) if pawn == 2)
    return Position(rows, columns, white, black, "white")


def check_entries(rows, columns, wide, solver, known):
    """Check that every entry is a position whose true score is within the bounds; return the number of entries."""
    entries = solver.stored()
    for left, right, low, high in entries:
        position = position_from(rows, columns, position_of(rows, columns, wide, left, right, 0))
        value = reference.memoised_map((position.to_move, position.to_rows()), known)
        score = solver.mate - value if value > 0 else -value - solver.mate
        assert low <= score <= high
        assert solver.knows(left, right)
    assert len({entry[:2] for entry in entries}) == len(entries)
    return len(entries)


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize(("size", "most_bytes"), [((4, 4), 64), ((3, 5), 512), ((5, 3), 1 << 20), ((6, 3), 1024)])
def test_entries_are_whole_positions_with_true_bounds(size, most_bytes, wide):
    start, known = Position.start(*size), {}
    for level in kernels.levels_of("hexapawn"):
        solver = kernels.kernel(NAMES[wide], level).Solver(*size, most_bytes)
        solver.solve(start.white, start.black, False, -1.0, 0, True)
        assert check_entries(*size, wide, solver, known) >= 4
        if most_bytes <= 1024:
            assert solver.replacements > 0


@pytest.mark.parametrize(
    ("wide", "size"), [(False, (6, 5)), (True, (6, 5)), (True, (8, 8)), (True, (6, 10)), (True, (21, 3))]
)
def test_entries_of_the_smallest_table_and_of_one_that_has_grown(wide, size):
    """A probe finds each entry, also after splits of buckets; entries of the largest boards omit bits of the key."""
    start = Position.start(*size)
    dropped = kernels.kernel(NAMES[wide]).position_key(*size, start.white, start.black, 0)[2]
    assert (dropped > 0) == (size != (6, 5))
    for most_bytes in (64, 64 << 20):
        solver = kernels.kernel(NAMES[wide]).Solver(*size, most_bytes)
        assert solver.table_bytes >= 64 << dropped
        solver.solve(start.white, start.black, False, -1.0, 60_000, False)
        entries = solver.stored()
        assert len(entries) == solver.entries > (3 if most_bytes == 64 else 10_000)
        for left, right, low, high in entries:
            assert solver.knows(left, right)
            assert low <= high
        for left, right, _, _ in random.Random(5).sample(entries, min(300, len(entries))):
            position = position_from(*size, position_of(*size, wide, left, right, dropped))
            assert not position.is_over
            assert position.white.bit_count() <= size[1] >= position.black.bit_count()
    assert solver.table_bytes > 64 << dropped


@pytest.mark.parametrize("wide", [False, True])
def test_every_bit_of_a_key_counts(wide):
    start = Position.start(5, 5)
    solver = kernels.kernel(NAMES[wide]).Solver(5, 5, 16384)
    solver.solve(start.white, start.black, False, -1.0, 0, False)
    stored = solver.stored()
    keys = {entry[:2] for entry in stored}
    for left, right in random.Random(4).sample(sorted(keys), 50):
        assert solver.knows(left, right)
        for bit in range(LEFT[wide]):
            assert not solver.knows(left ^ 1 << bit, right) or (left ^ 1 << bit, right) in keys
        for bit in range(RIGHT[wide]):
            assert not solver.knows(left, right ^ 1 << bit) or (left, right ^ 1 << bit) in keys


def true_entries(rows, columns, wide, entries, mate):
    """Count the entries of positions, and those whose bounds contain the score that an independent search finds."""
    stored = []
    for left, right, low, high in entries:
        with contextlib.suppress(AssertionError):  # an entry that two threads mixed has the key of no position
            stored.append((position_from(rows, columns, position_of(rows, columns, wide, left, right, 0)), low, high))
    values = [solution.value for solution in hexapawn.solve_many([position for position, *_ in stored], line=False)]
    scores = [mate - value if value > 0 else -value - mate for value in values]
    return len(stored), sum(low <= score <= high for score, (_, low, high) in zip(scores, stored, strict=True))


@pytest.mark.threads
@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("most_bytes", [64, 1024, 1 << 16])
def test_threads_leave_true_entries(most_bytes, wide):
    """Three threads that share few buckets leave only true entries."""
    start = Position.start(5, 6)
    kernel = kernels.kernel(NAMES[wide])
    for _ in range(4):
        main = kernel.Solver(5, 6, most_bytes)
        helpers = [kernel.Solver(5, 6, 0, main) for _ in range(2)]
        main.share_growing_table(most_bytes, helpers)
        solvers = (main, *helpers)
        asked = (start.white, start.black, False, -1.0, 300_000, False)
        threads = [threading.Thread(target=solver.solve, args=asked) for solver in solvers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        entries = main.stored()
        assert 2 < len(entries) <= sum(solver.entries for solver in solvers)
        count, true = true_entries(5, 6, wide, entries, main.mate)
        assert true == count >= 0.9 * len(entries) - 2
        false = [(left, right, high + 2, high + 2) for left, right, _, high in entries]
        assert true_entries(5, 6, wide, false, main.mate) == (count, 0)


def key_in(wide, words):
    """Return the key that an entry's two words stand for."""
    first, second = words
    return first & (1 << LEFT[wide]) - 1, first >> LEFT[wide] | second >> 32 << 64 - LEFT[wide]


@pytest.mark.parametrize("wide", [False, True])
def test_a_reader_between_two_words_of_writers(wide):
    """No mixture of the words of entries is read as another entry.

    Threads write versions of one slot, each two words of memory. A reader sees the first word of any version and the
    second of any other.
    """
    start = Position.start(5, 5)
    solver = kernels.kernel(NAMES[wide]).Solver(5, 5, 64)
    assert solver.table_bytes == 64
    versions = set()  # the two words of each, before the first is XORed with the second
    for nodes in (4, 16, 40, 150, 400, 1000, 2000, 4000, 6000):
        solver.solve(start.white, start.black, False, -1.0, nodes, False)
        words = [solver.word(index, 0, False) for index in range(8)]
        versions |= {(words[i] ^ words[i + 1], words[i + 1]) for i in range(0, 8, 2) if words[i + 1]}
    for first, second in list(versions):  # writers of one key: other bounds, other worth
        versions |= {(first, second ^ 3 << 26), (first, second ^ 2)}
    for first, second in list(versions)[:20]:  # keys that differ in one word only
        versions |= {(first ^ 1 << 40, second), (first, second ^ 1 << 50)}
    assert len(versions) > 40
    bounds = {}
    for version in sorted(versions):
        bounds.setdefault(key_in(wide, version), set()).add(version[1] & (1 << 26) - 1)
    for index in range(8):
        solver.word(index, 0, True)
    seen = 0
    for (one, other), (_, second) in itertools.product(sorted(versions), repeat=2):
        solver.word(0, one ^ other, True)
        solver.word(1, second, True)
        for key in filter(lambda key: solver.knows(*key), bounds):
            low, high = next(entry[2:] for entry in solver.stored() if entry[:2] == key)
            assert (low + solver.mate << 13 | high + solver.mate) in bounds[key]
            seen += 1
    assert seen >= len(versions)


@pytest.mark.parametrize("wide", [False, True])
def test_an_entry_that_two_writers_mixed_goes_when_the_table_grows(wide):
    start = Position.start(5, 5)
    solver = kernels.kernel(NAMES[wide]).Solver(5, 5, 1 << 20)
    solver.solve(start.white, start.black, False, -1.0, 400, False)
    assert solver.table_bytes == 1 << 14
    before, entries = solver.stored(), solver.entries
    index = next(index for index in range(1, 2048, 2) if solver.word(index, 0, False))
    first = solver.word(index - 1, 0, False)
    solver.word(index - 1, first ^ 1 << LEFT[wide], True)  # a key of another bucket
    assert len(solver.stored()) == len(before) - 1
    solver.share_table(1 << 20)
    assert solver.table_bytes == 1 << 20
    after = solver.stored()
    assert len(after) == solver.entries == entries - 1
    assert set(after) < set(before)
    assert all(solver.knows(*entry[:2]) for entry in after)
