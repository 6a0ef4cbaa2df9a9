"""The rules of hearts as options of the command."""

import argparse
from typing import Any, Final

from gamecore.hearts._rules import MOONS, Rules

#: Help texts of the flags of :class:`gamecore.hearts.Rules`.
MEANINGS: Final = {
    "pass_cards": "each seat passes three cards before play",
    "no_pts_on_first_trick": "no heart and no queen of spades on the first trick, unless nothing else is held",
    "can_lead_any_club": "the holder of the two of clubs may lead any club first",
    "must_break_hearts": "hearts may be led only after one was played, or if nothing else is held",
    "qs_breaks_hearts": "the queen of spades breaks hearts, too",
    "can_lead_hearts_instead_of_qs": "a seat that could lead only the queen of spades may lead a heart",
    "jack_of_diamonds": "the jack of diamonds counts -10 points",
    "avoid_all_tricks_bonus": "a seat without tricks gets -5 points, unless the moon is shot",
}
_USUAL: Final = Rules()
_ON: Final = {True: "on", False: "off"}


class Switch(argparse.BooleanOptionalAction):
    """``--flag`` and ``--no-flag`` as one word in the usage, which must fit a line."""

    def format_usage(self) -> str:
        """``--[no-]flag``."""
        return f"--[no-]{self.option_strings[0].removeprefix('--')}"


class OffSwitch(Switch):
    """A switch of a rule named ``no_...``: ``--no-...`` turns it on."""

    def __call__(self, parser: Any, namespace: Any, values: object, option_string: str | None = None) -> None:
        """Set the rule."""
        setattr(namespace, self.dest, str(option_string).startswith("--no-"))


def add_rules(parser: Any) -> None:
    """Add an option for each rule of play and scoring."""
    rules = parser.add_argument_group("rules (--no-... turns one off)")
    for flag, meaning in MEANINGS.items():
        default = getattr(_USUAL, flag)
        rules.add_argument(
            f"--{flag.removeprefix('no_').replace('_', '-')}", dest=flag, default=default,
            action=OffSwitch if flag.startswith("no_") else Switch,
            help=f"--no-...: {meaning} (default)" if flag.startswith("no_") else f"{meaning} (default: {_ON[default]})",
        )  # fmt: skip
    rules.add_argument(
        "--moon", choices=MOONS, default=_USUAL.moon,
        help="a seat that takes all 26 points gets 0 and the others 26 (others, the default), -26 and they 0 "
        "(shooter), or 26 (none)",
    )  # fmt: skip


def rules_of(args: argparse.Namespace) -> Rules:
    """The rules given by the options; ``--to``, if there is one, gives ``match_points``."""
    flags: Any = {flag: getattr(args, flag) for flag in MEANINGS}
    return Rules(**flags, moon=args.moon, match_points=getattr(args, "to", _USUAL.match_points))


def words_of(rules: Rules) -> list[str]:
    """The options of the rules that differ from the default."""
    changed = {flag: getattr(rules, flag) for flag in MEANINGS if getattr(rules, flag) != getattr(_USUAL, flag)}
    words = [f"--{'' if on else 'no-'}{flag}".replace("_", "-") for flag, on in changed.items()]
    words = [word.replace("--no-no-", "--") for word in words]
    return words + ([f"--moon {rules.moon}"] if rules.moon != _USUAL.moon else [])
