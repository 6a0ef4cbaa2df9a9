"""The answers to a page's requests, whatever carries them: HTTP or the messages of a notebook's widget.

``docs/explore.md`` lists the paths. A *call* is answered at once, a *searching call* after a search that is under way
meanwhile, a *stream* tells events until its search ends.
"""

import secrets
from collections.abc import Callable, Mapping
from functools import partial
from itertools import islice
from typing import Any, Final

from gamecore._version import __version__
from gamecore.errors import GamecoreError, IllegalMoveError, OptionError, ParseError
from gamecore.explore import _analyse, _bounds, _panels
from gamecore.explore._cards import all_cards
from gamecore.explore._duel import Duel
from gamecore.explore._errors import of_library
from gamecore.explore._explorer import Explorer, Json
from gamecore.explore._fields import Fields
from gamecore.explore._hearts import Hearts
from gamecore.explore._hexapawn import Hexapawn
from gamecore.explore._rows import OPPONENTS, Rows
from gamecore.explore._searches import CALL, Deliver, Job, Search, Searches
from gamecore.hearts._players import POLICIES
from gamecore.text import printable

PROTOCOL: Final = 1
GAMES: Final[Mapping[str, Explorer]] = {one.game: one for one in (Duel(), Hexapawn(), Rows(), Hearts())}
_SEEDS: Final = (1 << 31) - 1
_REVIEW_PLAYOUTS: Final = 2000  # most of a decision in review
_PASSING_PLAYOUTS: Final = 5000
_MOVE_CHARS: Final = 40  # three cards sealed


class Api:
    """Answers requests.

    Args:
        searches: under way; a new one of its own by default.
    """

    def __init__(self, searches: Searches | None = None) -> None:
        self.searches = searches or Searches()
        self._calls: dict[str, Callable[[Fields, str], Json]] = {
            "/api/hello": lambda fields, client: hello(),
            "/api/analyses": lambda fields, client: self.searches.listed(client),
            "/api/stop": lambda fields, client: {"stopped": self.searches.stop(client)},
            "/api/position": _positions,
            "/api/parse": _parse,
            "/api/build": _build,
            "/api/random": _random,
            "/api/picture": _picture,
            "/api/rows/table": _row_panel(_panels.table),
            "/api/rows/counts": _row_panel(_panels.counts),
            "/api/rows/cell": _row_cell,
            "/api/rows/opponents": _row_opponents,
        }
        self._searching: dict[str, Callable[[Fields], _Asked]] = {
            "/api/move": _move,
            "/api/refute": _refute,
            "/api/copy": _copy,
        }
        self._streams: dict[str, Callable[[Fields], _Asked]] = {
            "/api/analyse": _analysis,
            "/api/hearts/review": _review,
            "/api/hearts/passing": _passing,
        }

    @staticmethod
    def read(text: str, game: str | None) -> tuple[Explorer, list[Any]]:
        """The positions of a text, and whose game they are: the given one, or the first that reads it.

        Raises:
            GamecoreError: no game reads it.
        """
        for explorer in GAMES.values() if game is None else [GAMES[game]]:
            try:
                positions = list(islice(explorer.read_many(text), _bounds.TEXT_POSITIONS))
            except GamecoreError:
                if game is not None:
                    raise
            else:
                if positions:
                    return explorer, positions
        raise ParseError(f"no game reads this text ({', '.join(GAMES)} were tried): {printable(text)}")

    #: Paths that are asked for without a body.
    WITHOUT_BODY: Final = ("/api/hello", "/api/analyses")

    def paths(self) -> dict[str, str]:
        """Every path, and whether it is a ``call``, a ``search`` (a searching call) or a ``stream``."""
        kinds = (("call", self._calls), ("search", self._searching), ("stream", self._streams))
        return {path: kind for kind, known in kinds for path in known}

    def call(self, path: str, body: Mapping[str, Any], client: str) -> Json:
        """The answer to a call.

        Raises:
            ApiError: it is refused.
        """
        fields = Fields(body)
        try:
            return self._calls[path](fields, client)
        except GamecoreError as error:
            raise of_library(error, "position") from None

    def search(self, path: str, body: Mapping[str, Any], client: str, deliver: Deliver) -> Search:
        """Begin the search of a searching call or a stream; see :meth:`Searches.start`.

        Raises:
            ApiError: it is refused.
        """
        streams = path in self._streams
        fields = Fields(body)
        try:
            asked = (self._streams if streams else self._searching)[path](fields)
        except GamecoreError as error:
            raise of_library(error, "position") from None
        kind = path.rpartition("/")[2] if streams else CALL
        game, position = asked.explorer.game, asked.explorer.text(asked.position, asked.seat)
        return self.searches.start(client, kind, game, position, asked.job, deliver)


