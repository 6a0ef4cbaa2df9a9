"""Traces of the reference's searches: their counts, trees and pictures."""

import random
import re
from collections import Counter
from itertools import pairwise

import pytest

import gamecore as games
from gamecore import trace
from gamecore.reference import duel, hearts, hexapawn, rows, versions_of

HANDS = frozenset(["DQ", "H2", "HA", "C2"]), frozenset(["H3", "D6", "S3", "C9"])
ROW = [1, 1, 1, 2, 1]
BOARD = hexapawn.start(3, 3)


def few_cards(seed, left=8):
    state = hearts.State(hearts.deal(random.Random(seed)))
    while sum(map(len, state.hands)) > left:
        state.play(state.legal_moves()[0])
    return state


SEARCHES = {
    **{f"duel {name}": (search, HANDS) for name, search in duel.VERSIONS.items()},
    **{f"hexapawn {name}": (search, (BOARD,)) for name, search in hexapawn.VERSIONS.items()},
    **{f"rows {name}": (search, (ROW,)) for name, search in rows.VERSIONS.items()},
    "hearts max^n": (hearts.brute_max_n, (few_cards(1),)),
    "hearts paranoid": (hearts.brute_paranoid, (few_cards(2), 1)),
}


@pytest.mark.parametrize("name", SEARCHES)
def test_the_answer_is_the_functions_and_the_tree_has_every_call(name):
    search, arguments = SEARCHES[name]
    traced = trace(search, *arguments)
    assert traced.answer == search(*arguments)
    calls = [call for call in traced.calls if call.how != "cut off"]
    assert len(calls) == traced.total == sum(traced.states.values())
    assert Counter(call.state for call in calls) == traced.states
    assert sum(call.is_repeated for call in calls) == traced.total - traced.distinct
    if name in ("duel memoised", "hexapawn memoised with a map", "hexapawn memoised with a list", "rows top_down"):
        assert traced.remembered == traced.total - traced.distinct > 0  # each state is searched once
    lines = str(traced).splitlines()
    assert lines[0].startswith(f"{search.__name__}: {str(traced.answer)[:57]}")
    assert f"{traced.total:,} calls" in lines[1]
    for calls in (None, 10**9):
        assert traced.picture(calls=calls).svg.count("<circle") == min(200, len(traced.calls))


def test_memo_and_cutoffs_save_calls_and_are_shown():
    full, memoised, pruned = (trace(search, *HANDS) for search in (duel.full_search, duel.memoised, duel.alpha_beta))
    assert full.answer == memoised.answer == pruned.answer
    assert full.total > memoised.total > pruned.distinct
    assert memoised.distinct == full.distinct
    assert pruned.cutoffs > 0
    text = str(pruned.picture())
    assert text.count("(cut off: not searched)") == pruned.cutoffs
    assert all(call.value is None for call in pruned.calls if call.how == "cut off")
    after_forced = [(call, after) for call, after in pairwise(full.calls) if call.how == "forced"]  # passes
    assert after_forced
    assert all(after.depth == call.depth + 1 and after.state.endswith("any card") for call, after in after_forced)
    assert "(again)" in str(full.picture())
    assert "(remembered)" in str(memoised.picture())


@pytest.mark.parametrize(("pruned", "full", "score"), [
    ("duel alpha-beta", "duel full", lambda value: value),
    ("hexapawn outcome first", "hexapawn naive", lambda value: (1 if value > 0 else -1) * hexapawn.LONGEST - value),
])  # fmt: skip
def test_a_cutoff_leaves_a_bound_and_shows_it(pruned, full, score):
    values = {call.state: score(call.value) for call in trace(SEARCHES[full][0], *SEARCHES[full][1]).calls}
    traced = trace(SEARCHES[pruned][0], *SEARCHES[pruned][1])
    compare = {"=": int.__eq__, "<=": int.__le__, ">=": int.__ge__}
    calls = [call for call in traced.calls if call.how != "cut off"]
    assert {call.sign for call in calls} == set(compare)
    assert all(compare[call.sign](values[call.state.partition(":")[0]], call.value) for call in calls)
    assert f"{calls[-1].state} {calls[-1].sign} {calls[-1].value}" in str(traced.picture())
    assert " ≤ " in traced.picture().svg


