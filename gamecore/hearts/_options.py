"""The rules of hearts as options of the command, each with what it means."""

import argparse
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from gamecore import hearts

# Flags of gamecore.hearts.Rules: their defaults, and what is so while they are on. Written out, so that a parser is
# built without the kernel.
FLAGS: Final = {
    "pass_cards": (True, "each seat passes three cards on before play"),
    "no_pts_on_first_trick": (True, "no heart and no queen of spades on the first trick, while another card is held"),
    "can_lead_any_club": (False, "who holds the two of clubs may lead any club first"),
    "must_break_hearts": (True, "hearts may be led only after one was played, or by who holds nothing else"),
    "qs_breaks_hearts": (True, "the queen of spades breaks hearts, too"),
    "can_lead_hearts_instead_of_qs": (False, "who could lead nothing but the queen of spades may lead a heart"),
    "jack_of_diamonds": (False, "who takes the jack of diamonds gets -10 points"),
    "avoid_all_tricks_bonus": (False, "who takes no trick gets -5 points, unless the moon is shot"),
}


class Switch(argparse.BooleanOptionalAction):
    """``--flag`` and ``--no-flag``, in the usage as one word, which has to fit a line."""

    def format_usage(self) -> str:
        """``--[no-]flag``."""
        return f"--[no-]{self.option_strings[0].removeprefix('--')}"


def add_rules(command: Any) -> None:
    """Add an option for each rule of play and scoring."""
    rules = command.add_argument_group("rules (--no-... turns one off)")
    for flag, (default, meaning) in FLAGS.items():
        rules.add_argument(
            f"--{flag.replace('_', '-')}", dest=flag, default=default, action=Switch,
            help=f"{meaning} (default: {'on' if default else 'off'})",
        )  # fmt: skip
    rules.add_argument(
        "--moon", choices=("others", "shooter"), default="others",
        help="who takes all 26 points gets 0 and the others 26 each (others, the default), or -26 and they 0 (shooter)",
    )  # fmt: skip


def rules_of(args: argparse.Namespace) -> "hearts.Rules":
    """The rules that the options say; ``--to``, where there is one, is the end of a match."""
    from gamecore import hearts

    flags: Any = {flag: getattr(args, flag) for flag in FLAGS}
    return hearts.Rules(**flags, moon=args.moon, match_points=getattr(args, "to", 100))


def words_of(args: argparse.Namespace) -> "list[str]":
    """The options for those rules that are not the default."""
    flags = {flag: getattr(args, flag) for flag, (default, _) in FLAGS.items() if getattr(args, flag) is not default}
    words = [f"--{'' if on else 'no-'}{flag.replace('_', '-')}" for flag, on in flags.items()]
    return words + ([f"--moon {args.moon}"] if args.moon != "others" else [])
