"""Searches under way: one a page, a bound on all, stopped by whatever ends the wish for their answer."""

import contextlib
import functools
import http.client
import json
import os
import queue
import re
import signal
import subprocess
import sys
import threading
import time

import pytest
from explore.answers import Page, read_events

from gamecore import duel, hearts, hexapawn
from gamecore.apps.explore import _bounds
from gamecore.apps.explore._api import Api
from gamecore.apps.explore._errors import ApiError
from gamecore.apps.explore._searches import Searches

BOARD = {"game": "hexapawn", "position": hexapawn.Position.start(8, 8).to_text(), "seconds": 60}
ENDLESS = {
    "hexapawn": BOARD,
    "duel": {"game": "duel", "position": duel.deal(26, rng=4).to_text(), "seconds": 60},
    "hearts": {"game": "hearts", "position": hearts.Round.deal(rng=1).to_text(), "seconds": 60},
}
EASY = {"game": "duel", "position": "DQH2HA:H3D6S3:A:-"}


def begin(page, body):
    """A stream that has told its start: its connection, and what reads on."""
    connection, response = page.open("/api/analyse", body)
    events = read_events(response)
    assert next(events)[0] == "start"
    return connection, events


@pytest.mark.parametrize("game", ENDLESS)
def test_a_page_that_goes_away_leaves_no_search(live, game):
    page = live()
    connection, _ = begin(page, ENDLESS[game])
    assert [one["kind"] for one in page.running()] == ["analyse"]
    connection.close()
    page.wait_until_idle()


@pytest.mark.parametrize("game", ENDLESS)
def test_stop_stops(live, game):
    page = live()
    connection, events = begin(page, ENDLESS[game])
    assert (page.ask("/api/stop", {}), list(events)[-1][1]["reason"]) == ((200, {"stopped": 1}), "stopped")
    page.wait_until_idle()
    assert page.ask("/api/stop", {}) == (200, {"stopped": 0})
    connection.close()


def test_the_list_of_searches_would_show_one_that_goes_on(live, monkeypatch):
    """The planted fault: a search that nothing stops. Without it the tests above would prove nothing."""
    from gamecore.apps.explore import _searches

    page = live()
    monkeypatch.setattr(_searches.Run, "cancel", lambda self: None)
    connection, _ = begin(page, BOARD | {"seconds": 1})
    connection.close()
    time.sleep(0.2)
    assert [one["position"] for one in page.running()] == [BOARD["position"]]
    page.wait_until_idle()


def test_a_new_analysis_takes_the_place_of_the_pages_old_one(live):
    page = live()
    connection, events = begin(page, BOARD)
    assert [name for name, _ in page.events("/api/analyse", EASY)][-1] == "end"
    assert list(events)[-1][1]["reason"] == "replaced"
    page.wait_until_idle()
    connection.close()


def test_another_pages_analysis_is_left_alone(live):
    one, other = live("page-0001"), live("page-0002")
    connection, _ = begin(one, BOARD)
    assert other.ask("/api/stop", {}) == (200, {"stopped": 0})
    assert list(other.events("/api/analyse", EASY))[-1][1]["reason"] == "exact"
    (search,) = one.running()
    assert (search["mine"], search["stopping"], [found["mine"] for found in other.running()]) == (True, False, [False])
    connection.close()
    one.wait_until_idle()


def test_there_is_a_bound_on_all_pages_together(live):
    pages = [live(f"page-{number:04}") for number in range(_bounds.ANALYSES + 1)]
    open_ones = [begin(page, BOARD)[0] for page in pages[:-1]]
    status, body = pages[-1].ask("/api/analyse", BOARD)
    assert (status, body["error"]["code"]) == (429, "busy")
    again, events = begin(pages[0], EASY)  # whoever has a search may replace it
    assert list(events)[-1][0] == "end"
    for connection in (*open_ones, again):
        connection.close()
    pages[0].wait_until_idle()
    assert list(pages[-1].events("/api/analyse", EASY))[-1][1]["reason"] == "exact"


def test_calls_that_search_are_bounded_too_and_stop_with_their_page(live):
    page = live()
    body = {name: BOARD[name] for name in ("game", "position")} | {"player": "solver", "seconds": 10}
    sent = []
    for _ in range(_bounds.CALLS):
        connection = page_without_answer(page, "/api/move", body)
        sent.append(connection)
    while len(page.running()) < _bounds.CALLS:
        time.sleep(0.01)
    assert page.ask("/api/move", body)[0] == 429
    assert list(page.events("/api/analyse", EASY))[-1][1]["reason"] == "exact"  # an analysis is not in their way
    for connection in sent:
        connection.close()
    page.wait_until_idle()


