"""The gates bite: on copies of a kernel that are known to be worse, and not on equal ones."""

import os
import shutil
import subprocess
import sys

import ab
import pytest
import trials
import workloads
from comparing import instructions, intervals, sides

from gamecore import GamecoreError


@pytest.mark.nightly
@pytest.mark.parametrize("change", [trials.WORK[3], trials.WORK[6]], ids=lambda change: f"{change.game}-{change.what}")
def test_a_kernel_without_its_ordering_is_red_by_its_work(change):
    assert trials.trial_of_work(change)


@pytest.mark.nightly
def test_another_order_of_moves_fails_the_signatures(tmp_path):
    import importlib.util

    spec = importlib.util.spec_from_file_location("gamecore_signatures", sides.ROOT / "tools" / "signatures.py")
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    change = trials.WORK[0]
    _, worse = trials.sides_of("signatures", change.game, [(change.old, change.new)])
    built = sides.ROOT / "gamecore" / "kernels"
    for module in built.glob("*/*.so"):  # the tool imports all games; only the changed one was rebuilt
        target = worse.tree / "gamecore" / "kernels" / module.relative_to(built)
        if not target.exists():
            shutil.copyfile(module, target)
    code = "import sys, json; sys.path.insert(0, sys.argv[1]); import signatures as tool; "
    code += "print(json.dumps(tool.duel_signatures()))"
    found = trials.subprocess.run(
        [trials.sys.executable, "-c", code, str(sides.ROOT / "tools")],
        env=ab.environment(worse, ab.available_levels()[-1]), cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert found.returncode == 0, found.stderr
    stored = tool.json.loads((sides.ROOT / "tests" / "data" / "signatures.json").read_text(encoding="utf-8"))
    lines = tool.differences({"duel": stored["duel"]}, {"duel": tool.json.loads(found.stdout)})
    assert any("nodes" in line for line in lines)


def test_a_patch_that_does_not_fit_any_more_is_an_error(tmp_path):
    (tmp_path / "pyx" / "simd").mkdir(parents=True)
    (tmp_path / "pyx" / "duel.pyx").write_text("one one", encoding="utf-8")
    with pytest.raises(GamecoreError, match="'two' stands nowhere in the kernel duel"):
        trials.replace(tmp_path, "duel", "two", "three")
    with pytest.raises(GamecoreError, match="'one' stands in several places"):
        trials.replace(tmp_path, "duel", "one", "three")


@pytest.mark.parametrize("change", trials.WORK, ids=lambda change: f"{change.game}-{change.what}")
def test_every_trial_still_finds_its_line(change, tmp_path):
    trials.shutil.copytree(sides.ROOT / "pyx", tmp_path / "pyx")
    trials.replace(tmp_path, change.game, change.old, change.new)


# --- verdicts of ab.py, on made-up times -----------------------------------------------------------------------------


def result(ratio=1.0, nodes=(100, 100), instructions=(None, None), key="nodes"):
    times = [0.001 * (1 + 0.01 * (number % 3)) for number in range(12)]
    exact = [{key: nodes[0]}, {key: nodes[1]}]
    return ab.Result((times, [ratio * time for time in times]), (times, times), exact, list(instructions))


@pytest.mark.parametrize(
    ("found", "text", "bad"),
    [
        (result(), "equal", False),
        (result(1.2), "slower", True),
        (result(0.8), "faster", False),
        (result(0.8, (100, 101)), "MORE WORK; faster", True),
        (result(1.0, (100, 99)), "less work; equal", False),
        (result(1.0, (1, 2), key="checksum"), "CHANGED ANSWER; equal", True),
        (result(1.0, (2, 1), key="checksum"), "CHANGED ANSWER; equal", True),
        (result(1.0, instructions=(1000, 1020)), "MORE INSTRUCTIONS +2.0%; equal", True),
        (result(1.0, instructions=(1000, 980)), "fewer INSTRUCTIONS -2.0%; equal", False),
        (result(1.0, instructions=(1000, 1009)), "equal", False),
    ],
)
def test_work_is_exact_and_times_have_a_band(found, text, bad):
    judged = ab.judged(found, loaded=False)
    assert (judged.text, judged.bad) == (text, bad)


def test_a_loaded_machine_is_no_judge_of_times_but_work_is_still_red():
    slower = ab.judged(result(1.5), loaded=True)
    assert (slower.bad, slower.unjudged) == (False, True)
    assert slower.text == "not judged: the machine was too loaded to judge"
    assert ab.judged(result(1.0, (1, 2)), loaded=True).bad


def test_noise_is_not_enough_evidence():
    noisy = ab.Result(([1.0] * 6, [0.8, 1.3, 0.9, 1.4, 1.0, 1.2]), ([], []), [{}, {}], [None, None])
    judged = ab.judged(noisy, loaded=False)
    assert judged.unjudged
    assert not judged.bad
    assert intervals.UNPROVEN in judged.text


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
def test_the_working_tree_against_itself(tmp_path, capsys):
    out = tmp_path / "ab.json"
    options = ["-k", "hexapawn 5x5 start", "--rounds", "5", "--seconds", "0.02", "--json", str(out), "--markdown"]
    status = ab.main([".", ".", *options])
    text = capsys.readouterr().out
    assert status in (0, 3), text  # never red
    assert "| hexapawn 5x5 start |" in text
    case = ab.json.loads(out.read_text(encoding="utf-8"))["cases"][0]
    assert case["exact"][0] == case["exact"][1] == {"nodes": 6465}
    assert len(case["seconds"][0]) == 5
    if instructions.available():
        one, other = case["instructions"]
        assert abs(one / other - 1) < 1e-3
