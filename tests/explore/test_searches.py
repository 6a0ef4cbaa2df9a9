"""Running searches: one a page, a bound on all, stopped by whatever ends the wish for their answer; fifty pages."""

import functools
import os
import queue
import random
import re
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from explore.answers import GAMES, Page, read_events, refused

from gamecore import duel, hearts, hexapawn
from gamecore.apps.explore import _bounds
from gamecore.apps.explore._errors import ApiError
from gamecore.apps.explore._searches import Searches

BOARD = {"game": "hexapawn", "position": hexapawn.Position.start(8, 8).to_text(), "seconds": 60}
ENDLESS = [
    BOARD,
    {"game": "duel", "position": duel.deal(26, rng=4).to_text(), "seconds": 60},
    {"game": "hearts", "position": hearts.Round.deal(rng=1).to_text(), "seconds": 60},
]
EASY = {"game": "duel", "position": "DQH2HA:H3D6S3:A:-"}


def end_of(events):
    """The reason of a stream's last event."""
    name, data = list(events)[-1]
    assert name == "end"
    return data["reason"]


@pytest.mark.parametrize("body", ENDLESS, ids=lambda body: body["game"])
def test_stop_stops_and_a_page_that_goes_away_leaves_no_search(live, body):
    page = live()
    events = page.analyse(body)
    (search,) = page.running()
    assert (search["kind"], search["mine"], search["stopping"]) == ("analyse", True, False)
    assert (page.ask("/api/stop", {}), end_of(events)) == ((200, {"stopped": 1}), "stopped")
    page.wait_until(0)
    assert page.ask("/api/stop", {}) == (200, {"stopped": 0})
    page.analyse(body)
    page.leave()
    page.wait_until(0)


def test_a_new_analysis_takes_the_place_of_the_pages_old_one_alone(live):
    page, other = live("page-0001"), live("page-0002")
    events, _ = page.analyse(BOARD), other.analyse(BOARD)
    assert end_of(page.analyse(EASY)) == "exact"
    assert end_of(events) == "replaced"
    assert [search["mine"] for search in page.running() if not search["stopping"]] == [False]
    assert page.ask("/api/stop", {}) == (200, {"stopped": 0})
    other.leave()
    page.wait_until(0)


def test_there_is_a_bound_on_all_pages_together(live):
    pages = [live(f"page-{number:04}") for number in range(_bounds.ANALYSES + 1)]
    for page in pages[:-1]:
        page.analyse(BOARD)
    status, body = pages[-1].ask("/api/analyse", BOARD)
    assert (status, body["error"]["code"]) == (429, "busy")
    assert end_of(pages[0].analyse(EASY)) == "exact"  # whoever has a search may replace it


def test_calls_that_search_are_bounded_too_and_stop_with_their_page(live):
    page = live()
    body = {name: BOARD[name] for name in ("game", "position")} | {"player": "solver", "seconds": 10}
    for _ in range(_bounds.CALLS):
        page.send("/api/move", body)
    page.wait_until(_bounds.CALLS)
    assert page.ask("/api/move", body)[0] == 429
    assert end_of(page.analyse(EASY)) == "exact"  # an analysis is not in their way
    page.leave()
    page.wait_until(0)


def test_the_last_event_comes_when_the_search_is_no_longer_listed(api):
    seen = queue.Queue()

    def note(name, data):
        if name == "end":
            seen.put(api.searches.listed("")["running"])

    for _ in range(20):
        api.search("/api/analyse", EASY, "page-0001", note)
        assert seen.get(timeout=60) == []
    assert api.searches.started == api.searches.ended == 20


def test_a_search_that_was_stopped_says_nothing_but_its_end():
    searches, events = Searches(), queue.Queue()

    def job(search):
        search.emit("values", {"at": 1})
        search.stop("gone")
        search.emit("values", {"at": 2})

    searches.start("page-0001", "analyse", "duel", "-", job, lambda name, data: events.put((name, data)))
    assert events.get(timeout=60) == ("values", {"at": 1})
    name, data = events.get(timeout=60)
    assert (name, data["reason"]) == ("end", "gone")


