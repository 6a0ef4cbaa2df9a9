"""The kernels' C without Python: the compilers' own vectors, which other processors take, give the stored checksums."""

import importlib.util
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PATH = ROOT / "tools" / "portable.py"
pytestmark = pytest.mark.skipif(not PATH.exists(), reason="the tools of a checkout are not here")


@pytest.fixture(scope="module")
def portable():
    spec = importlib.util.spec_from_file_location("gamecore_portable", PATH)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def compiled(portable, tmp_path, monkeypatch):
    """A target that the machine has; its program is compiled once, without optimisation, which takes least time."""
    from oracles import build

    command = build.compiler()
    if command is None:
        pytest.skip("this needs a C compiler, and none is installed")
    target = portable.Target("here", " ".join([*command, "-DGAMECORE_PORTABLE"]), "", "gcc")
    program = portable.compile_check(target, tmp_path, "-O0")
    monkeypatch.setattr(portable, "compile_check", lambda *_: program)
    return target


def test_checksums_are_those_of_every_other_build(portable, compiled, tmp_path):
    expected = portable.EXPECTED.read_text(encoding="utf-8")
    assert "prints the checksums of all" in portable.judge(compiled, tmp_path, expected)
    changed = expected.replace("rows i32       5", "rows i32       6")
    assert changed != expected
    with pytest.raises(RuntimeError, match=r"other checksums than expected\.txt:\nrows i32 "):
        portable.judge(compiled, tmp_path, changed)
    with pytest.raises(RuntimeError, match="other checksums"):
        portable.judge(compiled, tmp_path, expected + "more 0\n")


def test_what_a_compiler_says_is_told(portable, tmp_path):
    target = portable.Target("none", "cc -DROWS_PAD=nonsense -fsyntax-only -no-such-option", "", "gcc")
    if target.missing():
        pytest.skip("this needs a C compiler, and none is installed")
    with pytest.raises(RuntimeError, match="no-such-option"):
        portable.compile_check(target, tmp_path)


def test_compilers_that_are_missing_are_named(portable, monkeypatch, capsys):
    gone = [portable.Target("far", "no-such-compiler -x", "no-such-emulator", "far-away")]
    monkeypatch.setattr(portable, "targets", lambda: gone)
    monkeypatch.setattr(sys, "argv", ["portable.py"])
    assert portable.main() == 1  # nothing was tried
    assert capsys.readouterr().out == (
        "far            left out: no-such-compiler is not installed: apt install far-away\n"
    )
