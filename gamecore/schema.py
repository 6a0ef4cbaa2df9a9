"""JSON Schemas (draft 2020-12) of positions and results, derived from the annotations of their classes."""

import inspect
import sys
from collections.abc import Mapping
from types import NoneType
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar, get_args, get_origin

from gamecore.contract import M, Result, Side

if TYPE_CHECKING:
    from gamecore.game import Game

Schema = dict[str, Any]
Ranges = Mapping[str, Schema]  #: keywords that the types of fields do not say, by the fields' names

TEXT: Final[Schema] = {"type": "string"}
INTEGER: Final[Schema] = {"type": "integer"}
COUNT: Final[Schema] = {"type": "integer", "minimum": 0}
NUMBER: Final[Schema] = {"type": "number"}
SECONDS: Final[Schema] = {"type": "number", "minimum": 0}
FLAG: Final[Schema] = {"type": "boolean"}

_PLAIN: Final[dict[Any, Schema]] = {str: TEXT, bool: FLAG, int: COUNT, float: NUMBER}
_ALWAYS: Final[Ranges] = {
    "seconds": SECONDS,
    "best_so_far": {"description": "not proven; null where a best move is"},
}
_SIGNED: Final = ("value", "lower", "upper")  # fields of bounds; other integers are counts


def record(fields: dict[str, Schema], optional: tuple[str, ...] = ()) -> Schema:
    """Return the schema of an object with these fields and no others; all but the ``optional`` ones are required."""
    return {
        "type": "object",
        "properties": fields,
        "required": [name for name in fields if name not in optional],
        "additionalProperties": False,
    }


def array(items: Schema, **more: Any) -> Schema:
    """Return the schema of a list; ``more``: keywords such as ``minItems``."""
    return {"type": "array", "items": items, **more}


def nullable(schema: Schema) -> Schema:
    """Return the schema of a value that may be null, because it is not proven."""
    return {"anyOf": [schema, {"type": "null"}]}


def bounds(value: Schema) -> dict[str, Schema]:
    """Return the fields of ``contract.Bounds``."""
    return {"value": nullable(value), "lower": value, "upper": value, "exact": FLAG}


def of(kind: Any, ranges: Ranges | None = None, types: Mapping[Any, Any] | None = None) -> Schema:
    """Return the schema of what the ``to_dict`` of a class returns.

    Args:
        kind: a class with ``FIELDS``, or else one whose constructor's arguments are its fields.
        ranges: keywords by field name, also of objects in fields; those of ``value`` are also those of its bounds.
            They are added to what the annotation says; with ``type`` or ``anyOf`` they replace it (``anyOf`` says
            itself whether null is allowed).
        types: of type variables that the class leaves open.
    """
    return record(fields_of(kind, ranges, types))


def fields_of(kind: Any, ranges: Ranges | None = None, types: Mapping[Any, Any] | None = None) -> dict[str, Schema]:
    """Return the fields of :func:`of`, for commands that print more beside them."""
    made = _Schemas({**_ALWAYS, **(ranges or {})}, dict(types or {}) | _type_arguments(kind))
    kind = get_origin(kind) or kind
    names = kind.names() if issubclass(kind, Result) else inspect.signature(kind).parameters
    return {name: made.field(kind, name) for name in names}


def of_game(game: "Game") -> dict[str, Schema]:
    """Return the schemas of a game by name: of its positions and results, and of what its commands print."""
    types = {Side: _hint(game.position_type, "to_move"), M: game.move_value_type}
    move_value = of(game.move_value_type, game.ranges, types)
    solution = fields_of(game.solution_type, game.ranges, types)
    analysis = of(game.analysis_type, game.ranges, types)
    more = {"moves": analysis["properties"]["moves"], **game.extra_fields}
    return {
        "position": of(game.position_type, game.ranges),
        "solution": record(solution),
        "move-value": move_value,
        "analysis": analysis,
        "command": record({"position": TEXT, **solution, **more}, tuple(more)),
        **game.schemas,
    }


class _Schemas:
    """Schemas of annotations, given ranges and the types of type variables."""

    def __init__(self, ranges: Ranges, types: Mapping[Any, Any]) -> None:
        self.ranges, self.types = ranges, types

    def field(self, kind: Any, name: str) -> Schema:
        """Return the schema of a field or a property of a class."""
        keywords = self.ranges.get("value" if name in _SIGNED else name, {})
        if "anyOf" in keywords:
            return dict(keywords)
        hint = _hint(kind, name)
        if "type" in keywords:
            return nullable(keywords) if NoneType in get_args(hint) else dict(keywords)
        found = self.of_hint(hint, INTEGER if name in _SIGNED else COUNT)
        if "anyOf" in found:
            return nullable({**found["anyOf"][0], **keywords})
        return {**found, **keywords}

    def of_hint(self, hint: Any, whole: Schema = COUNT) -> Schema:
        """Return the schema of an annotation; ``whole``: of an int."""
        hint = self.types.get(hint, hint)
        origin, arguments = get_origin(hint), get_args(hint)
        if isinstance(hint, TypeVar):
            return self.of_hint(hint.__constraints__[-1], whole) if hint.__constraints__ else {}
        if origin is Literal:
            return {"enum": list(arguments)}
        if NoneType in arguments:
            rest = [one for one in arguments if one is not NoneType]
            return nullable(NUMBER if len(rest) > 1 else self.of_hint(rest[0], whole))
        if int in arguments and float in arguments:
            return dict(NUMBER)
        if hint is int:
            return dict(whole)
        if hint in _PLAIN:
            return dict(_PLAIN[hint])
        if origin is tuple and arguments[-1] is not ...:
            return array(self.of_hint(arguments[0]), minItems=len(arguments), maxItems=len(arguments))
        if inspect.isclass(origin or hint) and hasattr(origin or hint, "to_dict"):
            return of(hint, self.ranges, self.types)
        if arguments:
            return array(self.of_hint(arguments[0]))
        raise TypeError(f"{hint} has no schema")


def _hint(kind: Any, name: str) -> Any:
    """Return the annotation of a field, or of what a property returns."""
    for owner in (get_origin(kind) or kind).__mro__:
        made = vars(owner).get(name)
        getter = getattr(made, "fget", None) or getattr(made, "func", None)  # of a property, cached or not
        found = inspect.get_annotations(owner).get(name)
        if getter is not None:
            found = getter.__annotations__["return"]
        if found is not None:
            return eval(found, vars(sys.modules[owner.__module__])) if isinstance(found, str) else found
    raise TypeError(f"{kind.__name__}.{name} has no annotation")


def _type_arguments(kind: Any) -> dict[Any, Any]:
    """Return what a class and its bases put in place of type variables."""
    origin = get_origin(kind) or kind
    found = {
        variable: argument
        for variable, argument in zip(getattr(origin, "__parameters__", ()), get_args(kind), strict=False)
        if not isinstance(argument, TypeVar)
    }
    for base in getattr(origin, "__orig_bases__", ()):
        if get_origin(base) is not None and hasattr(get_origin(base), "FIELDS"):
            found = _type_arguments(base) | found
    return found
