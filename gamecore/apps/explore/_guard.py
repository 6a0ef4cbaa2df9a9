"""Checks between the network and the answers: who may ask, and which headers answers carry.

A page of another origin cannot ask: its calls carry another ``Origin``, and it cannot know the token. A name that an
attacker points at this machine (DNS rebinding) is refused by its ``Host``.
"""

import json
import re
import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Final, TypeAlias

from gamecore.apps.explore._errors import ApiError

Scope: TypeAlias = MutableMapping[str, Any]  #: this and the following: ASGI's
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
Answer: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS: Final = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
    (b"cache-control", b"no-store"),
)
_HOST: Final = re.compile(r"(?:127\.0\.0\.1|localhost|\[::1\])(?::[0-9]{1,5})?")
_CLIENT_CHARS: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")


def new_token() -> str:
    """Return a token of 256 random bits as text."""
    return secrets.token_urlsafe(32)


class Guard:
    """An application behind checks of its requests' headers; its answers carry headers that protect the page.

    Args:
        app: gets requests that pass, with the page's name as ``state["client"]``.
        token: the page must send it.
    """

    def __init__(self, app: Answer, token: str) -> None:
        self._app = app
        self._token = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer or refuse a request; there are no websockets."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        headers, send = headers_of(scope), _marked(send)
        try:
            self._check_host(headers)
            if scope["path"].startswith("/api/"):
                scope.setdefault("state", {})["client"] = self._page(headers)
        except ApiError as error:
            await _refuse(send, error)
        else:
            await self._app(scope, receive, send)

    def _check_host(self, headers: dict[str, str]) -> None:
        """Refuse requests under a name that is not this machine's; the port may be a forwarded one."""
        if _HOST.fullmatch(headers.get("host", "").lower()) is None:
            raise ApiError(403, "host", "this server answers only as 127.0.0.1, localhost and [::1]")

    def _page(self, headers: dict[str, str]) -> str:
        """Return the name of the page that asks; refuse other origins and wrong tokens."""
        origin = headers.get("origin")
        if origin is not None and origin.lower() != f"http://{headers.get('host', '').lower()}":
            raise ApiError(403, "origin", "another page than the server's own may not ask")
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            raise ApiError(403, "origin", "another page than the server's own may not ask")
        if not secrets.compare_digest(headers.get("x-gamecore-token", "").encode(), self._token):
            raise ApiError(401, "token", "this page belongs to another run of the server: open the address it printed")
        client = headers.get("x-gamecore-client", "")
        if not (8 <= len(client) <= 64 and _CLIENT_CHARS.issuperset(client)):
            raise ApiError(400, "field", "the header X-Gamecore-Client must be 8 to 64 letters, digits, _ or -")
        return client


def _marked(send: Send) -> Send:
    """Return ``send`` with the headers of every answer added."""

    async def marking(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", ()), *HEADERS]}
        await send(message)

    return marking


async def _refuse(send: Send, error: ApiError) -> None:
    body = json.dumps(error.body()).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": error.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def headers_of(scope: Scope) -> dict[str, str]:
    """Return a request's headers by lower-case name; a repeated one has both values, which no check accepts."""
    headers: dict[str, str] = {}
    for name, value in scope["headers"]:
        key, text = name.decode("latin-1").lower(), value.decode("latin-1")
        headers[key] = f"{headers[key]}, {text}" if key in headers else text
    return headers
