"""``gamecore hearts train``."""

import functools
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from command import said

from gamecore import cli, hearts
from gamecore.hearts._weights import Weights

ROOT = Path(__file__).parents[2]
TINY = ["--scale", "0.0005", "--workers", "1"]


run = functools.partial(said, "hearts", "train")


def test_the_same_seed_gives_the_same_file_which_plays(capsys, tmp_path):
    one, two = (tmp_path / name for name in ("one.weights", "two.weights"))
    status, out, err = run("--out", str(one), "--seed", "3", *TINY)
    assert (status, err) == (0, "")
    assert out.splitlines()[-1].endswith(f"play linear:weights={one}")
    assert sum("decisions judged" in line for line in out.splitlines()) == len(hearts.RECIPE)
    assert run("--out", str(two), "--seed", "3", "--scale", "0.0005", "--workers", "3")[0] == 0
    assert one.read_bytes() == two.read_bytes()
    players = [f"linear:weights={one}", f"search:2:weights={one}", "greedy", "greedy"]
    assert cli.main(["hearts", "simulate", "--players", *players, "--rounds", "5", "--seed", "1"]) == 0
    assert f"linear:weights={one}" in capsys.readouterr().out


def test_it_is_the_library_s_training_for_other_rules_and_fields(tmp_path):
    file = tmp_path / "jack.weights"
    rules = hearts.Rules(jack_of_diamonds=True, moon="shooter", must_break_hearts=False)
    flags = ["--jack-of-diamonds", "--moon", "shooter", "--no-must-break-hearts"]
    options = [*TINY, "--field", "duck", "pimc:2", "--passing", "cycle", "--seed", "5", *flags]
    status, out, _ = run("--out", str(file), "--json", *options)
    assert status == 0
    made = json.loads(out)
    stages = [hearts.Stage(**stage) for stage in made["stages"]]
    assert all(tuple(stage.field) == ("duck", "pimc:2") for stage in stages)
    expected = hearts.train(stages, 5, rules=rules, passing="cycle")
    found = Weights.load(file)
    assert np.array_equal(found.policy, expected.weights.policy)
    assert np.array_equal(found.behaviour, expected.weights.behaviour)
    assert (made["rules"], made["curves"]) == (rules.to_dict(), expected.curves)
    # What the file says of its making makes it again.
    words = found.about["command"].split()
    assert words[:3] == ["gamecore", "hearts", "train"]
    again = tmp_path / "again.weights"
    assert run("--out", str(again), *words[3:])[0] == 0
    assert again.read_bytes() == file.read_bytes()


def test_a_time_is_given_as_a_scale_that_can_be_given_again(tmp_path):
    one, two = tmp_path / "one.weights", tmp_path / "two.weights"
    status, out, _ = run("--out", str(one), "--seconds", "1", "--workers", "1")
    assert status == 0
    scale = out.split()[1]
    assert out.startswith(f"--scale {scale} takes about 1 s here\n")
    assert run("--out", str(two), "--scale", scale, "--workers", "1")[0] == 0
    assert one.read_bytes() == two.read_bytes()


def test_a_failed_run_leaves_what_was_there(tmp_path, monkeypatch):
    file = tmp_path / "kept.weights"
    file.write_bytes(b"precious")
    assert run("--out", str(file), *TINY, "--field", "nobody")[0] == 2
    for error, reason in ((OSError(28, "No space left on device"), "No space left on device"), (OSError("odd"), "odd")):
        monkeypatch.setattr(Path, "replace", lambda *_, error=error: (_ for _ in ()).throw(error))
        status, _, err = run("--out", str(file), *TINY)
        assert (status, err) == (2, f"gamecore: cannot write {str(file)!a}: {reason}\n")
    assert file.read_bytes() == b"precious"
    assert os.listdir(tmp_path) == ["kept.weights"]


@pytest.mark.skipif(os.name != "posix", reason="sends SIGINT")
def test_ctrl_c_leaves_what_was_there(tmp_path):
    file = tmp_path / "kept.weights"
    file.write_bytes(b"precious")
    command = [sys.executable, "-m", "gamecore", "hearts", "train", "--out", str(file), "--scale", "0.002"]
    command += ["--field", "duck", "--workers", "2"]
    stages = "import gamecore.cli as c, sys; from gamecore import hearts as h; import dataclasses as d;"
    endless = (
        f"{stages} h.RECIPE = tuple(d.replace(s, rounds=s.rounds * 10**4) if k else s"
        " for k, s in enumerate(h.RECIPE)); sys.exit(c.main(sys.argv[1:]))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", endless, *command[3:]], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert "stage 1" in process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "gamecore: interrupted\n")
    assert file.read_bytes() == b"precious"
    assert os.listdir(tmp_path) == ["kept.weights"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "--out"),
        (["--out", "/nonexistent/x.weights"], "cannot write '/nonexistent/x.weights': No such file"),
        (["--out", "{folder}"], "Is a directory"),
        (["--out", "a\0b"], "cannot write 'a\\x00b': "),
        (["--scale", "0"], "--scale must be a number from 0.0001 to 1000, not 0.0"),
        (["--scale", "nan"], "--scale must be"),
        (["--seconds", "0.5"], "--seconds must be a number from 1"),
        (["--seconds", "5", "--scale", "1"], "not allowed with"),
        (["--field", "nobody"], "unknown player 'nobody'"),
        (["--seed", "-1", "--scale", "0.0001"], "seed"),
        (["--passing", "up", "--scale", "0.0001"], "passing"),
        (["--workers", "0", "--scale", "0.0001"], "workers"),
        (["--plot", "/nonexistent/x.svg"], "cannot write"),
    ],
)
def test_bad_input_is_one_line_and_nothing_is_written(tmp_path, arguments, message):
    arguments = [argument.replace("{folder}", str(tmp_path)) for argument in arguments]
    if arguments and "--out" not in arguments:
        arguments += ["--out", str(tmp_path / "out.weights")]
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
    assert os.listdir(tmp_path) == []


def test_a_plot(tmp_path):
    pytest.importorskip("matplotlib", reason="extra `plot`")
    picture = tmp_path / "curves.svg"
    assert run("--out", str(tmp_path / "out.weights"), *TINY, "--plot", str(picture))[0] == 0
    assert b"<svg" in picture.read_bytes()
