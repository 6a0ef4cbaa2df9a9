"""Judging programs: right ones pass, planted mistakes are found and shrunk; what an output is worth; growth of time."""

import functools
import inspect
import tomllib
from pathlib import Path

import pytest

from gamecore.apps import judge as judging
from gamecore.apps.judge._run import Run
from gamecore.game import game as game_of
from gamecore.reference import duel, hexapawn, rows
from gamecore.rng import generator
from gamecore.rows.opponents import NAMES

MISTAKES = tomllib.loads(Path(__file__).with_name("mistakes.toml").read_text("utf-8"))["mistake"]
CASE = judging.Case("", 1, None, "1\nHK\nSK\n", "Alice\n13")
pytest_plugins = ["gamecore.apps.judge.pytest_fixture"]


def of_duel(alpha_beta, text):
    value = alpha_beta(*(frozenset(line.split()) for line in text.splitlines()[1:3]))
    return ("Alice", value) if value > 0 else ("Bob", -value)


def of_hexapawn(value_of, text):
    count, columns, *board = text.split("\n")
    return value_of(("white", tuple(row.ljust(int(columns)) for row in board[: int(count)])))


def of_rows(explore, text, opponent="optimal"):
    return "{} {}".format(*explore(list(map(int, text.split()[1:])), opponent))


GAMES = {
    "duel": (duel, "alpha_beta", of_duel, range(1, 7)),
    "hexapawn": (hexapawn, "memoised_map", of_hexapawn, range(4, 15)),
    "rows": (rows, "full_exploration", of_rows, range(1, 15)),
}


def program(game, old="", new="", version="", **options):
    """A function that solves a game by a reference's algorithm, in whose source ``old`` is replaced."""
    module, usual, solve, _ = GAMES[game]
    source, names = inspect.getsource(module), {"__name__": "planted"}
    assert old in source
    exec(compile(source.replace(old, new), "planted", "exec", dont_inherit=True), names)
    return functools.partial(solve, names[version or usual], **options)


@pytest.fixture
def in_this_process(monkeypatch):
    """Functions are called here, which is cheap, and a case of ``n`` is said to take 0.01 + 0.003 * 2**n seconds.

    How programs run, and are timed, is tested in ``test_run.py``.
    """

    def run(function, text, *limits):
        seconds = 0.01 + 0.003 * 2 ** min(int(text.split(maxsplit=1)[0]), 20)
        try:
            answer = function(text)
        except Exception as error:
            return Run(1, seconds, 0.0, 0.0, "", "", str(error))
        output = "\n".join(map(str, answer)) if isinstance(answer, tuple) else str(answer)
        return Run(0, seconds, 0.0, 0.0, "", output, "")

    for module in ("_judge", "_growth"):
        monkeypatch.setattr(f"gamecore.apps.judge.{module}.run", run)


@pytest.mark.parametrize("name", GAMES)
def test_a_right_program_is_accepted(name):
    report = judging.judge(name, program(name), sizes=GAMES[name][-1], count=14, seconds=20)
    assert report.passed, report
    assert {verdict.word for verdict in report.verdicts} == {"AC"}
    assert len(report.verdicts) >= 12
    assert {verdict.case.family for verdict in report.verdicts} == set(judging.judging_of(game_of(name)).families)


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake["why"])
def test_a_planted_mistake_is_found_and_shrunk(mistake, monkeypatch, in_this_process):
    monkeypatch.setattr("gamecore.apps.judge._judge._SHRINKING", 500)
    name, wrong_program = mistake["game"], program(mistake["game"], mistake["old"], mistake["new"])
    sizes = range(*mistake["sizes"]) if "sizes" in mistake else GAMES[name][-1]
    report = judging.judge(name, wrong_program, seconds=20, sizes=sizes, **mistake.get("cases", {"count": 32}))
    wrong, game = report.counterexample, game_of(name)
    assert wrong.word in ("WA", "RE")
    assert wrong.case.size <= mistake["most"], report
    assert f"the smallest found of size {wrong.case.size}," in str(report)
    for smaller in judging.judging_of(game).smaller(wrong.case.position):
        case = judging.case_of(game, smaller, "", 0)
        if case is not None and wrong.word == "WA":
            assert judging.judge_case(wrong_program, case).word != "WA"


def test_the_sources_versions_replay_their_story():
    """The exercise's first two versions exceed a limit that the third keeps, by a factor above a hundred."""
    for version, word in (("naive", "TLE"), ("memoised_list", "TLE"), ("memoised_map", "AC")):
        mine = program("hexapawn", version=version)
        report = judging.judge("hexapawn", mine, sizes=range(16, 17), families=["start"], count=1, seconds=0.2)
        assert report.verdicts[0].word == word


@pytest.mark.parametrize("opponent", NAMES)
def test_rows_against_other_opponents(opponent, in_this_process):
    solve = program("rows", opponent=opponent)
    for asked in NAMES:
        report = judging.judge("rows", solve, count=12, sizes=range(7, 11), seconds=20, opponent=asked)
        assert report.passed == (asked == opponent)
        assert all(verdict.case.position.opponent == asked for verdict in report.verdicts)
        if not report.passed:
            smallest = report.counterexample.case.position
            assert (smallest.opponent, len(smallest.values) < 7) == (asked, True)
            assert report.notes


def test_rows_are_deep():
    """Recursion meets Python's limit; rows of more than 512 values have no picture."""

    def total(words):
        return int(words[0]) + total(words[1:]) if words else 0

    report = judging.judge(
        "rows", lambda text: total(text.split()), families=["deep"], count=4, seconds=20, shrink=False
    )
    wrong = report.counterexample
    assert (wrong.word, wrong.case.size >= 1010) == ("RE", True), report
    assert f"of size {wrong.case.size}, from family deep" in str(report)


