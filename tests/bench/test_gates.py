"""ab.py: verdicts on made-up times, its sides, and a real comparison."""

import re

import ab
import pytest
from comparing import intervals, sides

from gamecore import GamecoreError


def result(ratio=1.0, nodes=(100, 100), instructions=(None, None), key="nodes"):
    times = [0.001 * (1 + 0.01 * (number % 3)) for number in range(12)]
    return ab.Result((times, [ratio * time for time in times]), [{key: count} for count in nodes], list(instructions))


@pytest.mark.parametrize(
    ("measured", "text", "bad"),
    [
        (result(), "equal", False),
        (result(1.2), "slower", True),
        (result(0.8), "faster", False),
        (result(0.8, (100, 101)), "MORE WORK: nodes 100 -> 101; faster", True),
        (result(1.0, (100, 99)), "less work: nodes 100 -> 99; equal", False),
        (result(1.0, (1, 2), key="checksum"), "CHANGED ANSWER: checksum 1 -> 2; equal", True),
        (result(1.0, (100, None)), "NOT COUNTED NOW: nodes 100 -> None; equal", True),
        (result(1.0, instructions=(1000, 1020)), "MORE INSTRUCTIONS +2.0%; equal", True),
        (result(1.0, instructions=(1000, 980)), "fewer INSTRUCTIONS -2.0%; equal", False),
        (result(1.0, instructions=(1000, 1009)), "equal", False),
    ],
)
def test_work_is_exact_and_times_have_a_band(measured, text, bad):
    verdict = ab.verdict(measured)
    assert (verdict.text, verdict.bad) == (text, bad)


def test_noise_is_not_enough_evidence():
    verdict = ab.verdict(ab.Result(([1.0] * 6, [0.8, 1.3, 0.9, 1.4, 1.0, 1.2])))
    assert (verdict.unjudged, verdict.bad) == (True, False)
    assert intervals.UNPROVEN in verdict.text


def test_a_side_that_is_nothing_is_one_line(capsys, tmp_path):
    assert ab.main(["no-such-revision", ".", "-k", "hexapawn 5x5 start"]) == 2
    assert capsys.readouterr().err == "ab: 'no-such-revision' is no tag, revision, wheel or directory here\n"
    assert ab.main([".", ".", "-k", "chess"]) == 2
    assert "no case contains 'chess'" in capsys.readouterr().err
    (tmp_path / "a.whl").write_bytes(b"no wheel")
    with pytest.raises(GamecoreError, match="cannot be unpacked"):
        sides.side(str(tmp_path / "a.whl"), [], [])


@pytest.mark.nightly
def test_the_working_tree_against_itself(capsys):
    status = ab.main([".", ".", "-k", "hexapawn 5x5 start", "--rounds", "5", "--seconds", "0.02"])
    text = capsys.readouterr().out
    row = next(line for line in text.splitlines() if line.startswith("hexapawn 5x5 start"))
    assert status in (0, 1, 3), text  # times are not asserted
    assert row.count("6,465") == 2
    assert not re.search("WORK|ANSWER|INSTRUCTIONS", row)
