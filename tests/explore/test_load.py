"""Fifty pages at once: each answer is the right one, and memory does not grow."""

import json
import os
import random
import threading
import time

import pytest

from gamecore import duel, hexapawn, rows

PAGES = 50
BUSY = 429


def tasks(seed):
    """Positions of three games with the values that the library gives."""
    source = random.Random(seed)
    found = []
    for number in range(30):
        library = (duel, hexapawn, rows)[number % 3]
        position = library.random(rng=source.randrange(1 << 30))
        if not position.is_over:
            known = {one.move: one.value for one in library.analyse(position)}
            found.append((library.__name__.rpartition(".")[2], position, known))
    return found


class Visitor(threading.Thread):
    """One page that asks and compares until the time is over.

    Attributes:
        wrong: answers that were not the library's. done, refused: how many.
    """

    def __init__(self, page, known, until, seed):
        super().__init__()
        self.page, self.known, self.until = page, known, until
        self.source = random.Random(seed)
        self.wrong, self.done, self.refused = [], 0, 0

    def run(self):
        try:
            while time.monotonic() < self.until:
                self.visit(*self.source.choice(self.known))
        except Exception as error:
            self.wrong.append(repr(error))

    def visit(self, game, position, values):
        text = position.to_text()
        if self.source.random() < 0.3:  # a page that leaves before it is answered
            connection, _ = self.page.open("/api/analyse", {"game": game, "position": text})
            connection.close()
            return
        status, body = self.page.ask("/api/position", {"game": game, "position": text})
        if status != 200 or body["views"][0]["legal_moves"] != list(position.legal_moves()):
            self.wrong.append((text, status, body))
        connection, response = self.page.open("/api/analyse", {"game": game, "position": text})
        told = response.read().decode()
        connection.close()
        if response.status == BUSY:
            self.refused += 1
            time.sleep(0.05)
            return
        lines = [line for line in told.splitlines() if line.startswith('data: {"moves"')]
        found = read(lines[-1])
        if found != values:
            self.wrong.append((text, found, values))
        self.done += 1


def read(line):
    return {one["move"]: one["value"] for one in json.loads(line[6:])["moves"]}


def resident():
    """Memory of this process in KiB."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024


def visited(live, seconds, seed):
    known, until = tasks(seed), time.monotonic() + seconds
    visitors = [Visitor(live(f"page-{number:04}"), known, until, seed + number) for number in range(PAGES)]
    for visitor in visitors:
        visitor.start()
    for visitor in visitors:
        visitor.join()
    live("page-9999").wait_until_idle()
    assert not [wrong for visitor in visitors for wrong in visitor.wrong]
    return sum(visitor.done for visitor in visitors), sum(visitor.refused for visitor in visitors)


def test_fifty_pages_are_answered_rightly(live):
    done, _ = visited(live, 2, 1)
    assert done >= PAGES


@pytest.mark.nightly
@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="memory is read as Linux has it")
def test_fifty_pages_leave_memory_flat(live, capsys):
    seconds = int(os.environ.get("GAMECORE_LOAD_SECONDS", "10"))  # docs/explore.md has what a minute gave
    visited(live, 5, 1)  # threads, caches and the allocator's arenas have their size then
    before = resident()
    done, refused = visited(live, seconds, 2)
    grown = resident() - before
    with capsys.disabled():
        print(f"\n50 pages, {seconds} s: {done} right, {refused} told to try again, memory {before} + {grown} KiB")
    assert done > seconds * PAGES // 4
    assert grown < 16 * 1024
