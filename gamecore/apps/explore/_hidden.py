"""Texts that a page may hold but not read, such as a round of hearts of which it sees one hand.

The server keeps the text and the page gets an id. The store holds the ids that were used last.
"""

import secrets
import threading
from collections import OrderedDict
from typing import Final

from gamecore.errors import ParseError

PREFIX: Final = "hidden."
_MOST: Final = 1 << 14  # texts; a round of hearts and its place take about 1 KB
_ID_BYTES: Final = 12


class Store:
    """Texts by id; the least recently used one goes when there are too many."""

    def __init__(self) -> None:
        self._ids: dict[tuple[str, str], str] = {}
        self._texts: OrderedDict[str, tuple[str, str]] = OrderedDict()  # with the place of each
        self._lock = threading.Lock()

    def hide(self, text: str, place: str = "") -> str:
        """Return an id for a text, the same one while it is kept; ``place``: where alone :meth:`reveal` returns it."""
        with self._lock:
            name = self._ids.setdefault((text, place), PREFIX + secrets.token_urlsafe(_ID_BYTES))
            self._texts[name] = text, place
            self._texts.move_to_end(name)
            if len(self._texts) > _MOST:
                del self._ids[self._texts.popitem(last=False)[1]]
        return name

    def reveal(self, name: str, place: str = "") -> str:
        """Return the text of an id, which must be of this place; return any other text unchanged."""
        if not name.startswith(PREFIX):
            return name
        with self._lock:
            text, of_place = self._texts.get(name, ("", None))
            if of_place != place:
                raise ParseError("this round is not known: another run of the program hid it, or it was long ago")
            self._texts.move_to_end(name)
        return text


STORE: Final = Store()  #: of this process
