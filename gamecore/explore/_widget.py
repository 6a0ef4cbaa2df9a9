"""The page in a notebook: the client's modules, with an anywidget's messages instead of HTTP."""

import json
import re
from typing import TYPE_CHECKING, Any, Final

from gamecore.errors import GamecoreError
from gamecore.explore import _static
from gamecore.explore._api import Api, read
from gamecore.explore._errors import ApiError, internal, no_path, stopped
from gamecore.game import game as game_of
from gamecore.game import games

if TYPE_CHECKING:
    import anywidget

_ENTRY: Final = "widget.js"
STYLES: Final = ("page.css", "board.css", "moves.css", "panels.css")  #: sheets of the page, in their order
_IMPORT: Final = re.compile(r'((?:\bfrom|\bimport)\s*)"\./([\w.-]+)"')
_CLIENT: Final = "notebook"

# A notebook gives a widget one module. The others come with it as text and become modules made of blobs, whose imports
# are replaced by the blobs' addresses. {modules} is JSON: each module stands after those that it imports.
_LOADER: Final = """\
const places = {{}};
for (const [name, text] of {modules}) {{
  const source = text.replace(
    /((?:\\bfrom|\\bimport)\\s*)"\\.\\/([\\w.-]+)"/g,
    (_, word, other) => word + JSON.stringify(places[other])
  );
  places[name] = URL.createObjectURL(new Blob([source], {{ type: "text/javascript" }}));
}}
const entry = await import(places["{entry}"]);
export default entry.default;
"""


def widget(position: Any = None, *, game: str | None = None, height: int = 720) -> "anywidget.AnyWidget":
    """The page as a widget of a notebook.

    Args:
        position: of any game, or its text; None: the example of ``game``.
        game: the name of the text's game; None: the first that reads it.
        height: in CSS pixels.

    Returns:
        An ``anywidget.AnyWidget``; its trait ``start`` holds what is shown: game, position, moves, and ``at``.

    Raises:
        GamecoreError: anywidget is not installed, or there is no such position.
    """
    try:
        import anywidget
        import traitlets
    except ImportError:
        raise GamecoreError('a widget needs anywidget: pip install "gamecore[widget]"') from None
    text = position.to_text() if hasattr(position, "to_text") else position
    if text is None:
        game = game or "duel"
        text = game_of(game).example
    found, positions = read(text, game or _game_of(position))
    files = _static.files()

    class Explore(anywidget.AnyWidget):
        """The page of ``gamecore explore`` in a notebook."""

        _esm = bundle(files)
        _css = "".join(files[name].content.decode() for name in STYLES)
        start = traitlets.Dict().tag(sync=True)
        height = traitlets.Int().tag(sync=True)

    shown = Explore(start={"game": found.name, "position": positions[0].to_text(), "moves": []}, height=height)
    post = Post(shown.send)
    shown.on_msg(lambda _, message, buffers: post.receive(message))
    return shown


def _game_of(position: object) -> str | None:
    """Return the game of a position; None of a text."""
    return next((name for name, game in games().items() if isinstance(position, game.position_type)), None)


def bundle(files: dict[str, _static.File]) -> str:
    """Return the client's modules as one module, which unpacks them where it runs."""
    sources = {name: file.content.decode() for name, file in files.items() if name.endswith(".js")}
    order: list[str] = []

    def add(name: str, path: tuple[str, ...]) -> None:
        if name in path:
            raise GamecoreError(f"the client's modules import one another in a circle: {' '.join((*path, name))}")
        if name not in order:
            for found in _IMPORT.finditer(sources[name]):
                add(found[2], (*path, name))
            order.append(name)

    add(_ENTRY, ())
    return _LOADER.format(modules=json.dumps([[name, sources[name]] for name in order]), entry=_ENTRY)


class Post:
    """Takes a page's messages and sends the answers.

    Args:
        send: takes a message for the page.
        api: a new one by default.
    """

    def __init__(self, send: Any, api: Api | None = None) -> None:
        self._send = send
        self._api = api or Api()
        self._kinds = self._api.paths()
        self._streams: dict[int, Any] = {}

    def receive(self, message: Any) -> None:
        """Take one message: ``{id, op, path, body}``."""
        number = message.get("id") if isinstance(message, dict) else None
        if not isinstance(number, int):
            return
        if message.get("op") == "cancel":
            search = self._streams.pop(number, None)
            if search is not None:
                search.stop("stopped")
            return
        try:
            self._ask(number, message.get("path"), message.get("body") or {})
        except ApiError as error:
            self._refuse(number, error)
        except Exception:
            self._refuse(number, internal())
            raise

    def _ask(self, number: int, path: Any, body: Any) -> None:
        kind = self._kinds.get(path) if isinstance(path, str) else None
        if kind is None or not isinstance(body, dict):
            raise no_path()
        if kind == "call":
            self._answer(number, 200, self._api.call(path, body, _CLIENT))
            return

        def deliver(name: str, data: dict[str, Any]) -> None:
            if name == "answer":
                self._answer(number, 200, data)
            elif name == "error" and kind == "search":
                self._answer(number, data.pop("status"), {"error": data})
            elif kind == "stream":
                self._send({"id": number, "kind": "event", "event": name, "data": data})
                if name in ("end", "error"):
                    self._streams.pop(number, None)
                    self._send({"id": number, "kind": "done"})
            elif name == "end":
                self._refuse(number, stopped())

        search = self._streams[number] = self._api.search(path, body, _CLIENT, deliver)
        if search.ended.is_set():
            self._streams.pop(number, None)

    def _refuse(self, number: int, error: ApiError) -> None:
        self._answer(number, error.status, error.body())

    def _answer(self, number: int, status: int, body: dict[str, Any]) -> None:
        self._streams.pop(number, None)
        self._send({"id": number, "kind": "answer", "status": status, "body": body})
