"""The server: uvicorn on the loopback interface, until Ctrl-C."""

import asyncio
import errno
import html
import io
import ipaddress
import secrets
import socket
import tempfile
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Final

from gamecore.apps.explore import _bounds
from gamecore.apps.explore._api import Api, read
from gamecore.apps.explore._app import application, missing
from gamecore.apps.explore._guard import LOOPBACK
from gamecore.errors import OptionError
from gamecore.game import game as game_of
from gamecore.text import checked_flag, printable

if TYPE_CHECKING:
    import uvicorn

PORT: Final = 8642  #: the usual port, for bookmarks; another one if it is in use
_LAN: Final = "Everybody in this network who has the address can play and search on this machine until Ctrl-C."
#: Ports that browsers open no page from: the list of https://fetch.spec.whatwg.org/#port-blocking.
_BLOCKED: Final = """
1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123
135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990
993 995 1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080
"""


def serve(
    game: str | None = None,
    position: str | None = None,
    *,
    host: str | None = None,
    port: int | None = None,
    browser: bool = True,
    lan: bool = False,
    say: Callable[[str], None] = print,
) -> None:
    """Serve the page until Ctrl-C.

    Args:
        game: shown at first; None: the first game that reads the position.
        position: shown at first, any accepted text.
        host: an address of the loopback interface; with ``lan`` the machine's in its network, looked up if None.
        port: 0: any free one; None: 8642, or any if that is in use.
        browser: whether to open the page.
        lan: serve other machines, too: whoever has the address can play and search here.
        say: gets the address of the page, with ``lan`` also as a code to scan.

    Raises:
        OptionError: a host other than this machine, a port in use. ParseError: a bad position.
        GamecoreError: uvicorn, Starlette or (for ``lan``) segno is not installed.
        KeyboardInterrupt: Ctrl-C, when every search has ended.
    """
    browser = checked_flag(browser, "browser")
    host = lan_host(host) if checked_flag(lan, "lan") else checked_host(host)
    start = _start_of(game, position)
    with _bound(host, port) as listener:
        token = secrets.token_urlsafe(32)  # 256 random bits
        address = address_of(host, listener.getsockname()[1], token, start)
        picture, code = _codes(address) if lan else (None, "")
        server = make_server(token, Api(picture), host if lan else None)
        say(f"{address}{code}")
        with _redirecting_file(address) if browser else nullcontext() as file:
            if file is not None:
                webbrowser.open(file.as_uri())
            server.run(sockets=[listener])


@contextmanager
def _redirecting_file(address: str) -> Iterator[Path]:
    """Yield a file that only this user can read and that leads a browser to the address.

    A browser's command line, which every user of the machine can read, would give the token away.
    """
    url = html.escape(address)
    page = f'<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url={url}">\n'
    page += f'<title>gamecore explore</title><a href="{url}">gamecore explore</a>\n'
    with tempfile.TemporaryDirectory(prefix="gamecore-explore-") as folder:
        file = Path(folder, "page.html")
        file.touch(0o600)
        file.write_text(page, encoding="utf-8")
        yield file


def address_of(host: str, port: int, token: str, start: dict[str, str]) -> str:
    """Return the page's address, with the token in its fragment, which no request carries."""
    parts = "&".join(f"{key}={value}" for key, value in {"token": token, **start}.items())
    return f"http://{_name(host)}:{port}/#{parts}"


def _name(host: str) -> str:
    """Return an address as browsers write it."""
    return f"[{host}]" if ":" in host else host


def lan_host(host: str | None) -> str:
    """Return this machine's address in its network; refuse what is not one address."""
    name = host
    if name is None:
        with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))  # sends nothing: it looks up the route
            name = probe.getsockname()[0]
    with suppress(ValueError):
        address = ipaddress.ip_address(name or "")
        if not address.is_unspecified and not address.is_multicast:
            return str(address)
    raise OptionError(f"--lan needs this machine's address in its network, not {printable(host)}: name it by --host")


