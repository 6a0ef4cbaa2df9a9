"""The static site in a browser: the page with Python in a worker, tutorials that run, offline. It must be built."""

import functools
import http.server
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from explore import browser

from gamecore import hearts

ROOT = Path(__file__).parents[2]
TOOL = [sys.executable, str(ROOT / "tools" / "wasm.py")]
MOST_BYTES = 15_000_000  # of one visit
START = "DQH2HA:H3D6S3:A:-"
HEARTS = hearts.Round.deal(rng=11).to_text()
PAGES = {
    "duel": (START, {"HA"}),
    "hexapawn": ("5/pp1pp/PPp2/3P1/4P:w", None),
    "rows": ("greedy:me:0:0:5,7,9,1,4,2", {"L"}),
    "hearts": (HEARTS, None),
}
pytestmark = pytest.mark.nightly


class Handler(http.server.SimpleHTTPRequestHandler):
    """Files, and how many bytes of them went out; ``away`` refuses all."""

    sent = 0
    away = False

    def copyfile(self, source, outputfile):
        data = source.read()
        Handler.sent += len(data)
        outputfile.write(data)

    def send_head(self):
        if Handler.away:
            self.send_error(503)
            return None
        return super().send_head()

    def log_message(self, *arguments):
        pass


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A site with the explorer and one tutorial."""
    import markdown

    folder = tmp_path_factory.mktemp("site")
    (folder / "tutorials").mkdir()
    text = (ROOT / "docs" / "tutorials" / "duel.md").read_text(encoding="utf-8")
    html = markdown.markdown(text, extensions=["pymdownx.highlight", "pymdownx.superfences"])
    html = html.replace('class="highlight"', 'class="language-pycon highlight"')
    (folder / "tutorials" / "duel.html").write_text(f"<!doctype html><html><body>{html}</body></html>")
    built = subprocess.run([*TOOL, "site", str(folder)], capture_output=True, text=True, check=False)
    if built.returncode == 77:
        pytest.skip(f"the site is not tested: {built.stderr.strip().splitlines()[-1]}")
    assert built.returncode == 0, built.stderr
    return folder


@pytest.fixture
def address(site):
    """A server's; it begins with no bytes sent."""
    Handler.sent, Handler.away = 0, False
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def chromium(site):
    if reason := browser.missing():
        pytest.skip(reason)
    with browser.chromium() as found:
        yield found


@pytest.fixture
def tab(chromium, address):
    """Makes tabs on the page; errors of scripts fail the test."""
    made = []

    def make(**options):
        context = chromium.new_context(**({"viewport": {"width": 1280, "height": 900}} | options))
        made.append(browser.Explorer(context, f"{address}explore/#x=1"))
        made[-1].page.set_default_timeout(60_000)
        return made[-1]

    yield make
    for one in made:
        one.context.close()
    assert not [problem for one in made for problem in one.problems]


@pytest.mark.parametrize("game", PAGES)
def test_every_games_page(tab, game):
    position, best = PAGES[game]
    explorer = tab()
    explorer.open(game, position)
    explorer.wait("document.querySelectorAll('gc-move-list tbody tr').length > 0", seconds=60)
    explorer.wait("caches.keys().then((all) => all.length > 0)")
    explorer.wait("navigator.serviceWorker.ready.then(() => true)", seconds=60)  # it has fetched the rest
    if best:
        assert explorer.finish() == "finished"
        values = explorer.values()
        assert next(iter(values)) in best
    assert Handler.sent <= MOST_BYTES


def test_loading_is_seen(tab):
    explorer = tab()
    explorer.page.goto(explorer.address)
    status = explorer.page.locator(".loading")
    explorer.wait("/[0-9.]+ of [0-9.]+ MB/.test(document.querySelector('.loading').textContent)", seconds=30)
    explorer.page.wait_for_selector(".board")
    assert not status.is_visible()


def test_a_search_is_stopped_and_another_position_answers(tab):
    explorer = tab().open("hexapawn", "pppppppp/8/8/8/8/8/8/PPPPPPPP:w")
    page = explorer.page
    explorer.wait("Number(document.querySelector('gc-analysis').textContent.match(/[1-9]/)?.[0] ?? 0) > 0")
    page.get_by_role("button", name="Stop").first.click()
    begun = time.monotonic()
    assert explorer.finish() == "stopped"
    page.evaluate(f"location.hash = '#game=duel&position={START}'")
    explorer.wait_position(START)
    assert explorer.finish() == "finished"
    assert time.monotonic() - begun < 30  # a search of a minute would still run


def test_a_url_with_history(tab):
    explorer = tab().open("duel", START, ["HA", "H3", "H2", "pass"], at=2)
    assert explorer.position == "DQH2:D6S3:A:H3"
    assert explorer.page.get_by_role("treeitem").all_inner_texts() == ["start", "♥A", "♥3", "♥2", "pass"]


def test_a_url_that_is_wrong_says_so(tab):
    explorer = tab().open("duel", "nonsense")
    explorer.page.locator(".message.error").wait_for()


def test_offline_after_the_first_load(tab):
    explorer = tab().open("duel", START)
    explorer.wait("navigator.serviceWorker.ready.then(() => true)", seconds=60)
    explorer.wait(
        "navigator.serviceWorker.getRegistration().then((one) => one.active?.state === 'activated')", seconds=60
    )
    Handler.away = True
    explorer.open("rows", "greedy:me:0:0:5,7,9,1,4,2")
    assert explorer.finish() == "finished"


def test_on_a_narrow_screen(tab):
    explorer = tab(viewport={"width": 360, "height": 740}).open("duel", START)
    assert explorer.finish() == "finished"
    assert explorer.page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize(
    ("script", "says"),
    [
        ("delete window.WebAssembly", "needs WebAssembly"),
        ("const Old = Worker; window.Worker = class extends Old { set onmessage(take) { "
         "take({ data: { kind: 'failed', memory: true, message: '' } }); } }", "too little memory"),
    ],
)  # fmt: skip
def test_a_browser_that_cannot_is_told_so(tab, script, says):
    explorer = tab()
    explorer.page.add_init_script(script)
    explorer.page.goto(explorer.address)
    alert = explorer.page.get_by_role("alert")
    alert.wait_for()
    assert says in alert.inner_text()


def test_a_tutorials_blocks_run(tab, address):
    page = tab().page
    page.goto(f"{address}tutorials/duel.html")
    buttons = page.get_by_role("button", name="Run")
    assert buttons.count() > 3
    buttons.nth(1).click()
    output = page.locator(".gamecore-run").nth(1)
    page.wait_for_function("document.querySelectorAll('.gamecore-run')[1].getAttribute('aria-busy') === 'false'")
    assert output.inner_text().splitlines() == ["(9, True)", "['alpha-beta', 'full', 'memoised']"]
