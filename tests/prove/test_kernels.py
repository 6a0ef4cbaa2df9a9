"""What a proof asks of the kernels: tests, what is known, entries that go out and come in, searches done again."""

import random

import numpy as np
import pytest
from prove.truth import rules_of, score_of  # pytest's pythonpath has the folder of tests

from gamecore import duel, hexapawn, kernels
from gamecore.duel._solve import kernel_position

LEVELS = kernels.levels_of("duel")  # and of Hexapawn
YES, NO, UNKNOWN = 2, 1, 0
at_every_level = pytest.mark.parametrize("level", LEVELS)


def entries_of(solver):
    """Return the entries that were kept, as rows of three words."""
    return np.frombuffer(solver.take_entries(), dtype=np.uint64).copy().reshape(-1, 3)


def exported(solver, room, *test):
    """Run a test, and return its entries."""
    solver.export_from(1, room)
    solver.test(*test)
    return entries_of(solver)


def hand_over(first, second):
    """Give a solver the entries of another."""
    entries = entries_of(first)
    assert second.put_entries(entries.reshape(-1)) == len(entries)


@at_every_level
def test_every_test_of_a_duel(level):
    kernel = kernels.kernel("duel", level)
    for seed in range(25):
        position = duel.deal(random.Random(seed).randint(2, 7), rng=seed)
        value = duel.solve(position, line=False).value
        for needed, attacks in ((needed, attacks) for needed in range(1, 14) for attacks in (True, False)):
            test = *kernel_position(position), attacks, needed
            answer = YES if (value if attacks else -value) >= needed else NO
            first, second = kernel.Solver(12, -1.0, 0), kernel.Solver(12, -1.0, 0)
            first.export_from(1, 1 << 12)
            assert first.test(*test, -1.0, 0)[0] == first.known(*test) == answer
            assert kernel.recheck(*test, 10, -1.0, 0)[0] == answer
            hand_over(first, second)
            assert not first.take_entries()
            assert second.test(*test, -1.0, 0) == (answer, 0)  # the root's entry was among them


@at_every_level
@pytest.mark.parametrize("name", ["hexapawn", "hexapawn_wide"])
def test_every_test_of_hexapawn(level, name):
    kernel = kernels.kernel(name, level)
    for seed in range(25):
        rng = random.Random(seed)
        position = hexapawn.random(rng.randint(3, 5), rng.randint(2, 5), rng=seed)
        size, board = (position.rows, position.columns), (position.white, position.black, position.to_move == "black")
        first, second = kernel.Solver(*size, 1 << 14), kernel.Solver(*size, 1 << 14)
        first.export_from(1, 1 << 14)
        score = score_of(position, first.mate)
        for least in {1, score, score + 2, score - 2, first.mate - 9, 9 - first.mate}:
            asked = 1 if -1 <= least <= 1 else least
            done, low, high, _ = first.test(*board, asked, -1.0, 0)
            assert done
            assert low <= score <= high
            assert low >= asked if score >= asked else high < asked
        hand_over(first, second)
        assert second.test(*board, 1, -1.0, 0)[3] <= 1
        moves = second.children(*board)
        names = [hexapawn._position.move_name(source, target, position.columns) for source, target, *_ in moves]
        assert sorted(names) == sorted(position.legal_moves())
        for name, (_, _, low, high, _) in zip(names, moves, strict=True):
            assert low <= score_of(position.play(name), first.mate) <= high


def with_low_bits(records, bits, mask):
    """Copies of records with other bits of their third word."""
    changed = records.copy()
    changed[:, 2] = changed[:, 2] & np.uint64(~mask & 2**64 - 1) | np.array(bits, dtype=np.uint64)
    return changed.reshape(-1)


def with_window(records, low, high):
    """Copies of Hexapawn's records with other bounds: numbers, or one for each record."""
    low, high = (np.asarray(bound, dtype=np.int64) & 0xFFFF for bound in (low, high))
    return with_low_bits(records, low << 16 | high, 0xFFFFFFFF)


NO_WINDOWS = [(5, 3), (0, 0), (-1, 1), (-32768, 32767)]  #: and some that depend on the board


