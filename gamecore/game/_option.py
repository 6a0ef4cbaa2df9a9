"""Options of a game: what is asked, checked and offered on the command line under one name."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from gamecore.errors import OptionError
from gamecore.text import checked_integer, checked_word, printable

Json = dict[str, Any]
Function = TypeVar("Function", bound=Callable[..., object])


@dataclass(frozen=True)
class Option:
    """An option of a game, for help pages, forms and checks: a whole number, a text, or one of some words.

    Attributes:
        name: keyword argument, such as ``n``.
        title: label for people.
        default: value when it is not given, an int or a str; its type is the option's type.
        least, most: inclusive range of a number; None: no limit.
        choices: allowed words; empty: any text.
        flag: the name on the command line, where it differs.
    """

    name: str
    title: str
    default: int | str
    least: int | None = None
    most: int | None = None
    choices: tuple[str, ...] = ()
    flag: str = ""

    def check(self, value: object) -> Any:
        """Return the value.

        Raises:
            OptionError: it is of another type or out of range.
        """
        if isinstance(self.default, int):
            return checked_integer(value, self.name, self.least, self.most)
        if self.choices:
            return checked_word(value, self.name, self.choices)
        if not isinstance(value, str):
            raise OptionError(f"{self.name} must be text, not {printable(value)}", self.name)
        return value


def checked(values: Mapping[str, object], options: Sequence[Option]) -> Json:
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


def options_of(function: Callable[..., object]) -> tuple[Option, ...]:
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