def _codes(address: str) -> tuple[str, str]:
    """Return the address as a code to scan: as SVG, and for the terminal."""
    try:
        import segno
    except ImportError:
        raise missing("segno") from None
    code, text, picture = segno.make(address, error="l", micro=False), io.StringIO(), io.BytesIO()
    code.terminal(text, compact=True)
    code.save(picture, kind="svg", scale=10, light="#fff", xmldecl=False, omitsize=True)
    return picture.getvalue().decode(), f"\n{text.getvalue()}{_LAN}"


def checked_host(host: str | None) -> str:
    """Return an address of the loopback interface; refuse any other."""
    if host is None or host == "localhost":
        return "127.0.0.1"
    if host not in ("127.0.0.1", "::1"):
        raise OptionError(
            f"--host {printable(host)}: the page is served to this machine alone (127.0.0.1, ::1 or localhost), since "
            "whoever reaches it can have searches run here; forward a port with ssh -L to reach it from another one; "
            "--lan serves the people in one room"
        )
    return host


def _start_of(game: str | None, position: str | None) -> dict[str, str]:
    """Return the address's fields for the position shown at first."""
    chosen = None if game is None else game_of(game)
    if position is None:
        return {} if chosen is None else {"game": chosen.name}
    if len(position) > _bounds.POSITION_CHARS:
        raise OptionError(f"the position has {len(position)} characters; at most {_bounds.POSITION_CHARS} are read")
    game_of_text, positions = read(position, game)
    return {"game": game_of_text.name, "position": positions[0].to_text()}


def _bound(host: str, port: int | None) -> socket.socket:
    """Return a socket that listens on the port, or on any free one if no port was asked for."""
    if str(port) in _BLOCKED.split():
        raise OptionError(f"--port {port}: browsers refuse to open pages from this port; choose another one")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for number in (PORT, 0) if port is None else (port,):
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, number))
            listener.listen(128)
        except (OSError, OverflowError) as error:
            listener.close()
            if getattr(error, "errno", None) == errno.EADDRNOTAVAIL:
                raise OptionError(f"--host {host}: this machine has no such address") from None
            if port is not None:
                reason = getattr(error, "strerror", None) or "there is no such port"
                raise OptionError(f"--port {port}: {reason}") from None
        else:
            return listener
    raise OptionError(f"no port is free at {host}")


def make_server(token: str, api: Api, host: str | None = None) -> "uvicorn.Server":
    """Return uvicorn's server of the page; its searches end with it. ``host``: its address in a network, or None."""
    try:
        import h11
        import uvicorn
        from uvicorn.protocols.http.h11_impl import H11Protocol
    except ImportError:
        raise missing("uvicorn") from None

    class Protocol(H11Protocol):
        """Closes connections whose request line and headers do not arrive in time."""

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._look()

        def _look(self, last: object = ()) -> None:
            """Close the connection if it waits for a head, and none came since the last request of the look before."""
            if self.conn.their_state is h11.IDLE and self.cycle is last:
                self.transport.close()
            elif not self.transport.is_closing():
                self.loop.call_later(_bounds.HEADER_SECONDS, self._look, self.cycle)

    class Server(uvicorn.Server):
        """Stops the searches as soon as it is to end; otherwise it would wait for their streams."""

        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            super().handle_exit(sig, frame)
            api.searches.close(0.0)

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            api.searches.close(0.0)
            await super().shutdown(sockets)

    return Server(
        uvicorn.Config(
            application(token, api, LOOPBACK if host is None else (_name(host),)),
            loop="asyncio",
            http=Protocol,
            ws="none",
            lifespan="off",
            log_level="error",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            limit_concurrency=_bounds.CONNECTIONS,
            h11_max_incomplete_event_size=_bounds.HEADER_BYTES,
            timeout_graceful_shutdown=1,
        )
    )