class _Asked:
    """A search that was asked for, when all its fields were read."""

    def __init__(self, explorer: Explorer, position: Any, job: Job, seat: int | None = None) -> None:
        self.explorer, self.position, self.job, self.seat = explorer, position, job, seat


def hello() -> Json:
    """What a page has to know at first."""
    return {
        "version": __version__,
        "protocol": PROTOCOL,
        "limits": _bounds.as_dict(),
        "cards": all_cards(),
        "games": [explorer.about() for explorer in GAMES.values()],
    }


# --- fields that many requests have ----------------------------------------------------------------------------------


def _explorer(fields: Fields) -> Explorer:
    return GAMES[fields.choice("game", tuple(GAMES))]


def _position(fields: Fields, explorer: Explorer, field: str = "position") -> Any:
    text = fields.text(field, _bounds.POSITION_CHARS)
    try:
        return explorer.read(text)
    except GamecoreError as error:
        raise of_library(error, field) from None


def _seat(fields: Fields) -> int | None:
    seat: int | None = fields.whole("seat", 0, 3, None)
    return seat


def _seen(fields: Fields, explorer: Explorer) -> tuple[Any, int | None]:
    """The position asked about, and whose eyes see it. A sealed one needs a seat: without it, the answer would tell."""
    position, seat = _position(fields, explorer), _seat(fields)
    if seat is None and explorer.is_sealed(fields.text("position", _bounds.POSITION_CHARS)):
        raise OptionError("this round is seen by one seat: seat must say by which")
    return position, seat


def _seed(fields: Fields, default: int | None = 0) -> int:
    seed: int | None = fields.whole("seed", 0, _SEEDS, default)
    return secrets.randbelow(_SEEDS) if seed is None else seed


# --- positions -------------------------------------------------------------------------------------------------------


def _positions(fields: Fields, client: str) -> Json:
    explorer = _explorer(fields)
    states = [_position(fields, explorer)]
    moves = fields.texts("moves", _bounds.MOVES, _MOVE_CHARS)
    seat, mover = _seat(fields), fields.flag("mover")
    fields.done()
    for number, move in enumerate(moves):
        try:
            moves[number] = explorer.read_move(states[-1], move)
            states.append(states[-1].play(moves[number]))
        except GamecoreError as error:
            illegal = error if isinstance(error, IllegalMoveError) else IllegalMoveError(str(error))
            raise of_library(illegal, f"moves[{number}]") from None
    if mover and explorer.game == "hearts":
        seat = states[-1].to_move
    return {
        "views": [explorer.view(position, seat) for position in states],
        "moves": [explorer.move_text(*made, seat) for made in zip(states, moves, strict=False)],
        "seat": seat,
    }


def _picture(fields: Fields, client: str) -> Json:
    explorer = _explorer(fields)
    position, seat = _seen(fields, explorer)
    width = fields.whole("width", 200, 2000)
    fields.done()
    return {"svg": explorer.library.GAME.picture(position, seat=seat, width=width).svg}


def _parse(fields: Fields, client: str) -> Json:
    game = fields.choice("game", tuple(GAMES), None)
    text = fields.text("text", _bounds.POSITION_CHARS)
    seat = _seat(fields)
    fields.done()
    try:
        explorer, positions = Api.read(text, game)
    except GamecoreError as error:
        raise of_library(error, "text") from None
    return {
        "game": explorer.game,
        "positions": [explorer.text(position, seat) for position in positions],
        "view": explorer.view(positions[0], seat),
    }


def _build(fields: Fields, client: str) -> Json:
    explorer = _explorer(fields)
    draft = fields.record("draft")
    seat = _seat(fields)
    fields.done()
    try:
        position = explorer.build(draft)
    except GamecoreError as error:
        raise of_library(error, "draft") from None
    return {"view": explorer.view(position, seat)}


def _random(fields: Fields, client: str) -> Json:
    explorer = _explorer(fields)
    given, seed = fields.whole("seed", 0, _SEEDS, None), _seed(fields, None)
    options = fields.record("options", {})
    seat = _seat(fields)
    fields.done()
    try:
        position = explorer.random(options, seed)
    except GamecoreError as error:
        raise of_library(error, "options") from None
    return {"seed": seed if seat is None else given, "view": explorer.view(position, seat)}


# --- calls that search -----------------------------------------------------------------------------------------------


