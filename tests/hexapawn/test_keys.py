"""Decode the table's keys and entries in plain Python: each must hold a whole position."""

import contextlib
import itertools
import random
import threading

import numpy as np
import pytest

from gamecore import OptionError, hexapawn, kernels
from gamecore.hexapawn import Position
from gamecore.reference import hexapawn as reference

WIDE = pytest.mark.parametrize("wide", [False, True])
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
    assert number < 3**count
    return [number // 3**place % 3 for place in range(count)]


def position_of(rows, columns, wide, left, right, dropped=0):
    """Decode a key to the position in the mover's view, as white."""
    assert 0 <= left < 1 << LEFT[wide]
    assert 0 <= right < 1 << RIGHT[wide] + dropped
    left, right = unmixed(left, right, LEFT[wide], RIGHT[wide] + dropped)
    if wide:
        parts = [left & (1 << 26) - 1, left >> 26, right & (1 << 26) - 1, right >> 26]
        squares, count = [digit for part in parts for digit in digits(part, 16)], rows * columns
    else:
        first, third = bits_for(2 * columns), bits_for(columns * max(rows - 6, 0))
        mask = (1 << first) - 1
        rest = left >> first | right >> first << 47 - first
        ends, count = rest >> third, columns * (rows - 2)
        assert ends < 1 << 2 * columns
        squares = digits(left & mask, 2 * columns) + digits(right & mask, 2 * columns)
        squares += digits(rest & (1 << third) - 1, columns * max(rows - 6, 0))
    assert not any(squares[count:])
    squares = squares[:count]
    if not wide:
        bits = [ends >> column & 1 for column in range(2 * columns)]
        squares = [*bits[:columns], *squares, *(2 * bit for bit in bits[columns:])]
    own, other = (sum(1 << square for square, pawn in enumerate(squares) if pawn == which) for which in (1, 2))
    return Position(rows, columns, own, other, "white")


def some_position(rows, columns, rng):
    """Place random pawns, none on its far row; now and then on all squares."""
    white, black, crowd = 0, 0, rng.random() * 1.1
    for square in range(rows * columns):
        if rng.random() < crowd:
            if square >= columns and (square >= columns * (rows - 1) or rng.random() < 0.5):
                black |= 1 << square
            else:
                white |= 1 << square
    return Position(rows, columns, white, black, rng.choice(["white", "black"]))


@WIDE
def test_a_key_is_the_whole_position(wide):
    rng = random.Random(1)
    for level in kernels.levels_of("hexapawn"):
        kernel = kernels.kernel(NAMES[wide], level)
        for rows, columns in WIDE_SHAPES if wide else SHAPES:
            for _ in range(60):
                position = some_position(rows, columns, rng)
                black = position.to_move == "black"
                key = kernel.position_key(rows, columns, position.white, position.black, black)
                mine = position.flip() if black else position
                assert position_of(rows, columns, wide, *key) in (mine, mine.mirror())
                assert key[2] == 0 or (wide and rows * columns >= 60)


def searched(wide, size, most_bytes, nodes, **at):
    """A solver that has searched this many nodes, and its entries."""
    solver, start = kernels.kernel(NAMES[wide], **at).Solver(*size, most_bytes), Position.start(*size)
    solver.solve(start.white, start.black, False, -1.0, nodes, False)
    return solver, solver.stored()


def is_true(solver, entry, value):
    """Whether an entry's bounds hold the score of its position's value."""
    return entry[2] <= (solver.mate - value if value > 0 else -value - solver.mate) <= entry[3]


@WIDE
@pytest.mark.parametrize(("size", "most_bytes"), [((4, 4), 64), ((3, 5), 512), ((5, 3), 1 << 20), ((6, 3), 1024)])
def test_entries_are_whole_positions_with_true_bounds(size, most_bytes, wide):
    known = {}
    for level in kernels.levels_of("hexapawn"):
        solver, entries = searched(wide, size, most_bytes, 0, at=level)
        for entry in entries:
            position = position_of(*size, wide, *entry[:2])
            assert is_true(solver, entry, reference.memoised_map((position.to_move, position.to_rows()), known))
            assert solver.knows(*entry[:2])
        assert len({entry[:2] for entry in entries}) == len(entries) >= 4
        assert solver.replacements > 0 or most_bytes > 1024


@pytest.mark.parametrize(
    ("wide", "size"), [(False, (6, 5)), (True, (6, 5)), (True, (8, 8)), (True, (6, 10)), (True, (21, 3))]
)
def test_entries_of_the_smallest_table_and_of_one_that_has_grown(wide, size):
    """A probe finds each entry, also after splits of buckets; entries of the largest boards omit bits of the key."""
    start = Position.start(*size)
    dropped = kernels.kernel(NAMES[wide]).position_key(*size, start.white, start.black, 0)[2]
    assert (dropped > 0) == (size != (6, 5))
    for most_bytes in (64, 64 << 20):
        solver, entries = searched(wide, size, most_bytes, 60_000)
        assert solver.table_bytes >= 64 << dropped
        assert len(entries) == solver.entries > (3 if most_bytes == 64 else 10_000)
        assert all(solver.knows(*entry[:2]) and entry[2] <= entry[3] for entry in entries)
        for left, right, _, _ in random.Random(5).sample(entries, min(300, len(entries))):
            position = position_of(*size, wide, left, right, dropped)
            assert not position.is_over
            assert position.white.bit_count() <= size[1] >= position.black.bit_count()
    assert solver.table_bytes > 64 << dropped


@WIDE
def test_every_bit_of_a_key_counts(wide):
    solver, entries = searched(wide, (5, 5), 16384, 0)
    keys = {entry[:2] for entry in entries}
    flips = [(1 << bit, 0) for bit in range(LEFT[wide])] + [(0, 1 << bit) for bit in range(RIGHT[wide])]
    for left, right in random.Random(4).sample(sorted(keys), 50):
        others = [(left ^ one, right ^ two) for one, two in flips]
        assert all(solver.knows(*key) == (key in keys) for key in [(left, right), *others])


@pytest.mark.threads
@WIDE
@pytest.mark.parametrize("most_bytes", [64, 1024, 1 << 16])
def test_threads_leave_true_entries(most_bytes, wide):
    """Three threads that share few buckets leave only true entries."""
    start, kernel = Position.start(5, 6), kernels.kernel(NAMES[wide])
    for _ in range(2):
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
        stored, positions = main.stored(), {}
        assert 2 < len(stored) <= sum(solver.entries for solver in solvers)
        for entry in stored:
            with contextlib.suppress(AssertionError, OptionError):  # mixed by two threads: the key of no position
                positions[entry] = position_of(5, 6, wide, *entry[:2])
        assert len(positions) >= 0.9 * len(stored) - 2
        values = hexapawn.solve_many(list(positions.values()), line=False).lower.tolist()
        assert all(is_true(main, entry, value) for entry, value in zip(positions, values, strict=True))


def key_in(wide, words):
    """Return the key that an entry's two words stand for."""
    first, second = words
    return first & (1 << LEFT[wide]) - 1, first >> LEFT[wide] | second >> 32 << 64 - LEFT[wide]


@WIDE
def test_a_reader_between_two_words_of_writers(wide):
    """No mixture of the words of entries is read as another entry.

    Threads write versions of one slot, each two words of memory. A reader sees the first word of any version and the
    second of any other.
    """
    versions = set()  # the two words of each, before the first is XORed with the second
    for nodes in (4, 16, 40, 150, 400, 1000, 2000, 4000, 6000):
        solver, _ = searched(wide, (5, 5), 64, nodes)
        assert solver.table_bytes == 64
        words = np.frombuffer(solver.memory(), np.uint64).tolist()
        versions |= {(words[i] ^ words[i + 1], words[i + 1]) for i in range(0, 8, 2) if words[i + 1]}
    for first, second in list(versions):  # writers of one key: other bounds, other worth
        versions |= {(first, second ^ 3 << 26), (first, second ^ 2)}
    for first, second in list(versions)[:20]:  # keys that differ in one word only
        versions |= {(first ^ 1 << 40, second), (first, second ^ 1 << 50)}
    assert len(versions) > 40
    bounds = {}
    for version in sorted(versions):
        bounds.setdefault(key_in(wide, version), set()).add(version[1] & (1 << 26) - 1)
    memory, seen = np.frombuffer(solver.memory(), np.uint64), 0
    memory[:] = 0
    for (one, other), (_, second) in itertools.product(sorted(versions), repeat=2):
        memory[:2] = one ^ other, second
        for key in filter(lambda key: solver.knows(*key), bounds):
            low, high = next(entry[2:] for entry in solver.stored() if entry[:2] == key)
            assert (low + solver.mate << 13 | high + solver.mate) in bounds[key]
            seen += 1
    assert seen >= len(versions)


@WIDE
def test_an_entry_that_two_writers_mixed_goes_when_the_table_grows(wide):
    solver, before = searched(wide, (5, 5), 1 << 20, 500)
    assert solver.table_bytes == 1 << 14
    entries, memory = solver.entries, np.frombuffer(solver.memory(), np.uint64)
    memory[2 * np.flatnonzero(memory[1::2])[0]] ^= np.uint64(1 << LEFT[wide])  # a key of another bucket
    assert len(solver.stored()) == len(before) - 1
    solver.share_growing_table(1 << 20, [])
    assert solver.table_bytes == 1 << 16
    after = solver.stored()
    assert len(after) == solver.entries == entries - 1
    assert set(after) < set(before)
    assert all(solver.knows(*entry[:2]) for entry in after)
