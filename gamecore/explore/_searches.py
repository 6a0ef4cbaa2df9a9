"""Searches under way: a thread each, one analysis a page, a bound on all, and every one of them can be stopped.

A search runs in a thread of its own, in which it counts as a batch under way (:class:`gamecore.batch.workers.Run`):
what stops a batch's kernels at once stops it, and so does the end of the process.
"""

import contextlib
import itertools
import os
import sys
import threading
import time
import traceback
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from gamecore.batch.workers import Run
from gamecore.errors import GamecoreError
from gamecore.explore import _bounds
from gamecore.explore._errors import ApiError, internal, of_library

Deliver: TypeAlias = Callable[[str, dict[str, Any]], None]  #: takes the name and the data of an event, in any thread
Job: TypeAlias = Callable[["Search"], None]

_QUICK: Final = 0.2  # seconds of a search that a person waits for
_NICE: Final = 10
CALL: Final = "call"  #: the kind of a search that is waited for: a computer's move, a refutation


class Search:
    """A search under way.

    Attributes:
        id: its name, new for each.
        client: the page that asked for it.
        kind: what it does.
        game, position: what it is about.
        nodes, table_bytes: of what it has done so far.
        reason: why it was stopped, or None.
    """

    def __init__(self, number: int, client: str, kind: str, game: str, position: str, deliver: Deliver) -> None:
        self.id = f"a{number}"
        self.client = client
        self.kind = kind
        self.game = game
        self.position = position
        self.nodes = 0
        self.table_bytes = 0
        self.reason: str | None = None
        self.ended = threading.Event()
        self._deliver = deliver
        self._begun = time.perf_counter()
        self._told = 0.0
        self._behind = False
        self._last: tuple[str, dict[str, Any]] = "end", {"reason": "stopped"}
        self._run = Run()

    @property
    def seconds(self) -> float:
        """Since it began."""
        return time.perf_counter() - self._begun

    @property
    def stopped(self) -> bool:
        """Whether nobody waits for it any more: asked between the parts of a job."""
        return self._run.given_up

    def stop(self, reason: str) -> None:
        """Have it end within milliseconds; from any thread, any number of times."""
        if self.reason is None:
            self.reason = reason
        self._run.give_up()

    def emit(self, name: str, data: dict[str, Any]) -> None:
        """Tell the page something; nothing once it was stopped."""
        if not self.stopped:
            self._deliver(name, data)

    def finish(self, name: str, data: dict[str, Any]) -> None:
        """The last words of a job, ``end`` or ``answer``: they are told when the search is not under way any more."""
        self._last = name, data

    def progress(self, always: bool = False, **more: Any) -> None:
        """Tell the page how much was done, at most five times a second; asked between the parts of a job."""
        self._step_back()
        if always or self.seconds - self._told >= 0.2:
            self._told = self.seconds
            self.emit("progress", self.effort() | more)

    def _step_back(self) -> None:
        """Let quicker searches and the server go first from now on, where threads have their own priorities: Linux."""
        if not self._behind and self.seconds > _QUICK and sys.platform == "linux":
            self._behind = True
            with contextlib.suppress(OSError):
                os.nice(_NICE)  # of this thread alone

    def effort(self) -> dict[str, Any]:
        """What was done so far."""
        seconds = self.seconds
        rate = round(self.nodes / seconds) if seconds > 0 else 0
        return {
            "nodes": self.nodes,
            "seconds": round(seconds, 4),
            "nodes_per_second": rate,
            "table_bytes": self.table_bytes,
        }

    def work(self, job: Job) -> None:
        """Do it, in this thread; the last words are kept for :meth:`close`."""
        try:
            with self._run.at_work({}):
                job(self)
        except GamecoreError as error:
            self._fail(of_library(error))
        except ApiError as error:
            self._fail(error)
        except MemoryError:
            self._fail(ApiError(429, "busy", "there is not enough memory for this search now"))
        except SystemExit:  # a batch that was given up ends its thread with it
            pass
        except BaseException:
            if not self.stopped:
                traceback.print_exc()
            self._fail(internal())
        if self.stopped:
            self.finish("end", {"reason": self.reason or "stopped", **self.effort()})

    def _fail(self, error: ApiError) -> None:
        self.finish("error", {"status": error.status, **error.body()["error"]})

    def close(self) -> None:
        """Say the last words: it is not under way any more."""
        self._run.forget()
        self.ended.set()
        self._deliver(*self._last)


