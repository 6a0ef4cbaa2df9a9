"""Ctrl-C leaves the bounds that a search has reached; while the command is imported, too, it ends in one line."""

import re
import signal
import subprocess
import sys
import time

import pytest

from gamecore import duel

TWO_DEALS = "3\nDQ H2 HA\nH3 D6 S3\n" + duel.deal(26, rng=4).to_judge()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT of another process on Windows")
@pytest.mark.parametrize(("words", "text", "first", "last"), [
    (["duel", "--table-mb", "64"], TWO_DEALS, "9", r".*\n.*\.\..*\n"),
    (["hexapawn", "3x3", "8x8", "--table-mb", "16"], "", "3x3: -6", r"8x8: \? -96\.\.\+97 for white\n"),
    (["hexapawn", "3x3", "8x8", "--threads", "2", "--analyse", "--json"], "", '"exact": true', '.*"exact": false.*\n'),
    (["prove", "hexapawn", "8x8", "--store", "proof", "--job-nodes", "3000", "--json"], "", '"jobs": ', "(?s).*"),
])  # fmt: skip
def test_control_c_gives_the_bounds_reached(words, text, first, last, tmp_path):
    """The half second itself is measured in the benchmarks."""
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen([sys.executable, "-m", "gamecore", *words], **pipes, text=True, cwd=tmp_path) as process:
        process.stdin.write(text)
        process.stdin.close()
        assert any(first in line for line in iter(process.stdout.readline, ""))
        time.sleep(0.2)  # the second search has begun
        process.stdin = None
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "gamecore: interrupted\n")
    assert re.fullmatch(last, out)


@pytest.mark.parametrize("module", ["errors", "contract", "game", "cli"])
def test_control_c_while_importing(module):
    """An exception from ``__del__`` would be printed with its stack, and the command would go on."""
    code = (
        "import signal, sys\nclass Interrupted:\n    def __del__(self):\n        signal.raise_signal(signal.SIGINT)\n"
        f"    def find_spec(name, *rest):\n        if name == 'gamecore.{module}':\n            Interrupted()\n"
        "sys.meta_path.insert(0, Interrupted)\nfrom gamecore.__main__ import main\nsys.exit(main())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "gamecore: interrupted\n")
