"""Judging programs: right ones pass, planted mistakes are found and shrunk, and nothing that was started is left."""

import inspect
import json
import sys
import time
from pathlib import Path

import pytest

import gamecore
from gamecore.apps import judge as judging
from gamecore.cli import main
from gamecore.errors import OptionError
from gamecore.game import game
from gamecore.reference import duel, hexapawn, rows

PYTHON = sys.executable


def planted(module, name, old="", new=""):
    """Return a function of a module whose source has one mistake."""
    source = inspect.getsource(module)
    assert old in source, f"{old!r} is not in {module.__name__}"
    names = {"__name__": "planted"}
    exec(compile(source.replace(old, new), "planted", "exec", dont_inherit=True), names)
    return names[name]


def play_duel(old="", new=""):
    alpha_beta = planted(duel, "alpha_beta", old, new)

    def solve(text):
        value = alpha_beta(*(frozenset(line.split()) for line in text.splitlines()[1:3]))
        return ("Alice", value) if value > 0 else ("Bob", -value)

    return solve


def play_hexapawn(old="", new="", version="memoised_map"):
    value_of = planted(hexapawn, version, old, new)

    def solve(text):
        count, columns, *board = text.split("\n")
        return value_of(("white", tuple(row.ljust(int(columns)) for row in board[: int(count)])))

    return solve


def values_of(text):
    return list(map(int, text.split()[1:]))


def play_rows(text):
    values = values_of(text)
    mine = rows.smart(values)[0][-1] if values else 0
    return f"{mine} {sum(values) - mine}"


def explore_rows(opponent):
    return lambda text: "{} {}".format(*rows.full_exploration(values_of(text), opponent))


RIGHT = {"duel": play_duel(), "hexapawn": play_hexapawn(), "rows": play_rows}
SIZES = {"duel": range(1, 7), "hexapawn": range(4, 15), "rows": range(1, 15)}

# mistake: (game, program, the largest counterexample that is accepted: cards a hand, squares, or values)
MISTAKES = {
    "bound stored as exact": (
        "duel",
        play_duel(
            "(best, upper) if best >= beta else (lower, best) if best <= alpha else (best, best)", "(best, best)"
        ),
        8,
    ),
    "pass forgotten": ("duel", play_duel("or card[1] == last[1])", "or card[1] == last[1]) or sorted(hand)"), 2),
    "wrong sign": ("duel", play_duel("value = -search(", "value = search("), 2),
    "ace high": ("duel", play_duel('"A23456789TJQK", start=1', '"23456789TJQKA", start=2'), 1),
    "last card not forgotten after a pass": (
        "duel",
        play_duel("-search(other, mover, None, window", "-search(other, mover, last, window"),
        2,
    ),
    "last card not in the key": ("duel", play_duel("= (mover, other, last), window", "= (mover, other), window"), 4),
    "ranks do not match": ("duel", play_duel(" or card[1] == last[1])", ")"), 2),
    "off by one in the distance": ("hexapawn", play_hexapawn("-(max(values) + 1)", "-max(values)"), 6),
    "the quickest loss": ("hexapawn", play_hexapawn("-(max(values) + 1)", "-(min(values) + 1)"), 12),
    "no move wins": ("hexapawn", play_hexapawn("return 0\n    if all", "return 1\n    if all"), 4),
    "arrival of black not seen": ("hexapawn", play_hexapawn('"p" in rows[-1] if', "False if"), 6),
    "straight captures": ("hexapawn", play_hexapawn('(j, " ")', "(j, opp)"), 4),
    "the two totals swapped": ("rows", lambda text: " ".join(reversed(play_rows(text).split())), 1),
    "the opponent takes the larger end": ("rows", explore_rows("greedy"), 5),
}


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_program_is_accepted(name):
    report = gamecore.judge(name, RIGHT[name], sizes=SIZES[name], count=30, seconds=20)
    assert report.passed, report
    assert {verdict.word for verdict in report.verdicts} == {"AC"}
    assert len(report.verdicts) >= 24
    assert {verdict.case.family for verdict in report.verdicts} == set(judging.families(name))


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_planted_mistake_is_found_and_shrunk(mistake, monkeypatch):
    monkeypatch.setattr("gamecore.apps.judge._judge._SHRINKING", 500)
    name, program, most = MISTAKES[mistake]
    if mistake == "bound stored as exact":  # needs positions that are reached twice under different bounds
        chosen = {"sizes": range(8, 9), "families": ["random", "short"], "count": 8, "seed": 5}
    else:
        chosen = {"sizes": SIZES[name], "count": 32}
    report = judging.judge(name, program, seconds=20, **chosen)
    wrong = report.counterexample
    assert wrong.word in ("WA", "RE")
    assert wrong.case.size <= most, report
    assert f"the smallest found of size {wrong.case.size}," in str(report)
    for smaller in judging.judging_of(game(name)).smaller(wrong.case.position):
        case = judging.case_of(game(name), smaller, "", 0)
        if case is not None and wrong.word == "WA":
            assert judging.judge_case(program, case).word != "WA"


