"""What a page is told when something is wrong: a status, a code, and a sentence without markup."""

from typing import Any, Final

from gamecore.errors import CardError, GamecoreError, IllegalMoveError, ParseError
from gamecore.text import without_controls

_MOST_CHARS: Final = 500  # of a message
_MARKUP: Final = {ord(char): f"\\x{ord(char):02x}" for char in "<>&"}


class ApiError(Exception):
    """A request that is not answered.

    Attributes:
        status: of HTTP.
        code: what kind of mistake it is; the list is in ``docs/explore.md``.
        message: a sentence.
        field: of the request's body, if one is to blame.
        line, column: in a text that could not be read, from 1.
    """

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        field: str | None = None,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = plain(message)
        self.field = field
        self.line = line
        self.column = column

    def body(self) -> dict[str, Any]:
        """What stands in the answer."""
        names = ("code", "message", "field", "line", "column")
        return {"error": {name: getattr(self, name) for name in names}}


def plain(message: str) -> str:
    """A message on one line without control characters and without any character that begins markup."""
    return without_controls(" ".join(message.split()))[:_MOST_CHARS].translate(_MARKUP)


def of_library(error: GamecoreError, field: str | None = None) -> ApiError:
    """The library's error as a page is told it."""
    if isinstance(error, IllegalMoveError):
        code = "illegal"
    elif isinstance(error, (ParseError, CardError)):
        code = "parse"
    else:
        code = "option"
    place = (error.line, error.column) if isinstance(error, ParseError) else (None, None)
    return ApiError(422, code, str(error), field, *place)


def internal() -> ApiError:
    """A mistake of ours: what it was is written to stderr, and is nothing for a page."""
    return ApiError(500, "internal", "something went wrong in the server; its terminal says more")
