"""Searches: values tighten, end by the limit, and really stop when they are no longer wanted."""

import math
import re
import time

LARGE = "pppppppp/8/8/8/8/8/8/PPPPPPPP:w"  # nobody solves it in a minute


def running(explorer):
    return explorer.ask("/api/analyses")["running"]


def wait_idle(explorer, seconds=3):
    """Until the server runs nothing; its threads leave a search within some milliseconds."""
    deadline = time.monotonic() + seconds
    while running(explorer):
        assert time.monotonic() < deadline, "a search goes on"
        time.sleep(0.02)


def begin(explorer, seconds="60"):
    explorer.open("hexapawn", LARGE)
    set_time(explorer, seconds)
    values = "[...document.querySelectorAll('gc-move-list .value')].map(e => e.textContent)"
    explorer.wait(f"(values => values.length && values.every(value => value !== '…'))({values})")


def set_time(explorer, seconds):
    details = explorer.page.locator("gc-analysis details")
    details.evaluate("details => { details.open = true; }")
    slider = explorer.page.get_by_label("Time", exact=True)
    slider.focus()
    explorer.page.keyboard.press("End" if seconds == "60" else "Home")
    assert explorer.page.locator("gc-analysis output").inner_text() == f"{seconds} s"


def test_bounds_are_shown_while_the_search_goes_on(explorer):
    begin(explorer)
    assert len([one for one in running(explorer) if not one["stopping"]]) == 1
    assert all(".." in value for value, _ in explorer.values().values())
    assert all(
        text.endswith("?") or text.startswith("~") for text in explorer.badges().values()
    )  # unknown, or estimated
    nodes = explorer.page.locator("gc-analysis dt:text-is('Nodes') + dd")
    nodes.wait_for()
    before = nodes.inner_text()
    explorer.wait("before => [...document.querySelectorAll('gc-analysis dd')][0].textContent !== before", before)
    explorer.page.get_by_role("button", name="Stop").click()
    wait_idle(explorer)
    assert explorer.finish() == "stopped"


def test_playouts_order_what_is_not_proven(explorer):
    begin(explorer)
    shown = re.compile(r"(\d+) ± (\d+)% of (\d+) random playouts won")
    detail = explorer.page.locator("gc-move-list .detail")
    detail.filter(has_text=shown).wait_for()
    share, error, playouts = map(int, shown.search(detail.inner_text()).groups())
    assert error == math.ceil(100 / math.sqrt(playouts))
    mark = explorer.page.locator("gc-bar .mark").evaluate("mark => parseFloat(mark.style.left)")
    assert abs(mark - share) < 30  # more playouts may have come in between
    explorer.wait(
        "past => Number(document.querySelector('gc-move-list .detail').textContent.match(/of (\\d+)/)[1]) > past",
        playouts,
    )
    first = explorer.page.locator("gc-move-list button.move").first.inner_text()
    assert detail.locator("strong").inner_text() == first


def test_another_position_ends_the_search(explorer):
    begin(explorer)
    first = running(explorer)[-1]["id"]
    explorer.page.locator('.board [data-value="a1-a2"] text').click()  # while values come in
    explorer.wait_other(LARGE)
    deadline = time.monotonic() + 3
    while any(one["id"] == first for one in running(explorer)):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_closed_tab_leaves_no_search(tab):
    explorer = tab()
    begin(explorer)
    assert running(explorer)
    explorer.page.close()
    wait_idle(explorer)


def test_the_time_that_is_set_is_kept(explorer):
    explorer.open("hexapawn", LARGE)
    set_time(explorer, "0.1")
    assert explorer.finish() == "time is up"
    seconds = explorer.page.locator("gc-analysis summary .muted").inner_text()
    assert float(seconds.split()[0]) < 5
    wait_idle(explorer)
