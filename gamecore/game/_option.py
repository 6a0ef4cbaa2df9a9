"""Options of a game: what is asked, checked and offered on the command line under one name."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from gamecore.errors import OptionError, ParseError
from gamecore.text import printable, whole_number

Json = dict[str, Any]
Function = TypeVar("Function", bound=Callable[..., Any])
_LARGEST: Final = 10**18  # of an option without a range


@dataclass(frozen=True)
class Option:
    """An option of a game, for help pages, forms and checks.

    Attributes:
        name: keyword argument, such as ``n``.
        title: label for people.
        default: value when it is not given; its type is the option's type.
        least, most: inclusive range of a number.
        choices: allowed words; empty for a number.
        flag: the name on the command line, where it differs.
    """

    name: str
    title: str
    default: Any
    least: int | None = None
    most: int | None = None
    choices: tuple[str, ...] = ()
    flag: str = ""

    def check(self, value: Any) -> Any:
        """Return the value.

        Raises:
            OptionError: it is of another type or out of range.
        """
        if self.choices:
            if value not in self.choices:
                raise OptionError(f"{self.name} must be one of {', '.join(self.choices)}, not {printable(value)}")
        elif type(value) is not type(self.default):
            raise OptionError(f"{self.name} must be {_KINDS[type(self.default)]}, not {printable(value)}")
        elif self.least is not None and self.most is not None and not self.least <= value <= self.most:
            raise OptionError(
                f"{self.name} must be a whole number from {self.least} to {self.most}, not {printable(value)}"
            )
        return value

    def add_to(self, parser: Any, title: str | None = None, default: Any = ...) -> None:
        """Add the option to an ``argparse`` parser; ``default``: what is kept when it is not given."""
        title = f"{title or self.title[0].lower() + self.title[1:]} (default {self.default})"
        default = self.default if default is ... else default
        if self.choices:
            kind: Json = {"choices": self.choices, "metavar": self.name.upper()}
            title = f"{title}: {', '.join(self.choices)}"
        else:
            kind = {"metavar": "TEXT"} if isinstance(self.default, str) else {"type": self._argument, "metavar": "N"}
        flag = (self.flag or self.name).replace("_", "-")
        parser.add_argument(f"--{flag}", dest=self.name, default=default, help=title, **kind)

    def _argument(self, text: str) -> int:
        """Parse a number of the command line."""
        least, most = (-_LARGEST, _LARGEST) if self.least is None or self.most is None else (self.least, self.most)
        try:
            return whole_number(text, self.name, least, most)
        except ParseError:
            from argparse import ArgumentTypeError  # argparse is loaded already; packages of games need not load it

            limits = "" if self.least is None else f" from {least} to {most}"
            raise ArgumentTypeError(f"{printable(text)} is not a whole number{limits}") from None


_KINDS: Final = {int: "a whole number", bool: "true or false", str: "text", float: "a number"}


def checked(values: Mapping[str, Any], options: Sequence[Option]) -> Json:
    """Return values of all options: ``values``, checked, and defaults.

    Raises:
        OptionError: an unknown name or a bad value.
    """
    by_name = {option.name: option for option in options}
    for name in values:
        if name not in by_name:
            raise OptionError(f"there is no option {printable(name)}; the options are {', '.join(by_name) or 'none'}")
    return {name: option.check(values.get(name, option.default)) for name, option in by_name.items()}


def takes(*options: Option) -> Callable[[Function], Function]:
    """Declare the options of a game's ``start`` or ``parse``, which :func:`options_of` returns."""

    def attach(function: Function) -> Function:
        function.options = options  # type: ignore[attr-defined]
        return function

    return attach


def options_of(function: Callable[..., Any]) -> tuple[Option, ...]:
    """Return the options of a game's ``start`` (and ``random``) or ``parse``: those of :func:`takes`.

    Without that, each keyword parameter whose default is a whole number or a text is an option without limits.
    """
    declared: tuple[Option, ...] | None = getattr(function, "options", None)
    if declared is not None:
        return declared
    return tuple(
        Option(name, name.replace("_", " ").capitalize(), parameter.default)
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.kind is parameter.KEYWORD_ONLY and type(parameter.default) in (int, str)
    )
