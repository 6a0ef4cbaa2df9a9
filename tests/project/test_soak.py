"""The soak counts what it says, and can say no: faults planted in kernels and in oracles are found in every game."""

import dataclasses
import random
import re
import sys
from collections import Counter
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
TOOLS = TESTS.parent / "tools"
if not TOOLS.is_dir():
    pytest.skip("the tools of a checkout are not here", allow_module_level=True)
sys.path += [str(TOOLS), str(TOOLS / "fuzz")]

import chance  # noqa: E402
import differential  # noqa: E402
import soak  # noqa: E402
from oracles.hearts import Oracle  # noqa: E402

from gamecore import GamecoreError, Limits, duel, hearts, hexapawn, rows  # noqa: E402
from gamecore.reference import rows as plain_rows  # noqa: E402

GAMES = tuple(differential.CHECKS)
ORACLE, ITSELF = soak.KINDS

# One rule of each oracle changed: what stands there, and what takes its place.
CHANGED_RULES = {
    "duel": ("sum += number(card)", "sum += number(card) % 13 + (number(card) == 13)"),
    "hexapawn": ("side <= 1;", "side <= 0;"),
    "rows": ("left > right || (left == right && ties_left)", "left > right || (left == right && !ties_left)"),
    "hearts": ("points[seat] -= 10;", "points[seat] -= 9;"),
}


@pytest.fixture(autouse=True)
def compiled(oracle):
    """Without a compiler the oracles are not there: say so, and skip."""
    return oracle


def test_a_run_counts_each_case_once(monkeypatch, capsys):
    """Under its size, by game and kind."""
    cases = []

    def counted(game, kind, check):
        def check_and_note(rng):
            case = check(rng)
            cases.append((game, kind, case))
            return case

        return check_and_note

    checks = {
        game: tuple(counted(game, kind, check) for kind, check in zip(soak.KINDS, checks, strict=True))
        for game, checks in differential.CHECKS.items()
    }
    monkeypatch.setattr(differential, "CHECKS", checks)
    counts = soak.soak(GAMES, 0.5, 5)
    outcomes = {False: soak.CHECKED, True: soak.UNSOLVED}
    assert counts == Counter((game, kind, outcomes[case.unsolved], case.size) for game, kind, case in cases)
    assert {key[:2] for key in counts} == {(game, kind) for game in GAMES for kind in soak.KINDS}
    assert soak.main(["--seconds", "0.1", "--seed", "5", "--games", "duel"]) == 0
    printed = capsys.readouterr().out
    assert re.search(f"^duel, {ORACLE}: [1-9][0-9,]* checked, 0 unsolved, 0 differences$", printed, re.MULTILINE)
    assert printed.endswith("differences: 0\n")


@pytest.mark.parametrize(
    ("game", "sizes"),
    [
        ("duel", {f"{n} cards" for n in range(1, 9)}),
        ("hexapawn", {f"{height}x{width}" for height, width, _ in chance.SMALL_BOARDS}),
        ("hearts", {f"{n} cards left, {how}" for n in range(1, 13) for how in ("hold", "passed")}),
        (
            "rows",
            {f"{least} to {most} values" for least, most in chance.LENGTHS}
            | {f"{what} at 2^{bits}{beside}" for what in ("totals", "values") for bits in (15, 31, 62)
               for beside in (" - 1", "", " + 1")}
            | {"totals at 2^63 - 1", "totals at 2^63, refused", "totals at 2^63 + 1, refused"},
        ),
    ],
)  # fmt: skip
def test_the_sizes_are_those_that_are_meant(game, sizes, monkeypatch):
    """All of them come, and no others; the oracles are left out, whose answers cost the time."""
    for name in ("check_line", "check_bounds", "check_row", "check_refused", "check_ending", "same"):
        monkeypatch.setattr(differential, name, lambda *given, **named: None)
    for name in ("check_duel_line", "check_hexapawn_line", "kernel_value"):
        monkeypatch.setattr(differential, name, lambda *given: None)
    monkeypatch.setattr(differential, "oracle", lambda name: Nothing())
    monkeypatch.setattr(Oracle, "moves", lambda self, round_, values: (0, dict.fromkeys(round_.legal_moves())))
    monkeypatch.setattr(Oracle, "score", lambda self, round_: ())
    for module in (duel, hexapawn):
        monkeypatch.setattr(module, "solve", lambda *given, **named: Nothing())
        monkeypatch.setattr(module, "solve_many", lambda *given: Nothing())
        monkeypatch.setattr(module, "analyse", lambda *given: ())
    rng, check = random.Random(1), differential.CHECKS[game][0]
    assert {check(rng).size for _ in range(600)} == sizes


