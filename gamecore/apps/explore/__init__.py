"""``gamecore explore``: a page on your own machine where every move shows its value.

    gamecore explore duel                        # starts a server on the loopback interface and opens the page

The server is Starlette's and uvicorn's (``pip install "gamecore[explore]"``). Solvers run in threads, one analysis a
page, and stop when the page goes away. A game of your own is shown by :class:`Screen`. See ``docs/explore.md``.
"""

from typing import TYPE_CHECKING

from gamecore.lazy import lazy_names

if TYPE_CHECKING:
    from gamecore.apps.explore._app import application
    from gamecore.apps.explore._screen import Panel, Screen
    from gamecore.apps.explore._server import serve

__all__ = ["Panel", "Screen", "application", "serve"]

__getattr__, __dir__ = lazy_names(
    __name__, {"_app": ("application",), "_screen": ("Panel", "Screen"), "_server": ("serve",)}, __all__
)
