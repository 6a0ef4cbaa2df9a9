"""Positions of rows: rules, texts, dicts, and values along a game."""

from hypothesis import example, given, settings
from hypothesis import strategies as st

from gamecore import Limits, rows
from gamecore.rows.opponents import NAMES

OPPONENTS = st.sampled_from(NAMES)
SIDES = st.sampled_from(["me", "opponent"])
TIES = st.sampled_from(["right", "left"])


def positions(values, totals):
    return st.builds(rows.Position, st.lists(values, max_size=9), OPPONENTS, SIDES, totals, totals, TIES)


ANY = positions(st.integers(-9, 9) | st.integers(-(1 << 58), 1 << 58), st.integers(-(1 << 58), 1 << 58))


@settings(max_examples=200, deadline=None)
@given(positions(st.integers(-50, 50), st.integers(-9, 9)))
def test_value_along_the_line(position):
    """Along best play the value only changes sign; a move's value is minus the value after it."""
    solution = rows.solve(position)
    assert (solution.mine - solution.theirs) * (1 if position.to_move == "me" else -1) == solution.value
    for move in solution.line:
        analysis = rows.analyse(position)
        assert sorted(entry.move for entry in analysis) == sorted(position.legal_moves())
        assert {move, analysis[0].move} <= set(analysis.best_moves)
        assert set(analysis.best_moves) == set(rows.solve(position, line=False).best_moves)
        for entry in analysis:
            after = rows.solve(position.play(entry.move), line=False)
            assert (entry.value, entry.mine, entry.theirs) == (-after.value, after.mine, after.theirs)
        position = position.play(move)
    assert (position.mine, position.theirs) == (solution.mine, solution.theirs)


@settings(max_examples=200, deadline=None)
@given(ANY, st.sampled_from([0, 1, 3, 10]))
@example(rows.Position(range(12), "optimal"), 11)  # one part of the search ends within the limit, both do not
def test_bounds_are_sound(position, nodes):
    exact, bounded = rows.solve(position), rows.solve(position, Limits(nodes=nodes))
    assert bounded.lower <= exact.value <= bounded.upper
    assert bounded.nodes <= nodes
    if not bounded.exact:
        assert (bounded.value, bounded.mine, bounded.difference, bounded.best_moves) == (None, None, None, ())
    for entry in rows.analyse(position, Limits(nodes=nodes)):
        assert entry.lower <= -rows.solve(position.play(entry.move)).value <= entry.upper


@given(positions(st.integers(0, 2), st.just(0)))
def test_the_greedy_player_takes_the_larger_end(position):
    if not position.is_over:
        first, last = position.values[0], position.values[-1]
        move = rows.GAME.players["greedy"].choose(position, None, None).move
        assert position.values[0 if move == "L" else -1] == max(first, last)
        assert first != last or len(position.values) == 1 or move == position.ties[0].upper()