class Nothing:
    """A stub of a library, a solution and solutions."""

    value = 0

    def __getattr__(self, name):
        return lambda *given: 0

    @property
    def lower(self):
        return [0]


def test_rows_at_a_bound_are_at_it():
    rng = random.Random(1)
    for bits, beside in chance.BOUNDS:
        number = (1 << bits) + beside
        for n in (1, 2, 9, 300):
            assert sum(map(abs, chance.row_of_bound(rng, n, number))) == number
            if number < (1 << 63) - 1:
                row = chance.row_with_value(rng, n, number)
                assert number in map(abs, row)
                assert sum(map(abs, row)) < 1 << 63
                assert rows.value(row) == plain_rows.fold_value(row)


@pytest.mark.nightly
def test_positions_unsolved_are_not_among_the_checked_ones(monkeypatch):
    """Nor are they lost: every second position stays open here, whatever the others are."""
    solve, exact = hexapawn.solve, []

    def every_second(position, limits, **named):
        solution = solve(position, limits, **named)
        if limits.nodes == differential.EASY_NODES:
            if len(exact) % 2:
                solution = dataclasses.replace(solution, lower=-99, upper=99)
            exact.append(solution.exact)
        return solution

    monkeypatch.setattr(hexapawn, "solve", every_second)
    counts = soak.soak(["hexapawn"], 2, 1)
    unsolved, checked = (
        sum(count for (_, kind, outcome, _), count in counts.items() if (kind, outcome) == (ITSELF, wanted))
        for wanted in (soak.UNSOLVED, soak.CHECKED)
    )
    assert unsolved >= exact.count(False) >= len(exact) // 2 >= 1
    assert checked + unsolved == len(exact)
    assert not [key for key in counts if key[1:3] == (ORACLE, soak.UNSOLVED)]


def test_a_line_that_a_limit_cut_is_searched_again_with_more_nodes():
    position, asked = hexapawn.Position.start(4, 4), []

    def solve(again, limits):
        asked.append((again, limits.nodes))
        return whole

    whole = hexapawn.solve(position)
    cut = dataclasses.replace(whole, line=whole.line[:-1])
    assert differential.with_line(solve, position, cut, 11, 1000) is whole
    assert asked == [(position, 100_000)]
    assert differential.with_line(solve, position, whole, 11, 1000) is whole
    assert len(asked) == 1


@pytest.mark.nightly
@pytest.mark.parametrize("game", GAMES)
def test_an_oracle_with_another_rule_is_found(game, tmp_path, monkeypatch, capsys):
    library = differential.build.load(game, tmp_path, CHANGED_RULES[game])
    monkeypatch.setattr(differential, "oracle", lambda name: library)
    expect_differences(capsys, game, ORACLE)


def expect_differences(capsys, game, kind):
    """Short runs until one finds differences of this kind: it counts and prints them, and ends with status 1."""
    for seed in range(1, 30):
        capsys.readouterr()
        status = soak.main(["--seconds", "0.5", "--games", game, "--seed", str(seed)])
        captured = capsys.readouterr()
        printed = re.findall(r"^a difference \((.*?)\): (.*)$", captured.err, re.MULTILINE)
        assert status == (1 if printed else 0)
        assert captured.out.endswith(f"differences: {len(printed)}\n")
        shown = [(case, text) for case, text in printed if kind in case]
        if shown:
            break
    assert shown
    case, text = shown[0]
    with pytest.raises(differential.Difference, match=re.escape(text)):  # it is found again
        differential.CHECKS[game][soak.KINDS.index(kind)](random.Random(case))
    return [text for _, text in shown]


