"""ab.py: verdicts on made-up times, its sides, and a real comparison."""

import os
import re
import subprocess
import sys

import ab
import pytest
import workloads
from comparing import intervals, sides

from gamecore import GamecoreError

# --- verdicts of ab.py, on made-up times -----------------------------------------------------------------------------


def result(ratio=1.0, nodes=(100, 100), instructions=(None, None), key="nodes"):
    times = [0.001 * (1 + 0.01 * (number % 3)) for number in range(12)]
    exact = [{key: nodes[0]}, {key: nodes[1]}]
    return ab.Result((times, [ratio * time for time in times]), exact, list(instructions))


@pytest.mark.parametrize(
    ("found", "text", "bad"),
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
def test_work_is_exact_and_times_have_a_band(found, text, bad):
    verdict = ab.verdict(found)
    assert (verdict.text, verdict.bad) == (text, bad)


def test_noise_is_not_enough_evidence():
    noisy = ab.Result(([1.0] * 6, [0.8, 1.3, 0.9, 1.4, 1.0, 1.2]))
    verdict = ab.verdict(noisy)
    assert verdict.unjudged
    assert not verdict.bad
    assert intervals.UNPROVEN in verdict.text


# --- sides, and one real comparison ----------------------------------------------------------------------------------


def test_a_side_that_is_nothing_is_one_line(capsys):
    assert ab.main(["no-such-revision", ".", "-k", "hexapawn 5x5 start"]) == 2
    error = capsys.readouterr().err
    assert error == "ab: 'no-such-revision' is no tag, revision, wheel or directory here\n"
    assert ab.main([".", ".", "-k", "chess"]) == 2
    assert "no case contains 'chess'" in capsys.readouterr().err


def test_a_wheel_is_unpacked_once(tmp_path, monkeypatch):
    monkeypatch.setattr(sides, "WORK", tmp_path)
    wheel = tmp_path / "gamecore-0.0-py3-none-any.whl"
    with sides.zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("gamecore/__init__.py", "")
    one = sides.side(str(wheel), [], [])
    assert (one.tree / "gamecore" / "__init__.py").exists()
    assert sides.side(str(wheel), [], []).tree == one.tree
    wheel.write_bytes(b"no wheel")
    with pytest.raises(GamecoreError, match="cannot be unpacked"):
        sides.side(str(wheel), [], [])


@pytest.mark.parametrize("game", workloads.CASES)
def test_the_kernels_that_a_side_builds_are_enough(game):
    """Every case of a game once, in a process without the kernels that ``ab.py`` would not build for it."""
    others = {one.stem for one in (sides.ROOT / "pyx").glob("[a-z]*.pyx")}.difference(workloads.KERNELS[game])
    code = (
        "import sys, workloads; from gamecore.kernels import level\n"
        f"for name in {sorted(others)}: sys.modules[f'gamecore.kernels.{{level()}}.{{name}}'] = None\n"
        f"for case in workloads.CASES[{game!r}]: case.make()()"
    )
    path = os.pathsep.join((str(sides.ROOT), str(sides.ROOT / "benchmarks")))
    environment = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run([sys.executable, "-c", code], check=False, env=environment, capture_output=True)
    assert not done.returncode, done.stderr.decode()


@pytest.mark.nightly
def test_the_working_tree_against_itself(capsys):
    status = ab.main([".", ".", "-k", "hexapawn 5x5 start", "--rounds", "5", "--seconds", "0.02"])
    text = capsys.readouterr().out
    row = next(line for line in text.splitlines() if line.startswith("hexapawn 5x5 start"))
    assert status in (0, 1, 3), text  # times are not asserted
    assert row.count("6,465") == 2
    assert not re.search("WORK|ANSWER|INSTRUCTIONS", row)
