"""Running searches: a thread each, one analysis a page, a bound on all, and every one of them can be stopped.

A search counts as a batch (:class:`gamecore.batch.workers.Run`): what stops a batch's kernels stops it, and so does
the end of the process.
"""

import contextlib
import itertools
import math
import os
import sys
import threading
import time
import traceback
from collections.abc import Callable
from typing import Final, TypeAlias

from gamecore.apps.explore import _bounds
from gamecore.apps.explore._errors import ApiError, answer_to
from gamecore.batch.workers import Run
from gamecore.game import Json

Deliver: TypeAlias = Callable[[str, Json], None]  #: takes an event's name and data, in any thread
Job: TypeAlias = Callable[["Search"], None]

CALL: Final = "call"  #: the kind of a search that a request waits for: a computer's move, a refutation
ANALYSIS: Final = "analyse"  #: the kind of a search whose events the page reads
_QUICK: Final = 0.2  # seconds of a search that a person waits for, and between two reports
_NICE: Final = 10
_MOST_SERVED: Final = 1024  # pages whose turn is remembered


class Search:
    """A running search.

    Attributes:
        id: new for each search.
        client: the page that asked for it.
        kind: ``CALL`` or ``ANALYSIS``.
        game, position: what is searched.
        nodes, table_bytes: effort so far.
        most: seconds that it may take, whatever was asked for; see :meth:`within`.
        reason: why it was stopped, or None.
        ended: set once it is no longer listed.
    """

    def __init__(self, number: int, client: str, kind: str, game: str, position: str, deliver: Deliver) -> None:
        self.id, self.client, self.kind, self.game, self.position = f"a{number}", client, kind, game, position
        self.nodes = self.table_bytes = 0
        self.most = math.inf
        self.reason: str | None = None
        self.ended = threading.Event()
        self._deliver = deliver
        self._begun = time.perf_counter()
        self._reported = 0.0
        self._last: tuple[str, Json] = "end", {"reason": "stopped"}
        self._run = Run()

    @property
    def seconds(self) -> float:
        """Wall-clock time since it began."""
        return time.perf_counter() - self._begun

    @property
    def stopped(self) -> bool:
        """True once the search is cancelled; jobs ask between their parts."""
        return self._run.cancelled

    def within(self, seconds: float, share: float = 1) -> float:
        """Return these seconds, or this share of what the search may take, if that is less."""
        return min(seconds, share * self.most)

    def stop(self, reason: str) -> None:
        """Cancel the search: it ends within milliseconds. From any thread, maybe repeatedly."""
        self.reason = self.reason or reason
        self._run.cancel()

    def emit(self, name: str, data: Json) -> None:
        """Send an event; no-op after a stop."""
        if not self.stopped:
            self._deliver(name, data)

    def finish(self, name: str, data: Json) -> None:
        """Set the final event, ``end`` or ``answer``, sent once the search is no longer listed."""
        self._last = name, data

    def progress(self, always: bool = False) -> None:
        """Send the effort so far, at most five times a second; jobs call it between their parts."""
        if not always and self.seconds - self._reported < _QUICK:
            return
        if self.seconds > _QUICK and sys.platform == "linux":  # quick searches and the server go first
            with contextlib.suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)
        self._reported = self.seconds
        self.emit("progress", self.effort())

    def effort(self) -> Json:
        """Return the effort so far."""
        seconds = self.seconds
        rate = round(self.nodes / seconds) if seconds > 0 else 0
        effort = {"nodes": self.nodes, "seconds": round(seconds, 4)}
        return {**effort, "nodes_per_second": rate, "table_bytes": self.table_bytes}

    def run(self, job: Job) -> None:
        """Do the job in this thread; the final event is set then."""
        self._begun = time.perf_counter()  # what it has waited is not counted
        try:
            with self._run.at_work():
                if not self.stopped:
                    job(self)
        except BaseException as error:
            answer = answer_to(error)
            if answer.code == "internal" and not self.stopped:
                traceback.print_exc()
            self.finish("error", {"status": answer.status, **answer.body()["error"]})
        if self.stopped:
            self.finish("end", {"reason": self.reason or "stopped", **self.effort()})

    def close(self) -> None:
        """Send the final event."""
        self.ended.set()
        self._deliver(*self._last)


