"""What every game stands on: CPU levels, lazy imports, limits, cards, versions, short calls; installed, unbuilt."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from types import SimpleNamespace

import numpy as np
import pytest
from command import ROOT, python
from hypothesis import given
from hypothesis import strategies as st

import gamecore
from gamecore import Limits, cards, duel, hearts, hexapawn, kernels, rows
from gamecore.errors import OptionError

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_build_info_names_what_a_bug_report_needs():
    info = gamecore.build_info()
    assert info.level in info.levels
    assert info.cython[0] == "3"
    assert info.kernels == tuple(f"{name} {kernels.level_of(name)}" for name in kernels.NAMES)
    assert "duel v4" not in info.kernels  # v4 has what gains from it
    words = ("numpy", "compiler", "level", "python", "platform", f"kernels   {', '.join(info.kernels)}")
    assert all(word in str(info) for word in words)
    assert PROJECT["project"]["version"] == info.gamecore == gamecore.__version__
    assert gamecore.__version__ in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_every_package_is_installed():
    """Setuptools installs the packages of a list; one that is missing there works in a checkout alone."""
    folders = {path.parent.relative_to(ROOT) for path in (ROOT / "gamecore").rglob("__init__.py")}
    assert sorted(PROJECT["tool"]["setuptools"]["packages"]) == sorted(".".join(folder.parts) for folder in folders)


def test_level_can_be_forced():
    for level in kernels.available_levels():
        code = "from gamecore.duel import _solve; print(_solve._kernel.__name__)"
        assert f"{kernels.level_of('duel', level)}.duel" in python("-c", code, GAMECORE_SIMD=level).stdout


@pytest.mark.parametrize("level", ["v3", "v4"])
def test_a_level_that_the_processor_does_not_run_is_an_import_error(level, monkeypatch):
    """What walks through packages (documentation, pydoc) loads everything: that must not end the process."""
    done = python("-c", f"import gamecore.kernels.{level}.rows")
    is_refused = re.search("ImportError: this processor|ModuleNotFoundError: not built", done.stderr) is not None
    assert is_refused == (done.returncode != 0) == (level not in kernels.available_levels())
    monkeypatch.setattr(kernels, "_compiled", lambda _: SimpleNamespace(cpu_level=lambda: 2))
    with pytest.raises(ImportError, match=f"this processor does not run the kernels of CPU level {level}"):
        kernels.require(level)
    kernels.require("baseline")


def test_unknown_level_is_an_error_that_names_the_choices():
    result = python("-c", "import gamecore; gamecore.build_info()", GAMECORE_SIMD="v9")
    assert result.returncode != 0
    assert "GAMECORE_SIMD='v9' is not available here; one of: baseline" in result.stderr


GAMES = ["duel", "hexapawn", "rows", "hearts"]
#: What some code loads: the game of the kernels, and other large libraries.
LOADS = {f"from gamecore import {game}; {game}.solve({game}.random(rng=1))": (game, {"numpy"}) for game in GAMES}
LOADS |= dict.fromkeys(("import gamecore", "import gamecore; gamecore.Limits()", "import gamecore.cli"), ("", set()))
COMMAND = "import contextlib\nfrom gamecore.cli import main\nwith contextlib.suppress(SystemExit): main("
for words in (["--version"], ["--game", str(ROOT / "examples" / "nim.py"), "nim", "A:1.2"]):
    LOADS[f"{COMMAND}{words})"] = "", set()
LOADS |= {f"{COMMAND}['{tool}', '--help'])": ("", set()) for tool in ("play", "solve-file", "prove")}
LOADS["from gamecore import hexapawn; hexapawn.Position.start(3, 3).picture().svg"] = "hexapawn", set()


@pytest.mark.parametrize("code", LOADS)
def test_import_is_lazy(code):
    """A game loads its own kernels, at its highest level up to that of this run, and no others."""
    done = python("-c", f"{code}\nimport sys; print(*sys.modules)")
    loaded = [name.split(".") for name in done.stdout.split()]
    game, libraries = LOADS[code]
    large = {"numpy", "matplotlib", "tqdm", "starlette", "Cython", "distributed", "IPython"}
    assert large & {name[0] for name in loaded if len(name) == 1} == libraries, done.stderr
    modules = {
        (name[2], name[3].partition("_")[0]) for name in loaded if name[:2] == ["gamecore", "kernels"] and name[3:]
    }
    assert modules == ({(kernels.level_of(game), game)} if game else set())


def test_names_of_the_package():
    """Apps have second names; importing the package imports none of what finds files in packages."""
    code = "import sys\nimport gamecore\nprint('importlib.resources' in sys.modules, gamecore.kit.__name__)"
    assert python("-W", "error", "-c", code).stdout == "False gamecore.apps.kit\n"
    assert "duel" in dir(gamecore)
    with pytest.raises(AttributeError, match="chess"):
        _ = gamecore.chess


HUGE, NONE, SOON = 10**5000, float("nan"), 4e9
ALLOWED = {"seconds": (0, 0.5, SOON, 1e30, HUGE, None), "nodes": (0, SOON, 1e30, HUGE, None)}
ALLOWED |= {"table_mb": (0.5, None), "deadline": (SOON, None)}
VALUES = [HUGE, -HUGE, -1, 0, 0.5, SOON, 1e30, float("inf"), NONE, "7", True, None, [HUGE]]


@pytest.mark.parametrize("field", ALLOWED)
@pytest.mark.parametrize("value", VALUES, ids=cards.printable)
def test_limits_hold_or_are_refused_with_the_field_and_the_value(field, value):
    if value in ALLOWED[field]:
        assert duel.solve("DQH2HA:H3D6S3:A:-", Limits(**{field: value})).value in (9, None)
        assert hearts.solve(hearts.random(rng=3, plies=44), Limits(**{field: value})).nodes >= 0
    else:
        with pytest.raises(OptionError, match=rf"^{field} must be .*") as error:
            Limits(**{field: value})
        assert cards.printable(value).strip("<>") in str(error.value)


@given(st.sets(st.integers(0, 51)))
def test_hands_to_masks_and_back(indices):
    for ranks in (cards.ACE_LOW, cards.ACE_HIGH):
        mask = sum(1 << index for index in indices)
        texts = cards.hand_cards(mask, ranks)
        assert cards.hand_mask(texts, ranks) == mask
        assert [cards.card_index(text, ranks) for text in texts] == sorted(indices)
    assert cards.hand_cards(1 << 51 | 1) == cards.hand_cards(np.uint64(1 << 51 | 1)) == ("CA", "SK")
    assert cards.card_index("C2", cards.ACE_HIGH) == cards.card_index("2C", cards.ACE_HIGH, either_order=True) == 0


@pytest.mark.nightly
def test_sdist_to_wheel_to_install_elsewhere(tmp_path):
    """The way a user without this tree gets it: sources, a wheel built from them, a fresh environment."""
    pytest.importorskip("build.__main__", reason="the package build is in the group 'test-all'")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

    def run(*command):
        words = [str(part) for part in command]
        result = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert result.returncode == 0, result.stdout[-2000:] + result.stderr[-4000:]
        return result.stdout

    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", tmp_path, ROOT)  # the wheel from the sdist
    (wheel,) = tmp_path.glob("gamecore-*.whl")
    assert wheel.stat().st_size < 5 << 20 or "GAMECORE_SANITIZED" in os.environ  # whose compiler adds to kernels
    run(sys.executable, "-m", "venv", tmp_path / "venv")
    binaries = tmp_path / "venv" / "bin"
    run(binaries / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel)
    output = run(binaries / "python", "-c", "import gamecore; print(gamecore.__file__, gamecore.build_info().levels)")
    assert str(tmp_path) in output
    assert str(kernels.available_levels()) in output
    (tmp_path / "deal.txt").write_text("3\nDQ H2 HA\nH3 D6 S3\n", encoding="ascii")
    assert run(binaries / "gamecore", "duel", "deal.txt") == "Alice\n9\n"


# --- a checkout that was never built says so, and what needs no kernel works in it ------------------------------------

MESSAGE = "gamecore is not built here (gamecore.kernels._cpu is missing): pip install -e . (or make demo)"


@pytest.fixture(scope="module")
def unbuilt(tmp_path_factory):
    """A copy of the package without compiled modules."""
    folder = tmp_path_factory.mktemp("unbuilt")
    ignored = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
    shutil.copytree(ROOT / "gamecore", folder / "gamecore", ignore=ignored)
    return folder


LIBRARY = """
from gamecore import batch, errors
from gamecore.errors import GamecoreError, NotBuiltError
from gamecore.reference import duel, hearts, hexapawn, rows
print(batch.run(abs, [-1, 2], workers=2), batch.__file__)
for game in ("duel", "hexapawn", "rows", "hearts"):
    try:
        exec(f"from gamecore import {game}; {game}.solve({game}.random(rng=1))")
    except NotBuiltError as error:
        assert isinstance(error, ImportError) and isinstance(error, GamecoreError)
        print(error.module, error)
