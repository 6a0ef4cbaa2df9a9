"""What gamecore raises: one family under ``ValueError``, messages that name the field and the bad value."""


class GamecoreError(ValueError):
    """The base of all errors raised for bad input; catch this one."""


class ParseError(GamecoreError):
    """Text that is not in the format asked for.

    Attributes:
        message: what is wrong; ``str()`` puts the place before it.
        line: number of the line, from 1, or None when the text as a whole is wrong.
        column: number of the character in that line, from 1, or None.
    """

    def __init__(self, message: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(message, line, column)
        self.message = message
        self.line = line
        self.column = column

    def __str__(self) -> str:
        column = "" if self.column is None else f", column {self.column}"
        return self.message if self.line is None else f"line {self.line}{column}: {self.message}"

    def moved(self, first: int) -> "ParseError":
        """Return the same error for a text that begins at line ``first`` of a file."""
        return ParseError(self.message, first if self.line is None else first + self.line - 1, self.column)


class CardError(GamecoreError):
    """A card that does not exist, or one that stands twice."""


class IllegalMoveError(GamecoreError):
    """A move that the rules forbid here; the message says which rule."""


class OptionError(GamecoreError):
    """An argument out of its range: a limit below zero, an unknown opponent, a board too large.

    Attributes:
        name: the argument's name, with which the message begins; None if it begins with something else.
    """

    def __init__(self, message: str, name: str | None = None) -> None:
        super().__init__(message)
        self.name = name


class InternalError(GamecoreError):
    """Results that contradict each other: a fault of gamecore or of a game's rules, not of the input."""


class NotBuiltError(GamecoreError, ImportError):
    """The compiled kernels are missing: this is a checkout that was never built, or that was built in part.

    Attributes:
        module: the first module that was missed.
    """

    def __init__(self, module: str) -> None:
        super().__init__(module)
        self.module = module

    def __str__(self) -> str:
        return f"gamecore is not built here ({self.module} is missing): pip install -e . (or make demo)"


class WorkerError(GamecoreError):
    """Replaces an exception of a worker process that could not be pickled.

    Attributes:
        kind: the name of its class, with the module it comes from.
        message: its text.
    """

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(kind, message)
        self.kind = kind
        self.message = message

    def __str__(self) -> str:
        return f"{self.kind}: {self.message}" if self.message else self.kind


class BatchError(GamecoreError):
    """A batch that ended before its last item: a bad item, or an executor that died. ``__cause__`` is what happened.

    Attributes:
        index: number, from 0, of the first item without an answer: the bad one, if it is one item's fault.
        done: the answers of all items before it, as the call would have returned them. Iterators have given them out
            already: theirs is empty.
    """

    def __init__(self, message: str, index: int, done: object = ()) -> None:
        super().__init__(message)
        self.index = index
        self.done = done

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (str(self), self.index, self.done)