def _move(fields: Fields) -> _Asked:
    explorer = _explorer(fields)
    position, seat = _seen(fields, explorer)
    player = fields.choice("player", tuple(name for name, _ in explorer.players))
    seconds = fields.positive("seconds", _bounds.CALL_SECONDS, 1.0)
    seed = _seed(fields, None)
    fields.done()
    if position.is_over:
        raise OptionError("the game is over: there is no move to choose")

    def job(search: Search) -> None:
        move, exact = explorer.choose(position, player, seconds, seed)
        view, name = explorer.view(position.play(move), seat), explorer.move_text(position, move, seat)
        search.finish("answer", {"move": name, "player": player, "exact": exact, "view": view})

    return _Asked(explorer, position, job, seat)


def _refute(fields: Fields) -> _Asked:
    explorer = _explorer(fields)
    position, seat = _seen(fields, explorer)
    move = fields.text("move", _MOVE_CHARS)
    seconds = fields.positive("seconds", _bounds.CALL_SECONDS, 2.0)
    fields.done()
    if seat is not None:
        raise OptionError("one seat cannot know what refutes a move")
    if move not in position.legal_moves():
        raise of_library(IllegalMoveError(f"{printable(move)} is not a legal move here"), "move")
    return _Asked(
        explorer,
        position,
        partial(_analyse.refuted, explorer=explorer, position=position, move=move, seconds=seconds),
    )


def _copy(fields: Fields) -> _Asked:
    explorer = _explorer(fields)
    position, seat = _seen(fields, explorer)
    with_values = fields.flag("moves")
    fields.done()

    def job(search: Search) -> None:
        analysis = None
        if with_values and seat is None and not (explorer.game == "hearts" and position.passing_seats):
            analysis = explorer.analysed(explorer.refinement(position, _bounds.DEFAULT_TABLE_MB), 1.0)
        search.finish("answer", explorer.copies(position, analysis, seat))

    return _Asked(explorer, position, job, seat)


# --- streams ---------------------------------------------------------------------------------------------------------


def _analysis(fields: Fields) -> _Asked:
    explorer = _explorer(fields)
    position, seat = _seen(fields, explorer)
    seconds = fields.positive("seconds", _bounds.SECONDS, _bounds.DEFAULT_SECONDS)
    table_mb = fields.positive("table_mb", _bounds.TABLE_MB, _bounds.DEFAULT_TABLE_MB)
    seed = _seed(fields)
    policy = fields.choice("policy", tuple(POLICIES), "greedy")
    playouts = fields.whole("playouts", 1, _bounds.PLAYOUTS, _bounds.PLAYOUTS // 10)
    fields.done()
    job: Job = partial(
        _analyse.values, explorer=explorer, position=position, seconds=seconds, table_mb=max(1.0, table_mb)
    )
    if explorer.game == "hearts" and seat is not None:
        job = partial(
            _analyse.outlook,
            round_=position, seat=seat, seconds=seconds, playouts=playouts, policy=policy, seed=seed,
        )  # fmt: skip
    return _Asked(explorer, position, job, seat)


def _review(fields: Fields) -> _Asked:
    explorer = GAMES["hearts"]
    position, seat = _seen(fields, explorer)
    playouts, seed = fields.whole("playouts", 2, _REVIEW_PLAYOUTS, 200), _seed(fields)
    fields.done()
    if not position.played:
        raise OptionError("nothing was played yet: there is no decision to review")
    job = partial(_analyse.reviewed, explorer=explorer, round_=position, seat=seat, playouts=playouts, seed=seed)
    return _Asked(explorer, position, job, seat)


def _passing(fields: Fields) -> _Asked:
    explorer = GAMES["hearts"]
    position = _position(fields, explorer)
    playouts = fields.whole("playouts", 2, _PASSING_PLAYOUTS, 400)
    seat, seed = fields.whole("seat", 0, 3), _seed(fields)
    fields.done()
    if seat not in position.passing_seats:
        raise OptionError(f"seat {seat} has nothing to pass now")
    job = partial(_analyse.passing, round_=position, seat=seat, playouts=playouts, seed=seed)
    return _Asked(explorer, position, job, seat)


# --- rows ------------------------------------------------------------------------------------------------------------


def _row_panel(panel: Callable[[Any, str], Json]) -> Callable[[Fields, str], Json]:
    def answer(fields: Fields, client: str) -> Json:
        position = _position(fields, GAMES["rows"])
        opponent = fields.choice("opponent", OPPONENTS, position.opponent)
        fields.done()
        return panel(position, opponent)

    return answer


def _row_cell(fields: Fields, client: str) -> Json:
    position = _position(fields, GAMES["rows"])
    i, j = (fields.whole(name, 0, _bounds.TABLE_VALUES - 1) for name in "ij")
    opponent = fields.choice("opponent", OPPONENTS, position.opponent)
    fields.done()
    return _panels.cell(position, i, j, opponent)


def _row_opponents(fields: Fields, client: str) -> Json:
    position = _position(fields, GAMES["rows"])
    fields.done()
    return _panels.opponents(position)
