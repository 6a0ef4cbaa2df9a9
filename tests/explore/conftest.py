"""The browser and the server of the tests of the page, which are skipped where there is no browser."""

import os
import re
import shutil
import signal
import subprocess
import sys

import pytest
from explore import browser  # pytest's pythonpath has the folder above
from explore.answers import OWN_GAMES, api, ask, known, live, site  # noqa: F401 - fixtures

from gamecore.apps.explore import _server
from gamecore.errors import OptionError

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


@pytest.fixture(scope="module")
def chromium():
    """A headless browser; a module's own, so that Playwright's event loop does not run on in other tests' thread."""
    for name in ("playwright", "axe_playwright_python", "starlette", "uvicorn"):
        pytest.importorskip(name, reason=f"the page is not tested: {name} is not installed (group 'test-all')")
    executable = os.environ.get("GAMECORE_BROWSER") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if executable is None:
        pytest.skip(f"the page is not tested: a browser is not installed ({', '.join(BROWSERS)}, or GAMECORE_BROWSER)")
    from playwright.sync_api import sync_playwright

    options = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        program = playwright.chromium.launch(executable_path=executable, args=options)
        yield program
        program.close()


@pytest.fixture(scope="session")
def address(tmp_path_factory):
    """The address that ``gamecore explore`` prints in a process of its own; it knows three games of files."""
    passing = tmp_path_factory.mktemp("games") / "passing.py"
    passing.write_text("from gamecore import kit\nfrom kit.games import Passing\nGAME = kit.make(Passing)\n")
    games = [word for own in (OWN_GAMES["tictactoe"], OWN_GAMES["guess"], passing) for word in ("--game", str(own))]
    yield from serving(*games, "explore")


@pytest.fixture
def lan_address():
    """The same with ``--lan``: at the machine's address in its network, or without one at another loopback one."""
    pytest.importorskip("segno", reason="--lan is not tested: segno is not installed (group 'test')")
    try:
        host = _server.lan_host(None)
    except OptionError:
        host = "127.0.0.2"
    yield from serving("explore", "--lan", "--host", host)


def serving(*words):
    """Yield the address that a command prints in a process of its own."""
    command = [sys.executable, "-m", "gamecore", *words, "--no-browser", "--port", "0"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        yield re.search(r"http://\S+#token=\S+", process.stdout.readline()).group()
        process.send_signal(signal.SIGINT)
        process.stdout.close()
        process.wait(10)


@pytest.fixture
def tab(chromium, address):
    """Makes tabs: ``tab(width=.., dark=.., ...)`` is a :class:`browser.Explorer` in a fresh context of the browser."""
    tabs = []

    def make(context=None, *, width=1280, dark=False, **options):
        options |= {"viewport": {"width": width, "height": 900}, "color_scheme": "dark" if dark else "light"}
        options |= {"reduced_motion": "reduce", "permissions": ["clipboard-read", "clipboard-write"]}
        tabs.append(browser.Explorer(context or chromium.new_context(**options), address))
        return tabs[-1]

    yield make
    for explorer in tabs:
        explorer.context.close()
    assert not [problem for explorer in tabs for problem in explorer.problems]