class Searches:
    """All running searches: at most ``_bounds.ANALYSES`` analyses, and as many calls that search.

    Args:
        slots: searches that run at once, of each page one; others wait, and next is the page served longest ago. None:
            each begins at once, or is refused.

    Attributes:
        started, ended: numbers of searches.
    """

    def __init__(self, slots: int | None = None) -> None:
        self.started = self.ended = 0
        self._slots = slots
        self._waiting: list[tuple[Search, Callable[[], None]]] = []
        self._served: dict[str, int] = {}  # the number of the last search of a page
        self._numbers = itertools.count(1)
        self._lock = threading.RLock()  # Ctrl-C's handler closes all, maybe while its thread does that
        self._running: dict[str, Search] = {}
        self._closed = False

    def start(self, client: str, kind: str, game: str, position: str, job: Job, deliver: Deliver) -> Search:
        """Begin a search in its own thread, or let it wait for a slot. An analysis replaces the page's old one.

        Args:
            client, kind, game, position: see :class:`Search`.
            job: searches, and ends with :meth:`Search.finish`.
            deliver: gets every event; the last one, ``end``, ``error`` or ``answer``, once it is no longer listed.
        """
        with self._lock:
            self._make_room(client, kind)
            search = Search(next(self._numbers), client, kind, game, position, deliver)
            self._running[search.id] = search
            self.started += 1

        def work() -> None:
            search.run(job)
            self._forget(search)
            search.close()

        with self._lock:
            waiting = [waiting for waiting, _ in self._waiting]
            for other in self._running.values() if self._slots is not None and kind == CALL else ():
                if (other.client, other.kind) == (client, ANALYSIS) and other not in waiting:  # its page waits now
                    threading.Timer(_bounds.LAN_BUSY_SECONDS, other.stop, ["limit"]).start()
            self._waiting.append((search, work))
            self._admit()
        return search

    def _admit(self) -> None:
        """Begin the searches that have a slot; what was stopped while it waited ends without one. Under the lock."""
        while entry := self._next():
            self._waiting.remove(entry)
            search, work = entry
            if self._slots is not None:
                search.most = _bounds.LAN_BUSY_SECONDS if self._waiting else _bounds.LAN_SECONDS
                self._served[search.client] = self.started
                if len(self._served) > _MOST_SERVED:
                    del self._served[next(iter(self._served))]
            try:
                threading.Thread(target=work, name=f"gamecore {search.id}", daemon=True).start()
            except RuntimeError:
                error = ApiError(429, "busy", "the system gives no more threads now; try again")
                search.finish("error", {"status": error.status, **error.body()["error"]})
                self._forget(search)
                search.close()

    def _next(self) -> tuple[Search, Callable[[], None]] | None:
        """Return the search that begins next."""
        waiting = [search for search, _ in self._waiting]
        at_work = {search.client: search for search in self._running.values() if search not in waiting}
        entries = [entry for entry in self._waiting if entry[0].stopped or entry[0].client not in at_work]
        if self._slots is None:
            entries = self._waiting
        elif len(at_work) >= self._slots:
            entries = [entry for entry in entries if entry[0].stopped]
        return min(entries, key=lambda entry: self._served.get(entry[0].client, 0), default=None)

    def _make_room(self, client: str, kind: str) -> None:
        if self._closed:
            raise ApiError(429, "busy", "the server is about to end")
        if kind == ANALYSIS:
            self.stop(client, "replaced")
        alive = [search for search in self._running.values() if search.reason is None and search.kind == kind]
        most, of_all = _bounds.ANALYSES, 4 * _bounds.ANALYSES
        if self._slots is not None:
            most = of_all = _bounds.LAN_WAITING
        if len(alive) >= most or len(self._running) >= of_all:
            raise ApiError(429, "busy", f"{len(alive)} searches run; try again when one has ended")
        if kind == CALL and sum(search.client == client for search in alive) >= _bounds.CALLS:
            raise ApiError(429, "busy", "this page waits for other searches already; try again")

    def _forget(self, search: Search) -> None:
        with self._lock:
            self._running.pop(search.id, None)
            self.ended += 1
            if self._slots is not None:
                self._admit()

    def stop(self, client: str, reason: str = "stopped") -> int:
        """Stop a page's analysis. Return the number of searches stopped, 0 or 1."""
        with self._lock:
            running = [search for search in self._running.values() if search.reason is None]
            mine = [search for search in running if search.client == client and search.kind == ANALYSIS]
            for search in mine:
                search.stop(reason)
        return len(mine)

    def close(self, seconds: float = 0.5) -> bool:
        """Stop all searches and begin no more. Return True if all have ended in that time."""
        with self._lock:
            self._closed = True
            running = list(self._running.values())
        for search in running:
            search.stop("closing")
        deadline = time.monotonic() + seconds
        return all(search.ended.wait(max(0.0, deadline - time.monotonic())) for search in running)

    def listed(self, client: str) -> Json:
        """Return the answer of ``/api/analyses``; an entry goes when its thread has left the search."""
        with self._lock:
            running = [
                {name: getattr(search, name) for name in ("id", "kind", "game", "position", "nodes", "seconds")}
                | {"mine": search.client == client, "stopping": search.reason is not None}
                for search in self._running.values()
            ]
        return {"running": running, "most": _bounds.ANALYSES, "started": self.started, "ended": self.ended}