#: Which answers of the game's module are made wrong: small positions, and of rows the largest totals.
PLANTED = {
    "duel": (duel, lambda position, _: len(position.alice) == 3),
    "hexapawn": (hexapawn, lambda position, _: position.rows == 4),
    "hearts": (hearts, lambda round_, _: len(round_.hands[0]) == 2),
    "rows": (rows, lambda position, solution: position.opponent == "greedy" and abs(solution.mine) > 1 << 31),
}


def wrong_where(module, monkeypatch, strikes):
    """Let a module's ``solve`` answer one more where ``strikes`` says so of the position and the solution."""
    solve = module.solve

    def wrong(position, *given, **named):
        solution = solve(position, *given, **named)
        asked = rows.Position(position, named["opponent"]) if module is rows else position
        if not strikes(asked, solution):
            return solution
        if module is rows:
            return dataclasses.replace(solution, mine=solution.mine + 1)
        bounds = {"lower": solution.lower + 1, "upper": solution.upper + 1}
        return dataclasses.replace(solution, **({"max_n_points": (0, 0, 0, 1)} if module is hearts else {}), **bounds)

    monkeypatch.setattr(module, "solve", wrong)


@pytest.mark.nightly
@pytest.mark.parametrize("game", PLANTED)
def test_a_wrong_value_of_ours_is_found(game, monkeypatch, capsys):
    """The difference names a position that shows it."""
    module, strikes = PLANTED[game]
    wrong_where(module, monkeypatch, strikes)
    shown = expect_differences(capsys, game, ORACLE)
    positions = [module.Position.from_text(text.partition(": ")[0]) for text in shown]
    assert any(game == "rows" or strikes(position, None) for position in positions)
    assert game != "rows" or all(position.opponent == "greedy" for position in positions)


@pytest.mark.nightly
@pytest.mark.parametrize("game", GAMES)
def test_a_level_that_differs_is_found(game, monkeypatch, capsys):
    """The kernels of one level answer wrongly, the others are right."""
    level, value = differential.LEVELS[0], differential.kernel_value

    def wrong_value(position, at, *given):
        found = value(position, at, *given)
        return found + 1 if at == level and found is not None else found

    def at_level(*_):
        used = (getattr(module, name) for module, name, _ in differential.kernel_places(game))
        return any(f".{level}." in kernel.__name__ for kernel in used)

    if game == "hexapawn":
        monkeypatch.setattr(differential, "kernel_value", wrong_value)
    else:
        wrong_where(PLANTED[game][0], monkeypatch, at_level)
    expect_differences(capsys, game, ITSELF)


def test_totals_that_should_be_refused_and_are_not(monkeypatch):
    with pytest.raises(GamecoreError):
        rows.value([1 << 62, 1 << 62])
    monkeypatch.setattr(rows, "value", lambda values, **rules: 0)
    row = chance.row_of_bound(random.Random(1), 5, 1 << 63)
    with pytest.raises(differential.Difference, match="not refused"):
        differential.check_refused(row)


def test_an_error_is_a_difference_too(monkeypatch, capsys):
    def broken(*given, **named):
        raise ZeroDivisionError("planted")

    monkeypatch.setattr(duel, "solve", broken)
    assert soak.main(["--seconds", "0.1", "--games", "duel"]) == 1
    assert "ZeroDivisionError: planted" in capsys.readouterr().err


def test_bounds_that_do_not_hold_are_found():
    position = duel.Position.from_text("DQH2HA:H3D6S3:A:-")
    exact = duel.solve(position)
    differential.check_bounds(position, exact, duel.solve(position, Limits(nodes=1)))
    with pytest.raises(differential.Difference):
        differential.check_bounds(position, exact, dataclasses.replace(exact, lower=10, upper=10))


def test_without_a_compiler_nothing_is_claimed(monkeypatch, capsys):
    monkeypatch.setattr(differential.build, "compiler", lambda: None)
    assert soak.main(["--seconds", "1"]) == 2
    assert capsys.readouterr().err == "the independent solvers need a C compiler, and none is installed\n"