def test_a_stress_run_goes_on_with_further_cases(in_this_process, monkeypatch):
    report = judging.judge("rows", program("rows"), count=3, sizes=range(1, 4), duration=0.3, seconds=20)
    assert report.passed
    assert len({verdict.case.text for verdict in report.verdicts}) == len(report.verdicts) > 3
    seeds = map(generator, range(9))
    monkeypatch.setattr("gamecore.apps.judge._judge.generator", lambda seed: next(seeds))
    assert len([*judging.cases("rows", families=["ties"], sizes=range(1, 2), duration=60)]) == 3  # there are no others
    assert len(judging.judge("rows", lambda text: "0 0", duration=9, shrink=False).verdicts) == 1


BLANKS, NO_BLANKS = ("", " ", "\t\r"), "\xa0\x85\u2028\x1f\x1c\u3000\x00\ufeff"
# What a program writes where ``Alice`` and ``13`` are expected, the verdict, and why.
OUTPUTS = [
    *((f"Alice{blank}\n13{blank}{end}", "AC", "") for blank in BLANKS for end in ("", "\n", f"\n{blank}\n\n")),
    *((f"Alice{sign}\n13", "WA", "wrote 'Alice") for sign in NO_BLANKS),
    *((f"Alice\n{sign}13", "WA", "wrote 'Alice") for sign in NO_BLANKS),
    *((f"Alice\n13{sign}", "WA", "wrote 'Alice") for sign in NO_BLANKS),
    *((f"Alice{sign}13", "WA", "wrote 'Alice") for sign in NO_BLANKS),
    (" Alice\n13", "PE", "line 1 is ' Alice', expected 'Alice'"),
    ("Alice\n\n13", "PE", "line 2 is '', expected '13'"),
    ("Alice\x0c13", "PE", "line 1 is 'Alice\\x0c13', expected 'Alice'"),
    ("Alice\n\x0b13", "PE", "line 2 is '\\x0b13', expected '13'"),
]


def test_what_an_output_is_worth(in_this_process):
    for output, word in (("A wins 1 point", "AC"), ("A wins 1 points\n", "AC"), ("A wins 1 plies", "WA")):
        case = judging.Case("", 1, None, "1", "A wins 1 point")
        assert judging.judge_case(lambda text, output=output: output, case, seconds=10).word == word
    for output, word, why in OUTPUTS:
        verdict = judging.judge_case(lambda text, output=output: output, CASE, seconds=10)
        assert (verdict.word, verdict.why.startswith(why), verdict.why == "") == (word, True, word == "AC"), output


NO_NUMBERS = ("²", "9" * 5000, "--5", "-", "+5", "５", "1_0", "\x1f5", "0x1", "1e3", "\ufeff1", "")


@pytest.mark.parametrize("name", GAMES)
def test_no_output_makes_the_judge_fail(name, in_this_process):
    case = next(judging.cases(game_of(name), sizes=GAMES[name][-1][2:3], count=1))
    pairs = [f"{first} {word}" for first in ("Alice", "7") for word in NO_NUMBERS]
    for output in (*NO_NUMBERS, *pairs, "-0", "Bob -1"):
        assert judging.judge_case(lambda text, output=output: output, case, seconds=10).word in ("WA", "RE")
    for output in ("²", "Alice ²", "² ²", "9" * 5000, "--5 1", "- -"):
        report = judging.judge(name, lambda text, output=output: output, count=1, shrink=False)
        assert not report.passed
        assert report.notes


def test_growth_is_fitted(in_this_process):
    """A program that is wrong from five cards on."""
    *_, scaling = judging.scaling("duel", lambda text: text < "5" and program("duel")(text), sizes=range(3, 7))
    mine = scaling.programs[0]
    assert mine.startup == 0.01 + 0.003 * 2
    assert mine.times == pytest.approx({size: 0.003 * (2**size - 2) for size in range(3, 7)})
    assert 2 < mine.rates[0] < 2.2
    assert [growth.name for growth in scaling.programs] == ["yours", *duel.VERSIONS, "gamecore"]
    assert [growth.wrong for growth in scaling.programs] == [5] + [None] * 6
    assert "\nyours grows by 2.1 a card (3 sizes); WRONG answers from 5 cards on\n" in str(scaling)
    assert min(len(growth.times) for growth in scaling.programs) >= 3
    for power, time_of in ((True, lambda n: 0.03 * n**2), (False, lambda n: 0.03 * 2**n)):
        times = {n: time_of(n) for n in range(1, 20)}
        rates = judging.fit(times, True)
        assert 1.9 < rates[power] < 2.1
        assert rates[not power] is None
    slow = judging.Growth("", False, 0, {n: 0.02 + 1e-6 * n**2 for n in range(100, 1000, 50)})
    assert slow.describe("value") == "grows as n^1.6 (18 sizes)"  # not by 1 a value
    slow.startup = 0.9
    assert slow.describe("value") == "has 1 size of 0.9 s and more: a fit needs 3"
    narrow = judging.Growth("", True, 0, {10 + n: 0.01 * 2**n for n in range(4)})
    assert narrow.describe("value") == "grows by 2 a value or as n^8.3 (3 sizes, too close together to tell)"


def test_the_fixture(gamecore_judge, in_this_process):
    assert gamecore_judge("rows", program("rows"), count=4, sizes=range(1, 9), seconds=20).passed
    with pytest.raises(pytest.fail.Exception, match="WA"):
        gamecore_judge("rows", lambda text: "no", count=2)
