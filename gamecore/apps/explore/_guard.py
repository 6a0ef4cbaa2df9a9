"""Checks between the network and the answers: who may ask, and which headers answers carry.

A page of another origin cannot ask: its calls carry another ``Origin``, and it cannot know the token. A name that an
attacker points at this machine (DNS rebinding) is refused by its ``Host``.
"""

import re
import secrets
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from typing import Any, Final, TypeAlias

from gamecore.apps.explore import _bounds
from gamecore.apps.explore._errors import ApiError

Scope: TypeAlias = MutableMapping[str, Any]  #: this and the following: ASGI's
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
Answer: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS: Final = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
    (b"cache-control", b"no-store"),
)
_OPENER: Final = (b"cross-origin-opener-policy", b"same-origin")  # browsers heed it from this machine alone
LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")  #: names of this machine for itself
_CLIENT: Final = re.compile("[A-Za-z0-9_-]{8,64}")


class Guard:
    """An application behind checks of its requests' headers; its answers carry headers that protect the page.

    Args:
        app: gets requests that pass, with the page's name as ``state["client"]``.
        token: the page must send it.
        names: of this machine, as requests call it.
    """

    def __init__(self, app: Answer, token: str, names: Sequence[str] = LOOPBACK) -> None:
        self._app = app
        self._token = token.encode()
        self._names = names
        self._headers = (*HEADERS, _OPENER) if names == LOOPBACK else HEADERS
        self._host = re.compile(rf"(?:{'|'.join(map(re.escape, names))})(?::[0-9]{{1,5}})?")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer or refuse a request; there are no websockets."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        if scope["type"] != "http":
            return

        async def marking(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", ()), *self._headers]}
            await send(message)

        try:
            self._check(scope)
        except ApiError as error:
            from starlette.responses import JSONResponse

            await JSONResponse(error.body(), error.status)(scope, receive, marking)
        else:
            await self._app(scope, receive, marking)

    def _check(self, scope: Scope) -> None:
        """Refuse names that are not this machine's (the port may be a forwarded one), other origins, wrong tokens."""
        size = sum(len(name) + len(value) for name, value in scope["headers"])
        if size + len(scope.get("raw_path", b"")) + len(scope["query_string"]) > _bounds.HEADER_BYTES:
            raise ApiError(431, "size", f"the request's line and headers have more than {_bounds.HEADER_BYTES} bytes")
        headers: dict[str, str] = {}  # by lower-case name; a repeated one has both values, which no check accepts
        for name, value in scope["headers"]:
            key, text = name.decode("latin-1").lower(), value.decode("latin-1")
            headers[key] = f"{headers[key]}, {text}" if key in headers else text
        host, origin = headers.get("host", "").lower(), headers.get("origin")
        if self._host.fullmatch(host) is None:
            raise ApiError(403, "host", f"this server answers only as {', '.join(self._names)}")
        if not scope["path"].startswith("/api/"):
            return
        is_own = origin is None or origin.lower() == f"http://{host}"
        if not is_own or headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            raise ApiError(403, "origin", "another page than the server's own may not ask")
        token = headers.get("x-gamecore-token", "")
        if not secrets.compare_digest(token.encode(), self._token):
            what = "belongs to another run of the server" if token else "has no token"
            raise ApiError(401, "token", f"this page {what}: open the address that gamecore explore printed")
        client = headers.get("x-gamecore-client", "")
        if _CLIENT.fullmatch(client) is None:
            raise ApiError(400, "field", "the header X-Gamecore-Client must be 8 to 64 letters, digits, _ or -")
        scope.setdefault("state", {})["client"] = client
