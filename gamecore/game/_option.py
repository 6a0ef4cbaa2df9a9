"""Options of a game: what is asked, checked and offered on the command line under one name."""

from argparse import ArgumentTypeError
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from gamecore.errors import OptionError
from gamecore.text import printable, whole_number

Json = dict[str, Any]
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
            kind = {"type": self._argument, "metavar": "N"}
        flag = (self.flag or self.name).replace("_", "-")
        parser.add_argument(f"--{flag}", dest=self.name, default=default, help=title, **kind)

    def _argument(self, text: str) -> Any:
        try:
            least = -_LARGEST if self.least is None else self.least
            return self.check(whole_number(text, self.name, least, _LARGEST if self.most is None else self.most))
        except ValueError:
            known = f"a whole number from {self.least} to {self.most}"
            raise ArgumentTypeError(f"{printable(text)} is not {known}") from None


_KINDS: Final = {int: "a whole number", bool: "true or false", str: "text", float: "a number"}


def checked(given: Mapping[str, Any], options: Sequence[Option]) -> Json:
    """Return values of all options: those given, checked, and defaults.

    Raises:
        OptionError: an unknown name or a bad value.
    """
    known = {option.name: option for option in options}
    for name in given:
        if name not in known:
            raise OptionError(f"there is no option {printable(name)}; the options are {', '.join(known) or 'none'}")
    return {name: option.check(given.get(name, option.default)) for name, option in known.items()}