"""
NAMED = f"gamecore.kernels._cpu {MESSAGE}\n"


@pytest.mark.parametrize(("words", "expected"), [
    (["-c", LIBRARY], (0, "[1, 2] {}/batch/__init__.py\n" + 4 * NAMED, "")),
    (["-m", "gamecore", "duel", "SA:C2:A:-"], (2, "", f"gamecore: {MESSAGE}\n")),
    (["-m", "gamecore", "--build-info"], (2, "", f"gamecore: {MESSAGE}\n")),
    (["-m", "gamecore", "--help"], (0, None, "")),
])  # fmt: skip
def test_what_needs_a_kernel_says_how_to_build_it(unbuilt, words, expected):
    done = python(*words, cwd=unbuilt, GAMECORE_SIMD="")  # a level that is chosen for these tests may not be there
    status, out, err = expected
    assert (done.returncode, done.stderr) == (status, err)
    assert out is None or done.stdout == out.format(unbuilt / "gamecore")


def test_a_kernel_that_is_missing_alone(unbuilt, tmp_path):
    shutil.copytree(unbuilt / "gamecore", tmp_path / "gamecore")
    for pattern in ("kernels/_*.so", "kernels/baseline/rows.*.so"):
        for path in (ROOT / "gamecore").glob(pattern):
            shutil.copy(path, tmp_path / path.relative_to(ROOT))
    result = python("-m", "gamecore", "duel", "SA:C2:A:-", cwd=tmp_path, GAMECORE_SIMD="")
    assert result.returncode == 2
    assert "(gamecore.kernels.baseline.duel is missing)" in result.stderr


# --- short calls stay short: how many of the package's functions one call of its API enters ---------------------------

PACKAGE = os.path.dirname(gamecore.__file__)
CARDS = "DQH2HA:H3D6:A:-"
BOARD = "ppp/3/PPP:w"


# The most calls of the package's functions that a call may make.
CALLS = {
    "duel": (16, duel.solve, duel.Position.from_text(CARDS)),
    "duel from text": (30, duel.solve, CARDS),
    "hexapawn": (16, hexapawn.solve, hexapawn.Position.from_text(BOARD)),
    "hexapawn from text": (30, hexapawn.solve, BOARD),
    "a row's value": (4, rows.value, [5, 7, 9, 1, 4, 2]),
    "rows": (30, rows.solve, rows.Position.from_text("greedy:me:0:0:5,7,9,1,4,2")),
    "100 rounds of hearts": (110, hearts.simulate, ["greedy"] * 4, 100, 1),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_short_call_makes_few_calls(name):
    """When the package's modules and caches are warm."""
    most, function, *arguments = CALLS[name]
    count = 0

    def on_event(frame, event, argument):
        nonlocal count
        count += event == "call" and frame.f_code.co_filename.startswith(PACKAGE)

    function(*arguments)
    sys.setprofile(on_event)
    try:
        function(*arguments)
    finally:
        sys.setprofile(None)
    assert 1 < count <= most
