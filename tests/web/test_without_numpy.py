"""Single positions need no NumPy: every answer is the same without it."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from gamecore.pcg import Generator
from web.answers import answers

import gamecore

HERE = Path(__file__).parent
RUN = "import runpy, sys; sys.modules['numpy'] = None; runpy.run_path(sys.argv[1], run_name='__main__')"


def without_numpy(package):
    """The answers of a process in which NumPy cannot be imported."""
    code = f"import sys; sys.path.insert(0, {str(package.parent)!r}); {RUN}"
    command = [sys.executable, "-c", code, str(HERE / "answers.py")]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_answers_are_the_same_without_numpy():
    ran = without_numpy(Path(gamecore.__file__).parent)
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout) == json.loads(json.dumps(answers()))


@pytest.mark.nightly
@pytest.mark.parametrize("module", ["__init__.py", "rows/_solve.py", "hearts/_evaluate.py", "explore/_api.py"])
def test_an_import_of_numpy_is_found(tmp_path, module):
    package = shutil.copytree(Path(gamecore.__file__).parent, tmp_path / "gamecore", symlinks=True)
    with (package / module).open("a") as file:
        file.write("\nimport numpy\n")
    ran = without_numpy(package)
    assert ran.returncode == 1
    assert "numpy" in ran.stderr.splitlines()[-1]


@pytest.mark.parametrize("seed", [0, 7, 2**40 + 3, 2**200, [1, 2, 3], [2**70, 0, 5, 9, 2**40]])
def test_random_numbers_are_those_of_numpy(seed):
    ours, theirs = Generator(seed), np.random.default_rng(seed)
    for _ in range(20):
        assert ours.integers(0, 100, 9) == theirs.integers(0, 100, 9).tolist()
        assert ours.permutation(range(52)) == theirs.permutation(range(52)).tolist()
        for most in (1, 7, 2**31 + 5, 2**32, 2**40 + 1):
            assert ours.integers(most) == theirs.integers(most)
        assert ours.integers(0, 2**64) == theirs.integers(0, 2**64, dtype=np.uint64)


@pytest.mark.parametrize("seed", [-1, "7", 1.5, True, [1, -2]])
def test_what_is_no_seed(seed):
    with pytest.raises((TypeError, ValueError)):
        Generator(seed)
