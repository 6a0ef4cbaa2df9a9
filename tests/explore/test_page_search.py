"""Searches: values tighten, end by the limit, and really stop when they are no longer wanted."""

import math
import re
import time

LARGE = "pppppppp/8/8/8/8/8/8/PPPPPPPP:w"  # nobody solves it in a minute


def wait_without(explorer, search=None):
    """Until the server does not run this search, or nothing; its threads leave a search within some milliseconds."""
    deadline = time.monotonic() + 3
    while any(search in (None, one["id"]) for one in explorer.running()):
        assert time.monotonic() < deadline, "a search goes on"
        time.sleep(0.02)


def begin(explorer, key="End"):
    explorer.open("hexapawn", LARGE)
    explorer.page.locator("gc-analysis details").evaluate("details => { details.open = true; }")
    explorer.page.get_by_label("Time", exact=True).focus()
    explorer.page.keyboard.press(key)
    values = "[...document.querySelectorAll('gc-move-list .value')].map(e => e.textContent)"
    explorer.wait(f"(values => values.length && values.every(value => value !== '…'))({values})")


def test_bounds_and_playouts_are_shown_while_the_search_goes_on(explorer):
    begin(explorer)
    page = explorer.page
    assert len([search for search in explorer.running() if not search["stopping"]]) == 1
    assert all(value == "?" for value, _ in explorer.values().values())
    assert all(text.endswith("?") or text.startswith("~") for text in explorer.badges().values())
    nodes = page.locator("gc-analysis dt:text-is('Nodes') + dd")
    before = nodes.inner_text()
    explorer.wait("before => document.querySelector('gc-analysis dd').textContent !== before", before)
    playouts = re.compile(r"(\d+) ± (\d+)% of (\d+) random playouts won")
    detail = page.locator("gc-move-list .detail")
    detail.filter(has_text=playouts).wait_for()
    share, error, count = map(int, playouts.search(detail.inner_text()).groups())
    assert error == math.ceil(100 / math.sqrt(count))
    mark = page.locator("gc-bar .mark").evaluate("mark => parseFloat(mark.style.left)")
    assert abs(mark - share) < 30  # more playouts may have come in between
    first = page.locator("gc-move-list button.move").first.inner_text()
    assert detail.locator("strong").inner_text() == first
    explorer.button("Stop").click()
    wait_without(explorer)
    assert explorer.finish() == "stopped"


def test_another_position_and_a_closed_tab_end_the_search(tab):
    explorer = tab()
    begin(explorer)
    search = explorer.running()[-1]["id"]
    explorer.page.locator('gc-board [data-value="a1-a2"] text').click()  # while values come in
    explorer.wait_other(LARGE)
    wait_without(explorer, search)
    assert explorer.running()
    explorer.page.close()
    wait_without(explorer)


def test_the_time_that_is_set_is_kept(explorer):
    begin(explorer, "Home")
    assert explorer.page.locator("gc-analysis output").inner_text() == "0.1 s"
    assert explorer.finish() == "limit"
    assert float(explorer.page.locator("gc-analysis dt:text-is('Seconds') + dd").inner_text()) < 5
    wait_without(explorer)