def test_at_most_200_calls_are_shown_the_outer_ones():
    traced = trace(hexapawn.naive, BOARD)
    shown = [line for line in str(traced.picture()).splitlines() if " = " in line]
    assert len(shown) == 200
    assert f"{traced.total - 200} more calls, deeper in the tree, are not shown" in str(traced.picture())
    depths = {(len(line) - len(line.lstrip())) // 2 for line in shown}
    assert depths == set(range(max(depths) + 1))
    assert all(call.state in str(traced.picture()) for call in traced.calls if call.depth < max(depths))


@pytest.mark.parametrize("name", ["duel alpha-beta", "hexapawn memoised with a map", "rows bottom_up"])
def test_the_first_calls_are_those_of_the_search_so_far(name):
    search, arguments = SEARCHES[name]
    traced = trace(search, *arguments)
    calls = traced.calls
    entered = [k for k, call in enumerate(calls) if call.how != "cut off"]
    ends = [next((k for k in range(place + 1, len(calls)) if calls[k].depth <= call.depth), len(calls)) - 1
            for place, call in enumerate(calls)]  # the place of the last call within each  # fmt: skip
    whole = [call.state for call in calls]
    for number in range(1, min(traced.total, 60) + 1):
        upto = entered[number] if number < len(entered) else len(calls)
        lines = [line.strip() for line in str(traced.picture(calls=number)).splitlines()[:upto]]
        assert [re.split(r" [<>]?= | \.\.\.$| \.\.\. \(| \(", line)[0] for line in lines] == whole[:upto]
        running = [call.state for call, end in zip(calls[:upto], ends, strict=False) if end >= upto]
        assert [line.split(" ...")[0] for line in lines if re.search(r" \.\.\.( \(|$)", line)] == running
    later = f"{traced.total - 1} more calls, which come later, are not shown"
    assert later in str(traced.picture(calls=1))
    svg = traced.picture(calls=1).svg
    assert later in svg
    assert float(re.search(r'width="([\d.]+)"', svg)[1]) > 7.8 * len(later)  # the line is within the picture


POSITIONS = {
    "duel": [*(games.duel.deal(5, rng=seed) for seed in range(3)), *map(games.duel.Position.from_text, (
        "SA:C2D3:B:-", "HAD2C2DTCJ:HJC3H2DKHT:A:-", "CKD7H7DTD8D4:S7CAD3H6SQC4:A:-"))],  # bounds taken for values fail
    "hexapawn": [games.hexapawn.Position.start(3, 4), games.hexapawn.Position.start(4, 4)],
    "rows": [games.rows.Position([5, 1, 1, 3, 2, 9], *words) for words in (
        ("greedy",), ("greedy", "opponent"), ("optimal",), ("cooperative",), ("cooperative", "opponent"))],
    "hearts": [games.hearts.random(rng=seed, plies=44 + seed % 4) for seed in range(8)],
}  # fmt: skip


@pytest.mark.parametrize("game", POSITIONS)
def test_the_versions_of_a_position_answer_as_the_solver_does(game):
    for position in POSITIONS[game]:
        solution = getattr(games, game).solve(position)
        versions = versions_of(position)
        assert versions
        for name, version in versions.items():
            answer = version.trace().answer
            if game == "hearts":
                right = solution.max_n_points if name == "max_n" else solution.paranoid_points.value
            elif game == "rows":
                answer = answer[0] if name in ("full", "bottom_up") else answer
                answer = answer[0][-1] if isinstance(answer, list) else answer
                right = solution.mine
            else:
                right = solution.value
            assert answer == right, (position.to_text(), name)