def test_the_sources_versions_replay_their_story():
    """The exercise's first two versions exceed a limit that the third keeps, by a factor above a hundred."""
    words = [
        gamecore.judge("hexapawn", play_hexapawn(version=version), sizes=range(16, 17), families=["start"], count=1,
                       seconds=1.0).verdicts[0].word
        for version in ("naive", "memoised_list", "memoised_map")
    ]  # fmt: skip
    assert words == ["TLE", "TLE", "AC"]


def test_a_wrong_answer_is_explained():
    high = judging.judge("duel", lambda text: ("Alice", 99), sizes=range(2, 4), count=4)
    assert "no first move reaches the claimed +99:" in high.notes
    assert high.notes[0].startswith("best play: ")
    assert "Alice" in str(high)
    low = judging.judge("rows", lambda text: "0 999", sizes=range(2, 4), count=4)
    assert "more than the claimed -999" in low.notes[1]


@pytest.mark.parametrize("opponent", ["optimal", "greedy", "cooperative"])
def test_rows_against_other_opponents(opponent):
    solve = explore_rows(opponent)
    for asked in ("optimal", "greedy", "cooperative"):
        report = judging.judge("rows", solve, count=12, sizes=range(7, 11), seconds=20, opponent=asked)
        assert report.passed == (asked == opponent)
        assert all(verdict.case.position.opponent == asked for verdict in report.verdicts)
        if not report.passed:
            smallest = report.counterexample.case.position
            assert (smallest.opponent, len(smallest.values) < 7) == (asked, True)
            assert report.notes
    with pytest.raises(OptionError, match="opponent must be one of optimal, greedy, cooperative, not 'nobody'"):
        judging.judge("rows", solve, opponent="nobody")
    with pytest.raises(OptionError, match="there is no option 'opponent'"):
        judging.judge("duel", solve, opponent="greedy")


CASE = judging.Case("", 1, None, "1\nHK\nSK\n", "Alice\n13")


@pytest.mark.parametrize(("source", "word"), [
    ("import time; time.sleep(60)", "TLE"),
    ("while True: pass", "TLE"),
    ("while True: print('x' * 9999)", "WA"),
    ("import os; os.kill(os.getpid(), 11)", "RE"),
    ("raise ValueError('no\\x1bgood')", "RE"),
    ("x = bytearray(10**9); import time; time.sleep(9)", "MLE"),
    ("", "WA"),
    ("print('Alice 13') if 'K' in input() else print('Alice'); print('\\n13')", "PE"),
    ("print('Alice\\x0c13')", "PE"),
])  # fmt: skip
def test_a_program_that_misbehaves(source, word):
    seconds = 3.0 if word == "MLE" else 0.4
    verdict = judging.judge_case([PYTHON, "-c", source], CASE, seconds=seconds, memory_mb=400)
    assert verdict.word == word, verdict
    assert "\x1b" not in verdict.why


# What a program writes where ``Alice`` and ``13`` are expected, the verdict, and why.
OUTPUTS = [
    *(
        (f"Alice{blank}\n13{blank}{end}", "AC", "")
        for blank in ("", " ", "\t\r")
        for end in ("", "\n", f"\n{blank}\n\n")
    ),
    *(
        (output.format(blank), "WA", "")
        for blank in "\xa0\x85\u2028\x1f\x1c\u3000\x00\ufeff"
        for output in ("Alice\n13{}", "Alice{}\n13", "Alice\n{}13", "Alice{}13")
    ),
    (" Alice\n13", "PE", "line 1 is ' Alice', expected 'Alice'"),
    ("Alice\n\n13", "PE", "line 2 is '', expected '13'"),
    ("Alice 13", "PE", "line 1 is 'Alice 13', expected 'Alice'"),
    ("Alice\n\x0b13", "PE", "line 2 is '\\x0b13', expected '13'"),
]


def test_what_an_output_is_worth():
    for output, word, why in OUTPUTS:
        verdict = judging.judge_case(lambda text, output=output: output, CASE, seconds=10)
        assert (verdict.word, verdict.why if why else "") == (word, why), output


NO_NUMBERS = ("²", "9" * 5000, "--5", "-", "+5", "５", "1_0", "\x1f5", "0x1", "1e3", "\ufeff1", "")