class Searches:
    """All searches under way.

    Args:
        most: analyses at once, and as many calls that search.

    Attributes:
        started, ended: how many.
    """

    def __init__(self, most: int = _bounds.ANALYSES) -> None:
        self.most = most
        self.started = 0
        self.ended = 0
        self._numbers = itertools.count(1)
        self._lock = threading.RLock()  # Ctrl-C's handler closes all, perhaps while its thread is doing that
        self._running: dict[str, Search] = {}
        self._closed = False

    def start(self, client: str, kind: str, game: str, position: str, job: Job, deliver: Deliver) -> Search:
        """Begin a search in a thread of its own. An analysis takes the place of the page's old one.

        Args:
            client: the page.
            kind: ``CALL``, or what sort of analysis it is.
            game, position: what it is about, for :meth:`listed`.
            job: does it, and ends with :meth:`Search.finish`.
            deliver: told every event; the last one, ``end``, ``error`` or ``answer``, when it is not listed any more.

        Raises:
            ApiError: too many are under way.
        """
        with self._lock:
            self._make_room(client, kind)
            search = Search(next(self._numbers), client, kind, game, position, deliver)
            self._running[search.id] = search
            self.started += 1
        thread = threading.Thread(target=self._work, args=(search, job), name=f"gamecore {search.id}", daemon=True)
        try:
            thread.start()
        except RuntimeError:
            self._forget(search)
            search.close()
            raise ApiError(429, "busy", "the system gives no more threads now; try again") from None
        return search

    def _make_room(self, client: str, kind: str) -> None:
        if self._closed:
            raise ApiError(429, "busy", "the server is about to end")
        calls = kind == CALL
        alive = [one for one in self._running.values() if (one.kind == CALL) == calls and one.reason is None]
        mine = [one for one in alive if one.client == client]
        if not calls:
            for one in mine:
                one.stop("replaced")
            alive = [one for one in alive if one.client != client]
        if len(alive) >= self.most or len(self._running) >= 4 * self.most:
            raise ApiError(429, "busy", f"{len(alive)} searches are under way; try again when one has ended")
        if calls and len(mine) >= _bounds.CALLS:
            raise ApiError(429, "busy", "this page waits for other searches already; try again")

    def _work(self, search: Search, job: Job) -> None:
        search.work(job)
        self._forget(search)
        search.close()

    def _forget(self, search: Search) -> None:
        with self._lock:
            self._running.pop(search.id, None)
            self.ended += 1

    def stop(self, client: str) -> int:
        """Stop a page's analysis; how many that were (0 or 1)."""
        with self._lock:
            mine = [one for one in self._running.values() if one.client == client and one.kind != CALL]
        found = [one for one in mine if one.reason is None]
        for one in found:
            one.stop("stopped")
        return len(found)

    def close(self, seconds: float = 0.5) -> bool:
        """Stop all of them, begin no more, and wait so long for their ends; whether all have ended."""
        with self._lock:
            self._closed = True
            running = list(self._running.values())
        for one in running:
            one.stop("closing")
        deadline = time.monotonic() + seconds
        return all(one.ended.wait(max(0.0, deadline - time.monotonic())) for one in running)

    def listed(self, client: str) -> dict[str, Any]:
        """What is under way, as ``/api/analyses`` says it; an entry goes when its thread has left the search."""
        with self._lock:
            running = list(self._running.values())
        return {
            "running": [
                {
                    "id": one.id,
                    "client": one.client[:8],
                    "mine": one.client == client,
                    "kind": one.kind,
                    "game": one.game,
                    "position": one.position,
                    "seconds": round(one.seconds, 3),
                    "nodes": one.nodes,
                    "stopping": one.reason is not None,
                }
                for one in running
            ],
            "most": self.most,
            "started": self.started,
            "ended": self.ended,
        }
