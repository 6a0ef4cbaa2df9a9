"""Errors as the page receives them: a status, a code, and a sentence without markup."""

from dataclasses import dataclass
from typing import Final

from gamecore.errors import CardError, GamecoreError, IllegalMoveError, ParseError
from gamecore.game import Json
from gamecore.text import without_controls

_MOST_CHARS: Final = 500  # of a message
_MARKUP: Final = {ord(char): f"\\x{ord(char):02x}" for char in "<>&"}


@dataclass(eq=False)
class ApiError(Exception):
    """A request that is refused.

    Attributes:
        status: of HTTP.
        code: the kind of mistake; the list is in ``docs/explore.md``.
        message: a sentence.
        field: of the request's body, if one is to blame.
        line, column: in a text that could not be read, from 1.
    """

    status: int
    code: str
    message: str
    field: str | None = None
    line: int | None = None
    column: int | None = None

    def __post_init__(self) -> None:
        self.message = plain(self.message)
        super().__init__(self.message)

    def body(self) -> Json:
        """Return the answer's body."""
        names = ("code", "message", "field", "line", "column")
        return {"error": {name: getattr(self, name) for name in names}}


def plain(message: str) -> str:
    """Return a message as one line without control characters or markup."""
    return without_controls(" ".join(message.split()))[:_MOST_CHARS].translate(_MARKUP)


def answer_to(error: BaseException, field: str | None = None) -> ApiError:
    """Return the answer to an error. ``field`` is to blame for one of the library. A bug's text is not told."""
    if isinstance(error, ApiError):
        return error
    if isinstance(error, MemoryError):
        return ApiError(429, "busy", "there is not enough memory for this search now")
    if not isinstance(error, GamecoreError):
        return ApiError(500, "internal", "something went wrong in the server; its terminal says more")
    if isinstance(error, ParseError):
        return ApiError(422, "parse", str(error), field, error.line, error.column)
    code = "illegal" if isinstance(error, IllegalMoveError) else "parse" if isinstance(error, CardError) else "option"
    return ApiError(422, code, str(error), field)