def test_pages_take_turns_and_have_one_search_each():
    searches, began, ends = Searches(slots=2), [], queue.Queue()
    go, started = {name: threading.Event() for name in ("A1", "A2", "A3", "B1", "C1", "C2")}, queue.Queue()

    def start(name):
        def job(search):
            began.append((name, search.most))
            started.put(name)
            assert go[name].wait(60)

        return searches.start(name[0] * 8, "call", "duel", "-", job, lambda *_: ends.put(name))

    start("A1"), start("A2")  # of one page: the second waits, although a slot is free
    start("B1"), start("C1")
    stopped = start("C2")
    assert {started.get(timeout=60), started.get(timeout=60)} == {"A1", "B1"}
    stopped.stop("gone")
    for name, following in (("A1", "C1"), ("B1", "A2")):  # C has not been served yet
        go[name].set()
        assert started.get(timeout=60) == following
    go["C1"].set(), go["A2"].set()
    assert {ends.get(timeout=60) for _ in range(5)} == {"A1", "A2", "B1", "C1", "C2"}  # C2 without a turn
    assert dict(began) == {"A1": 3.0, "B1": 0.2, "C1": 0.2, "A2": 3.0}


@pytest.mark.parametrize("live", ["<svg/>"], indirect=True)
def test_a_call_of_a_class_ends_the_analysis_of_its_page_soon(live):
    page, body = live(), {name: BOARD[name] for name in ("game", "position")}
    events = page.analyse(BOARD)
    assert page.ask("/api/move", body | {"player": "greedy"})[0] == 200
    assert end_of(events) == "limit"


def test_closing_ends_all_and_begins_no_more(api, ask):
    ends = queue.Queue()
    for number in range(4):
        api.search("/api/analyse", BOARD, f"page-{number:04}", lambda name, data: name == "end" and ends.put(data))
    assert api.searches.close(60)
    assert {ends.get(timeout=60)["reason"] for _ in range(4)} == {"closing"}
    assert "about to end" in refused(ask, "analyse", **BOARD).message


def test_a_job_that_fails_is_told_and_forgotten(capsys):
    searches, events = Searches(), queue.Queue()

    def fail(search, failure):
        raise failure

    for failure, status in ((MemoryError(), 429), (RuntimeError("secret"), 500), (ApiError(418, "x", "y"), 418)):
        job = functools.partial(fail, failure=failure)
        searches.start("page-0001", "analyse", "duel", "-", job, lambda name, data: events.put((name, data)))
        name, data = events.get(timeout=60)
        assert (name, data["status"]) == ("error", status)
        assert "secret" not in data["message"]
        assert searches.listed("")["running"] == []
    assert "secret" in capsys.readouterr().err  # in the terminal of who runs the server


def test_threads_that_the_system_does_not_give(monkeypatch):
    def start(self):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", start)
    searches, told = Searches(), []
    searches.start("page-0001", "analyse", "duel", "-", print, lambda *event: told.append(event))
    assert [(name, data["code"]) for name, data in told] == [("error", "busy")]
    assert "no more threads" in told[0][1]["message"]
    assert searches.listed("")["running"] == []


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_ends_the_server_and_its_searches():
    command = [sys.executable, "-m", "gamecore", "explore", "hexapawn", "--port", "0", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        port, token, start = re.search(r":(\d+)/#token=([\w-]{43})&(\S+)", process.stdout.readline()).groups()
        assert start == "game=hexapawn"
        events = Page(int(port), token=token).analyse(BOARD)
        process.send_signal(signal.SIGINT)
        assert (end_of(events), process.wait(60)) == ("closing", 130)
        assert process.stderr.read() == "gamecore: interrupted\n"


# --- fifty pages at once: each answer is the right one, and memory does not grow --------------------------------------

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
