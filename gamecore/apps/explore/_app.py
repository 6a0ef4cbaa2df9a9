"""The server as an ASGI application: Starlette's routes to :class:`Api`, behind the guard."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Sequence
from importlib import resources
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from gamecore.apps.explore import _bounds
from gamecore.apps.explore._api import Api
from gamecore.apps.explore._errors import ApiError, answer_to
from gamecore.apps.explore._fields import parsed
from gamecore.apps.explore._guard import LOOPBACK, Answer, Guard, Receive, Scope, Send
from gamecore.errors import GamecoreError
from gamecore.game import Json

if TYPE_CHECKING:
    from starlette.requests import Request

Event: TypeAlias = tuple[str, Json]

_KEEP_ALIVE: Final = 2.0  # seconds between the keep-alive comments of a stream
_EVENTS: Final = [(b"content-type", b"text/event-stream; charset=utf-8"), (b"x-accel-buffering", b"no")]
_LAST: Final = ("end", "error", "answer")
_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


def page_files() -> dict[str, tuple[str, bytes]]:
    """Return the type and content of every file of the page by its name; no request reads a file."""
    entries = (resources.files("gamecore.apps.explore") / "static").iterdir()
    types = {entry: _TYPES.get(PurePath(entry.name).suffix) for entry in entries}
    return {entry.name: (kind, entry.read_bytes()) for entry, kind in types.items() if kind}


def application(token: str, api: Api | None = None, names: Sequence[str] = LOOPBACK) -> Guard:
    """Return the ASGI application that serves the page and answers it.

    Args:
        token: every call must carry it.
        api: a new one by default.
        names: of this machine, as requests call it.

    Raises:
        GamecoreError: Starlette is not installed.
    """
    try:
        from starlette.applications import Starlette
        from starlette.requests import Request
        from starlette.responses import JSONResponse, Response
        from starlette.routing import Route
    except ImportError:
        raise missing("starlette") from None
    answers, files = api or Api(), page_files()
    no_path = ApiError(404, "path", "there is no such path")

    async def page(request: Request) -> Response:
        name = request.path_params.get("name", "index.html")
        if name not in files:
            raise no_path
        return Response(files[name][1], headers={"content-type": files[name][0]})

    async def call(request: Request) -> Response:
        body = parsed(await _body(request)) if request.method == "POST" else {}
        return JSONResponse(await asyncio.to_thread(answers.call, request.url.path, body, request.state.client))

    async def search(request: Request) -> Response:
        async with _searching(answers, request, parsed(await _body(request))) as events:
            async for name, data in events:
                if name == "answer":
                    return JSONResponse(data)
                if name == "error":
                    return JSONResponse({"error": data}, data.pop("status"))
        raise ApiError(409, "stopped", "this was stopped before it was answered")

    async def stream(request: Request) -> Answer:
        body = parsed(await _body(request))

        async def events_of_search(scope: Scope, receive: Receive, send: Send) -> None:
            async with _searching(answers, request, body) as events:
                await send({"type": "http.response.start", "status": 200, "headers": _EVENTS})
                async for name, data in events:
                    text = json.dumps(data, allow_nan=False, separators=(",", ":"))
                    line = f"event: {name}\ndata: {text}\n\n" if name else ": still at it\n\n"
                    await send({"type": "http.response.body", "body": line.encode(), "more_body": True})
                await send({"type": "http.response.body", "body": b"", "more_body": False})

        return events_of_search

    async def refused(request: Request, error: Exception) -> Response:
        of_routes = {404: no_path, 405: ApiError(405, "method", "this path takes another method")}
        answer = of_routes.get(getattr(error, "status_code", 0)) or answer_to(error)
        return JSONResponse(answer.body(), answer.status)

    endpoints = {"call": call, "search": search, "stream": stream}
    routes = [Route("/", page), Route("/static/{name:path}", page)]
    for path, kind in answers.paths().items():
        routes.append(Route(path, endpoints[kind], methods=["GET" if path in Api.WITHOUT_BODY else "POST"]))
    handlers: Any = dict.fromkeys((ApiError, Exception, 404, 405), refused)
    return Guard(Starlette(routes=routes, exception_handlers=handlers), token, names)


def missing(package: str) -> GamecoreError:
    """Return the error for a package that is not installed."""
    return GamecoreError(f'gamecore explore needs {package}: pip install "gamecore[explore]"')


@contextlib.asynccontextmanager
async def _searching(api: Api, request: "Request", body: Json) -> AsyncIterator[AsyncIterator[Event]]:
    """Begin a search and give its events; it stops when the page goes away, and when the block is left."""
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[Event] = asyncio.Queue()

    def deliver(name: str, data: Json) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody listens any more
            loop.call_soon_threadsafe(queue.put_nowait, (name, data))

    async def watch() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass
        search.stop("gone")

    search = await asyncio.to_thread(api.search, request.url.path, body, request.state.client, deliver)
    watcher = asyncio.create_task(watch())
    try:
        yield _events(queue)
    finally:
        search.stop("gone")
        watcher.cancel()


async def _events(queue: "asyncio.Queue[Event]") -> AsyncIterator[Event]:
    """Yield a search's events up to its last one; one without a name to keep the connection alive."""
    name = ""
    while name not in _LAST:
        try:
            name, data = await asyncio.wait_for(queue.get(), _KEEP_ALIVE)
        except TimeoutError:
            name, data = "", {}
        yield name, data


async def _body(request: "Request") -> bytes:
    """Return the body of a request; refuse one of another type, one that is too large, or does not arrive."""
    from starlette.requests import ClientDisconnect

    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise ApiError(415, "type", "the body must be application/json")
    body = bytearray()
    try:
        async with asyncio.timeout(_bounds.BODY_SECONDS):
            async for part in request.stream():
                body += part
                if len(body) > _bounds.BODY_BYTES:
                    raise ApiError(413, "size", f"the body is larger than {_bounds.BODY_BYTES} bytes")
    except (TimeoutError, ClientDisconnect):
        raise ApiError(408, "json", "the body did not arrive in time") from None
    return bytes(body)