@pytest.mark.parametrize("name", RIGHT)
def test_no_output_makes_the_judge_fail(name):
    case = next(judging.cases(game(name), sizes=SIZES[name][2:3], count=1))
    pairs = [f"{first} {word}" for first in ("Alice", "7") for word in NO_NUMBERS]
    for output in (*NO_NUMBERS, *pairs, "-0", "Bob -1"):
        assert judging.judge_case(lambda text, output=output: output, case, seconds=10).word in ("WA", "RE")
    for output in ("²", "Alice ²", "² ²", "9" * 5000, "--5 1", "- -"):
        report = judging.judge(name, lambda text, output=output: output, count=1, shrink=False)
        assert not report.passed
        assert report.notes


def slow_duel(text):
    """Take 0.1 s to start, then twice as long for each card; wrong from five cards on."""
    cards = int(text.split(maxsplit=1)[0])
    end = time.process_time() + 0.1 + 0.003 * 2**cards
    while time.process_time() < end:
        pass
    return play_duel()(text) if cards < 5 else "nobody"


def test_growth_is_fitted():
    each = []
    scaling = judging.scaling("duel", slow_duel, sizes=range(3, 8), seconds=3.0, each=each.append)
    mine = scaling.programs[0]
    assert 1.7 < mine.factor < 2.4
    assert mine.startup > 0.1
    assert all(time < 0.05 + 0.003 * 2**size for size, time in zip(mine.sizes, mine.seconds, strict=True))
    assert [growth.name for growth in each] == ["yours", "full", "memoised", "alpha-beta", "gamecore"]
    assert [growth.wrong for growth in each] == [5, None, None, None, None]
    assert "WRONG answers from 5 cards on" in str(scaling)
    assert min(len(growth.sizes) for growth in each) >= 3
    for power, time_of in ((True, lambda n: 0.03 * n**2), (False, lambda n: 0.03 * 2**n)):
        assert 1.9 < judging.fit({n: time_of(n) for n in range(1, 20)}, power) < 2.1


def test_the_legend_of_a_plot_is_inside_the_picture():
    pytest.importorskip("matplotlib", reason="the extra 'plot' is not installed")
    growth = judging.Growth("memoised with a list", (3, 4, 5), (0.1, 0.2, 0.4), 0.01, 2.0, None, 6, 4)
    figure = judging.Scaling("hexapawn", "square", (growth, growth, growth, growth, growth)).plot()
    figure.draw_without_rendering()
    legend = figure.axes[0].get_legend().get_window_extent()
    assert figure.bbox.x0 <= legend.x0 < legend.x1 <= figure.bbox.x1
    assert figure.bbox.y0 <= legend.y0 < legend.y1 <= figure.bbox.y1


def test_the_command(tmp_path, capsys):
    wrong = tmp_path / "wrong.py"
    wrong.write_text("print('Alice'); print(1)")
    folder = str(tmp_path / "cases")
    assert main(["judge", "duel", "--count", "6", "--cases", folder, "--", PYTHON, str(wrong)]) == 1
    assert "WA" in capsys.readouterr().out
    inputs = sorted(Path(folder).glob("input*.txt"))
    assert len(inputs) == 6
    for one in inputs:
        assert main(["duel", str(one)]) == 0
        assert capsys.readouterr().out == Path(str(one).replace("input", "output")).read_text()
    assert main(["judge", "duel", "--cases", folder]) == 2  # nothing is overwritten
    assert "has input or output files already" in capsys.readouterr().err
    assert main(["judge", "duel", "--count", "2", "--json", "--", PYTHON, str(wrong)]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["passed"] is False
    assert main(["judge", "rows", "--opponent", "greedy", "--growth", "--sizes", "2-3", "--", PYTHON, str(wrong)]) == 1
    assert "yours ends too quickly, or at too few sizes, for a fit; WRONG answers from 2" in capsys.readouterr().out


def test_what_cannot_be_judged():
    for arguments in ({"seconds": 0}, {"count": 0}, {"families": ["odd"]}, {"sizes": range(0)}):
        with pytest.raises(OptionError):
            judging.judge("duel", RIGHT["duel"], **arguments)
    with pytest.raises(OptionError, match="no judge's format"):
        judging.judge("hearts", RIGHT["duel"])


pytest_plugins = ["gamecore.apps.judge.pytest_fixture"]


def test_the_fixture(gamecore_judge):
    assert gamecore_judge("rows", RIGHT["rows"], count=4).passed
    with pytest.raises(pytest.fail.Exception, match="WA"):
        gamecore_judge("rows", lambda text: "no", count=2)