@at_every_level
@pytest.mark.parametrize("size", [(8, 8), (5, 6)])
@pytest.mark.parametrize("name", ["hexapawn", "hexapawn_wide"])
def test_windows_that_no_position_has_are_not_stored(level, name, size):
    """Losses take an even number of plies, wins an odd one, no game is longer than its pawns can walk; and windows
    that contradict an entry. Any other window is found under the key of its own position alone."""
    kernel, start, rng = kernels.kernel(name, level), hexapawn.Position.start(*size), np.random.default_rng(1)
    true, forged, contradicted, random_windows = (kernel.Solver(*size, 1 << 22) for _ in range(4))
    test, mate = (start.white, start.black, False, 1, -1.0, 20_000), true.mate
    records = exported(kernel.Solver(*size, 1 << 22), 1 << 15, *test)
    assert len(records) > 3000
    assert true.put_entries(records.reshape(-1)) == len(records)
    before = true.stored()
    for window in (*NO_WINDOWS, (3 - mate,) * 2, (mate - 2,) * 2, (mate,) * 2, (-mate - 2, mate)):
        assert forged.put_entries(with_window(records, *window)) == true.put_entries(with_window(records, *window)) == 0
    assert (forged.stored(), forged.entries) == ([], 0)
    assert not any(forged.knows(*key[:2]) for key in before)
    low, high = (
        (records[:, 2] >> np.uint64(shift)).astype(np.uint16).astype(np.int16).astype(int) for shift in (16, 0)
    )
    above, below = with_window(records, high + 1, mate - 1), with_window(records, 2 - mate, low - 1)
    for record, *contradictions in zip(records, above.reshape(-1, 3), below.reshape(-1, 3), strict=True):
        assert contradicted.put_entries(record) == 1
        for contradiction in contradictions:  # an empty window where the entry has a bound of the rules
            assert contradicted.put_entries(contradiction) == 0
    assert contradicted.stored() == true.stored() == before

    def keys_of(records):
        """Keys by boards without gaps; rows of the kernel ``hexapawn`` are 8 squares apart."""
        rows, columns = size
        apart, row = 8 if name == "hexapawn" else columns, (1 << columns) - 1
        boards = records[:, :2].astype(object)
        boards = sum((boards >> apart * number & row) << columns * number for number in range(rows))
        return {kernel.position_key(*size, *board, False)[:2] for board in boards.tolist()}

    keys, taken = keys_of(records), 0
    for _ in range(8):
        signs, plies = rng.choice((-1, 1), (2, len(records))), rng.integers(0, 122, (2, len(records)))
        low, high = np.sort(signs * (mate - plies), axis=0)
        taken += random_windows.put_entries(with_window(records, low, high))
        taken += random_windows.put_entries(with_low_bits(records, rng.integers(0, 1 << 32, len(records)), 0xFFFFFFFF))
    assert len(records) < taken < 12 * len(records)
    assert {entry[:2] for entry in random_windows.stored()} <= keys
    assert random_windows.entries == len(random_windows.stored()) <= len(records)
    keys |= keys_of(exported(random_windows, 1 << 15, *test))  # a search among them
    for left, right, low, high in random_windows.stored():
        assert (left, right) in keys
        assert -mate <= low <= high <= mate
        assert all(bound % 2 == (mate % 2 if bound < 0 else (mate - 1) % 2) for bound in (low, high))


def known_results(solver, records):
    """What a duel's solver knows of records, for the side to move."""
    for first, second, third in records.tolist():
        last, attacks = first >> 52, third >> 9 & 1
        result = solver.known(first & (1 << 52) - 1, second, -1 if last == 63 else last, attacks, third & 511)
        yield result if attacks or result == UNKNOWN else YES + NO - result


@at_every_level
def test_forged_entries_of_the_duel_are_not_stored(level):
    kernel = kernels.kernel("duel", level)
    position = kernel_position(duel.deal(16, rng=3))
    records = np.concatenate([
        exported(kernel.Solver(20, -1.0, 0), 1 << 14, *position, True, needed, -1.0, 20_000) for needed in (1, 3, 9)
    ])  # fmt: skip
    assert len(records) > 3000
    forged, solver = kernel.Solver(20, -1.0, 0), kernel.Solver(20, -1.0, 0)
    for bits, mask in ((0, 3 << 10), (3 << 10, 3 << 10), (0, 511), (511, 511), (1 << 12, 1 << 12), (1 << 31, 1 << 31)):
        assert forged.put_entries(with_low_bits(records, bits, mask)) == 0
    for entry in records[records[:, 0] >> np.uint64(52) < 52][:20]:  # or its last card is in a hand
        mover = int(entry[0]) & (1 << 52) - 1
        for last in range(52):
            if (mover | int(entry[1])) >> last & 1:
                assert forged.put_entries(np.array([mover | last << 52, *entry[1:]], dtype=np.uint64)) == 0
    assert forged.stores == 0
    assert set(known_results(forged, records)) == {UNKNOWN}
    contradictions = 0
    for record in records:
        attacks, result = int(record[2]) >> 9 & 1, int(record[2]) >> 10 & 3
        assert solver.put_entries(record) == 1
        assert solver.put_entries(record ^ np.array([0, 0, 3 << 10], dtype=np.uint64)) == 0
        assert list(known_results(solver, record[None])) == [result]
        if contradictions < 100 and int(record[2]) & 511 == 1 and (result == YES) != attacks:
            more = record ^ np.array([0, 0, 3 << 10 | 1 ^ 3], dtype=np.uint64)  # who cannot win cannot win 3 points
            alone, both = kernel.Solver(12, -1.0, 0), kernel.Solver(12, -1.0, 0)
            if alone.put_entries(more):
                assert (both.put_entries(record), both.put_entries(more)) == (1, 0)
                contradictions += 1
    assert contradictions > 50


def test_cheap_entries_go_when_there_are_too_many():
    solver, start = kernels.kernel("hexapawn").Solver(5, 5, 1 << 20), hexapawn.Position.start(5, 5)
    nodes = exported(solver, 500, start.white, start.black, False, 1, -1.0, 0)[:, 2] >> np.uint64(32)
    assert 1 <= len(nodes) <= 500
    assert nodes.min() > 1
    assert nodes.max() > 100


@pytest.mark.threads
@pytest.mark.parametrize("position", [duel.deal(12, rng=3), hexapawn.Position.start(5, 5)], ids=["duel", "hexapawn"])
def test_threads_on_one_table(position):
    rules = rules_of(position)
    key = rules.canonical(position)
    main = rules.engine(key, 1 << 20, True)
    helper = main.helper()
    if isinstance(position, duel.Position) and not kernels.kernel("duel").can_share():
        pytest.skip("a debug build, whose entries are whole states")
    answer = main.test(key, 1, 0)
    assert answer.nodes > 10
    assert helper.test(key, 1, 0)[:3] == answer[:3]
    assert helper.test(key, 1, 0).nodes <= 1  # it is in the table that they share