def page_without_answer(page, path, body):
    connection = http.client.HTTPConnection("127.0.0.1", page.port, timeout=60)
    connection.request("POST", path, json.dumps(body), page.headers)
    return connection


def test_pages_that_search_do_not_keep_another_from_its_answer(live):
    busy = [begin(live(f"page-{number:04}"), BOARD)[0] for number in range(4)]
    page = live("page-9999")
    for _ in range(5):
        events = list(page.events("/api/analyse", EASY))
        assert [data["moves"][0]["text"] for name, data in events if name == "values"] == ["+9"]
    assert len(page.running()) == 4
    for connection in busy:
        connection.close()
    page.wait_until_idle()


@pytest.mark.skipif(sys.platform != "linux", reason="threads have priorities of their own on Linux alone")
def test_a_long_search_lets_quicker_ones_go_first(live):
    page = live()
    connection, events = begin(page, BOARD)
    while next(events)[0] != "progress" or page.running()[0]["seconds"] < 1:
        pass
    search = page.running()[0]["id"]
    (thread,) = [thread for thread in threading.enumerate() if thread.name == f"gamecore {search}"]
    ours = os.getpriority(os.PRIO_PROCESS, 0)  # of this process, which may itself be niced
    assert os.getpriority(os.PRIO_PROCESS, thread.native_id) == min(ours + 10, 19)
    connection.close()
    page.wait_until_idle()


def test_a_stream_shows_signs_of_life(live, monkeypatch):
    from gamecore.apps.explore import _app

    monkeypatch.setattr(_app, "_KEEP_ALIVE", 0.01)
    page = live()
    connection, response = page.open("/api/analyse", BOARD | {"seconds": 0.3})
    assert b": still at it\n" in response.read()
    connection.close()


# --- without a network -----------------------------------------------------------------------------------------------


def test_after_the_end_nothing_is_listed(api):
    """The last event comes when the thread has left the search, so that whoever asks then is told the truth."""
    for _ in range(20):
        events = queue.Queue()
        api.search("/api/analyse", EASY, "page-0001", lambda name, data, events=events: events.put(name))
        while events.get(timeout=60) != "end":
            pass
        assert api.searches.listed("page-0001")["running"] == []
    listed = api.searches.listed("")
    assert listed["started"] == listed["ended"] == 20


def test_a_search_that_was_stopped_says_nothing_but_its_end(api):
    events = []
    search = api.search("/api/analyse", BOARD, "page-0001", lambda name, data: events.append((name, data)))
    while not events:
        time.sleep(0.001)
    search.stop("gone")
    count = len(events)
    assert search.ended.wait(60)
    assert [name for name, _ in events[count:] if name != "values"] in ([], ["end"], ["progress", "end"])
    while events[-1][0] != "end":
        time.sleep(0.001)
    assert events[-1][1]["reason"] == "gone"


def test_closing_ends_all_and_begins_no_more(api):
    ends = queue.Queue()
    for number in range(4):
        api.search("/api/analyse", BOARD, f"page-{number:04}", lambda name, data: name == "end" and ends.put(data))
    assert api.searches.close(60)
    assert {ends.get(timeout=60)["reason"] for _ in range(4)} == {"closing"}
    with pytest.raises(ApiError, match="about to end"):
        api.search("/api/analyse", BOARD, "page-0001", print)


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
    searches = Searches()
    with pytest.raises(ApiError, match="no more threads"):
        searches.start("page-0001", "analyse", "duel", "-", print, print)
    assert searches.listed("")["running"] == []


def test_sixty_searches_begun_and_stopped_at_once_leave_nothing():
    api, before = Api(), threading.active_count()
    for number in range(60):
        with contextlib.suppress(ApiError):
            api.search("/api/analyse", BOARD, f"page-{number % 5:04}", lambda name, data: None)
        if number % 3 == 0:
            api.searches.stop(f"page-{number % 5:04}")
    assert api.searches.close(60)
    deadline = time.monotonic() + 60
    while threading.active_count() > before:
        assert time.monotonic() < deadline
        time.sleep(0.01)


# --- the command -----------------------------------------------------------------------------------------------------


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_ends_the_server_and_its_searches():
    command = [sys.executable, "-m", "gamecore", "explore", "hexapawn", "--port", "0", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        port, token, start = re.search(r":(\d+)/#token=([\w-]{43})&(\S+)", process.stdout.readline()).groups()
        assert start == "game=hexapawn&position=pppp/4/4/PPPP:w"
        page = Page(int(port))
        page.headers["X-Gamecore-Token"] = token
        connection, events = begin(page, BOARD)
        process.send_signal(signal.SIGINT)
        assert (list(events)[-1][1]["reason"], process.wait(60)) == ("closing", 130)
        assert process.stderr.read() == "gamecore: interrupted\n"
        connection.close()
