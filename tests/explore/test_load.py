"""Fifty pages at once: each answer is the right one, and memory does not grow."""

import os
import random
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from explore.answers import GAMES, read_events

from gamecore import hexapawn

PAGES = 50
STATM = Path("/proc/self/statm")


def tasks():
    """Positions of three games with the values that the library gives."""
    for number, game in enumerate(("duel", "hexapawn", "rows") * 10):
        position = GAMES[game].random(rng=number)
        body = {"game": game, "position": position.to_text()}
        yield body, {entry.move: entry.value for entry in GAMES[game].analyse(position)}


def visit(page, until, positions):
    """Ask for values until the time is over; a third of the time, leave before they come. Say which were right."""
    source, answers = random.Random(page.headers["X-Gamecore-Client"]), []
    while time.monotonic() < until:
        body, known = source.choice(positions)
        response = page.send("/api/analyse", body).getresponse()
        if response.status != 429 and source.random() < 0.7:
            entries = [data["moves"] for name, data in read_events(response) if name == "values"][-1]
            answers.append({entry["move"]: entry["value"] for entry in entries} == known)
        page.leave()
    return answers


def resident():
    """Memory of this process in KiB."""
    return int(STATM.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024


def visited(live, seconds):
    """Let all pages ask for some seconds; return the number of answers, which are all right."""
    positions, until = list(tasks()), time.monotonic() + seconds
    pages = [live(f"page-{number:04}") for number in range(PAGES)]
    with ThreadPoolExecutor(PAGES) as pool:
        visits = pool.map(visit, pages, [until] * PAGES, [positions] * PAGES)
        answers = [answer for of_page in visits for answer in of_page]
    pages[0].wait_until(0)
    assert all(answers)
    return len(answers)


def test_fifty_pages_are_answered_rightly(live):
    assert visited(live, 1) >= PAGES // 2


@pytest.mark.parametrize("pages", [6, pytest.param(30, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("live", ["<svg/>"], indirect=True)
def test_a_class_that_analyses_and_plays_at_once_is_never_told_busy(live, pages):
    board = {"game": "hexapawn", "position": hexapawn.Position.start(8, 8).to_text()}

    def first_value(number):
        page, begun = live(f"page-{number:04}"), time.monotonic()
        events = page.analyse(board | {"seconds": 60})
        assert next(data for name, data in events if name == "values")["moves"]
        seconds = time.monotonic() - begun
        status, move = page.ask("/api/move", board | {"player": "solver", "seconds": 10})
        assert (status, move["player"]) == (200, "solver")
        return seconds

    with ThreadPoolExecutor(pages) as pool:
        seconds = sorted(pool.map(first_value, range(pages)))
    print(f"\nfirst values after {seconds[pages // 2]:.1f} s (median) to {seconds[-1]:.1f} s")  # docs/class.md


@pytest.mark.nightly
@pytest.mark.skipif(not STATM.exists(), reason="memory is read as Linux has it")
def test_fifty_pages_leave_memory_flat(live, capsys):
    seconds = int(os.environ.get("GAMECORE_LOAD_SECONDS", "10"))  # docs/explore.md has what a minute gave
    visited(live, 5)  # threads, caches and the allocator's arenas have their size then
    before = resident()
    count = visited(live, seconds)
    with capsys.disabled():
        print(f"\n50 pages, {seconds} s: {count} right, memory {before} + {resident() - before} KiB")
    assert count > seconds * PAGES // 4
    assert resident() - before < 16 * 1024
