"""For mkdocs: every option and every JSON field of the command, read off its parsers and schemas."""

import argparse
import os
import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from docs_griffe import items_of

_GAMES = ("duel", "hexapawn", "rows", "hearts")
_EVERYWHERE = {
    "position": "the position as notation",
    "index": "the place of the position in the input, from 0",
    "input_line": "the line of the input on which it begins, from 1",
    "key": "by which `--resume` knows that an answer belongs to this position",
}


def filled(markdown: str) -> str:
    """Return the page with options and fields instead of ``<!-- options -->`` and ``<!-- fields -->``."""
    for mark, made in (("<!-- options -->", commands()), ("<!-- fields -->", fields())):
        if markdown.count(mark) != 1:
            raise ValueError(f"the page of the command has to have {mark} once")
        markdown = markdown.replace(mark, made)
    return markdown


# -- options


def commands() -> str:
    """All commands with their options."""
    from gamecore.cli import build_parser

    os.environ["COLUMNS"] = "100"  # of usage lines; argparse asks the environment
    return "\n".join(line for parser, what in parsers(build_parser()) for line in command(parser, what))


def parsers(parser: argparse.ArgumentParser, what: str = "") -> Iterator[tuple[argparse.ArgumentParser, str]]:
    """Yield a parser and all parsers below it, each with its help text."""
    yield parser, what
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            said = {choice.dest: choice.help or "" for choice in action._choices_actions}
            for name, below in action.choices.items():
                yield from parsers(below, said.get(name, ""))


def command(parser: argparse.ArgumentParser, what: str) -> Iterator[str]:
    """Describe one command: its description, usage, a table of options for each group, and its epilog."""
    yield from ("", f"### {parser.prog}", "", plain(parser.description or sentence(what)), "")
    usage = parser.format_usage().rstrip().replace("\n" + " " * len("usage: "), "\n")
    yield from ("```text", usage.removeprefix("usage: "), "```", "")
    for group in parser._action_groups:
        shown = [action for action in group._group_actions if action.help != argparse.SUPPRESS]
        shown = [action for action in shown if not isinstance(action, argparse._HelpAction)]
        if not shown:
            continue
        title = (group.title or "").replace("positional arguments", "arguments")
        yield from (f"| {plain(title)} | |", "|---|---|")
        for action in shown:
            if isinstance(action, argparse._SubParsersAction):
                for choice in action._choices_actions:
                    link = f"{parser.prog} {choice.dest}".replace(" ", "-")
                    yield f"| [`{choice.dest}`](#{link}) | {plain(choice.help or '')} |"
            else:
                yield f"| {names(parser, action)} | {plain(meaning(parser, action))} |"
        yield ""
    if parser.epilog:
        yield from ("```text", parser.epilog.rstrip(), "```", "")


def names(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    """Return an option with all its names and its metavar, or an argument."""
    after = parser._get_formatter()._format_args(action, action.metavar or action.dest) if action.nargs != 0 else ""
    text = " ".join((", ".join(action.option_strings), after)).strip()
    return f"`{cell(text)}`"


def meaning(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    """Its help, with defaults and choices filled in."""
    return parser._get_formatter()._expand_help(action) if action.help else ""


def sentence(text: str) -> str:
    """A phrase as a sentence."""
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".") if text else ""


def plain(text: str) -> str:
    """Text that Markdown and its tables show as it is."""
    return re.sub(r"([\\`*_<\[|$#])", r"\\\1", " ".join(text.split()))


def cell(text: str) -> str:
    """Text of a code span in a table."""
    return text.replace("|", r"\|")


# -- fields of JSON


def fields() -> str:
    """All schemas, a folded table each, by game."""
    from gamecore.cli.schema import schemas

    lines: list[str] = []
    last = ""
    for name, schema in schemas().items():
        game = name.partition(".")[0]
        if game != last:
            lines += ["", f"### {'Lines of' if game == 'solve-file' else 'JSON of'} {game}", ""]
            last = game
        about = meanings(game if game in _GAMES else name.partition(".")[2], name)
        lines += ["", f'??? note "`gamecore schema {name}`"', "", "    | field | type | |", "    |---|---|---|"]
        for path, kind, optional, said in flat(schema):
            *above, key = path.replace("[]", "").split(".")
            text = plain(said) if said else about.get(("moves" in above, key), about.get((False, key), ""))
            lines.append(f"    | `{path}` | {kind}{', may be missing' if optional else ''} | {text} |")
    return "\n".join(lines) + "\n"


def flat(schema: dict[str, Any], before: str = "") -> Iterator[tuple[str, str, bool, str]]:
    """Every field, those of nested objects behind their parents': path, type, whether it is optional, description."""
    for name, one in schema.get("properties", {}).items():
        yield before + name, kind_of(one), name not in schema.get("required", ()), one.get("description", "")
        yield from flat(one, before + name + ".")
    for one in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        yield from flat(one, before)
    for one in (*schema.get("prefixItems", ()), schema.get("items")):
        if one:
            yield from flat(one, before.removesuffix(".") + "[].")


def kind_of(schema: dict[str, Any]) -> str:
    """The type of a field in words."""
    if "anyOf" in schema:
        return " or ".join(kind_of(one) for one in schema["anyOf"])
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    if "const" in schema:
        return f"`{schema['const']}`"
    if "prefixItems" in schema:
        return f"list of {', '.join(kind_of(one) for one in schema['prefixItems'])}"
    if schema.get("type") == "array":
        return f"list of {kind_of(schema.get('items', {}))}"
    low, high = schema.get("minimum"), schema.get("maximum")
    reach = f" {low} to {high}" if None not in (low, high) else f" from {low}" if low is not None else ""
    return f"{schema.get('type', 'any')}{reach}"


def meanings(game: str, name: str) -> dict[tuple[bool, str], str]:
    """Return descriptions of attributes from the classes behind a schema, by (is it a move, name).

    The schema's own class comes before the game's others.
    """
    found = {(False, field): text for field, text in _EVERYWHERE.items()}
    if game not in _GAMES:
        return found
    module = import_module(f"gamecore.{game}")
    own = "".join(word.title() for word in name.rpartition(".")[2].split("-"))
    order = [own, "Solution", "Analysis", "Position", "Evaluation", "Simulation", "Difference"]
    for of_move, titles in ((True, ["MoveValue"]), (False, order)):
        for title in titles:
            for cls in getattr(getattr(module, title, None), "__mro__", ()):
                for attribute, text in attributes_of(cls).items():
                    found.setdefault((of_move, attribute), text)
    return found


def attributes_of(cls: type) -> dict[str, str]:
    """The attributes that a class documents: in its docstring, and its properties by their first sentence."""
    if not cls.__module__.startswith("gamecore"):
        return {}
    properties = {key: value for key, value in vars(cls).items() if isinstance(value, property)}
    found = {key: first(value.__doc__) for key, value in properties.items() if value.__doc__}
    names = set(vars(cls)) | set(getattr(cls, "__annotations__", ()))
    text = cls.__doc__ or ""
    every = items_of(text, "Args", names) | items_of(text, "Attributes", names) | found
    return {key: cell(re.sub(r"\bNone\b", "null", said.replace("``", "`"))) for key, said in every.items()}


def first(text: str) -> str:
    """The first paragraph of a docstring."""
    return " ".join(re.sub(r":\w+:(?=`)", "", text).split("\n\n")[0].split())
