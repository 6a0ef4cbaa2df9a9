"""The answers to a page's requests, without HTTP.

``docs/explore.md`` lists the paths. A *call* is answered at once, a *search* (a call that searches) after a search that
runs in a thread, a *stream* tells events until its search ends.
"""

import contextlib
import os
import secrets
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import Final

from gamecore._version import __version__
from gamecore.apps.explore import _analyse as jobs
from gamecore.apps.explore import _bounds
from gamecore.apps.explore._errors import answer_to
from gamecore.apps.explore._fields import Fields
from gamecore.apps.explore._how import panels_of
from gamecore.apps.explore._screen import screen_of
from gamecore.apps.explore._searches import ANALYSIS, CALL, Deliver, Job, Search, Searches
from gamecore.apps.explore._shown import Shown, about, is_hidden
from gamecore.cards import ACE_HIGH, SUITS, SYMBOLS
from gamecore.cli.games import command_of
from gamecore.contract import Playable
from gamecore.draw import Picture
from gamecore.errors import GamecoreError, IllegalMoveError, OptionError, ParseError
from gamecore.game import Game, Json, Option, checked, games, options_of, random_move
from gamecore.limits import Limits
from gamecore.rng import generator
from gamecore.text import printable

PROTOCOL: Final = 4
_SEEDS: Final = (1 << 31) - 1
_COPY_SECONDS: Final = 1.0


class Api:
    """Answers requests or raises ApiError. ``searches`` holds what is searched for its pages.

    Args:
        code: a picture of the address that people in one room scan: their searches share the processors fairly.
    """

    #: Paths that are asked for without a body.
    WITHOUT_BODY: Final = ("/api/hello", "/api/analyses")

    def __init__(self, code: str | None = None) -> None:
        self._code = code
        self.searches = Searches(None if code is None else os.cpu_count() or 1)

    def paths(self) -> dict[str, str]:
        """Return every path, and whether it is a ``call``, a ``search`` (a call that searches) or a ``stream``."""
        return dict.fromkeys((*_CALLS, "/api/analyses", "/api/stop"), "call") | {
            path: "stream" if path == "/api/analyse" else "search" for path in _SEARCHES
        }

    def call(self, path: str, body: Json, client: str) -> Json:
        """Return the answer to a call."""
        if path == "/api/analyses":
            return self.searches.listed(client)
        if path == "/api/stop":
            return {"stopped": self.searches.stop(client)}
        fields = Fields(body)
        with _blaming("position"):
            answer = _CALLS[path](fields)
        fields.done()
        if path == "/api/hello" and self._code is not None:
            answer["code"], answer["limits"] = self._code, dict.fromkeys(answer["limits"], _bounds.LAN_SECONDS)
        return answer

    def asked(self, path: str, body: Json) -> tuple[Shown, Job]:
        """Return what the search of a path begins with, and its job."""
        fields = Fields(body)
        with _blaming("position"):
            asked = _SEARCHES[path](fields)
        fields.done()
        return asked

    def search(self, path: str, body: Json, client: str, deliver: Deliver) -> Search:
        """Begin the search of a path; see :meth:`Searches.start`."""
        shown, job = self.asked(path, body)
        kind = ANALYSIS if path == "/api/analyse" else CALL
        return self.searches.start(client, kind, shown.game.name, shown.text, job, deliver)


def read(text: str, name: str | None) -> tuple[Game, list[Playable]]:
    """Return the game and the positions of a text: of the named game, or of the first game that reads it."""
    all_games = games()
    for game in all_games.values() if name is None else [all_games[name]]:
        try:
            first = list(islice(game.parse_many(text.split("\n")), _bounds.TEXT_POSITIONS))
        except GamecoreError:
            if name is not None:
                raise
        else:
            if first:
                return game, first
    if name is not None:
        raise ParseError(f"the text is empty; a position is written as {command_of(all_games[name]).accepts[0]}")
    raise ParseError(f"no game reads this text ({', '.join(all_games)} were tried): {printable(text)}")


def hello(fields: Fields | None = None) -> Json:
    """Return what a page must know at first."""
    return {
        "version": __version__,
        "protocol": PROTOCOL,
        "code": None,
        "limits": {"seconds": _bounds.SECONDS, "default_seconds": _bounds.DEFAULT_SECONDS},
        "cards": {suit + rank: SYMBOLS[suit] + rank.replace("T", "10") for suit in SUITS for rank in ACE_HIGH},
        "games": [about(game) for game in games().values()],
    }


# --- fields that many requests have ----------------------------------------------------------------------------------


@contextlib.contextmanager
def _blaming(field: str) -> Iterator[None]:
    """Turn the library's errors into answers that blame a field."""
    try:
        yield
    except GamecoreError as error:
        raise answer_to(error, field) from None


def _game(fields: Fields) -> Game:
    all_games = games()
    return all_games[fields.choice("game", tuple(all_games))]


def _seat(fields: Fields, game: Game) -> int | None:
    seats = screen_of(game).seats
    seat: int | None = fields.whole("seat", 0, max(0, seats - 1), None)
    return seat if seats else None


def _shown(fields: Fields) -> Shown:
    """Return the position asked about. An id needs a seat: without it, the answer would tell the other hands."""
    game = _game(fields)
    text = fields.text("position", _bounds.POSITION_CHARS)
    shown = Shown.read(game, text, _seat(fields, game))
    if shown.seat is None and is_hidden(text):
        raise OptionError("this round is seen by one seat: seat must say by which")
    return shown


def _open(fields: Fields) -> Shown:
    """Return a position asked about whose hands are open."""
    shown = _shown(fields)
    if shown.seat is not None:
        raise OptionError("one seat cannot know the moves' values")
    return shown


def _seed(fields: Fields) -> int:
    seed: int | None = fields.whole("seed", 0, _SEEDS, None)
    return secrets.randbelow(_SEEDS) if seed is None else seed


# --- positions -------------------------------------------------------------------------------------------------------


def _position(fields: Fields) -> Json:
    game = _game(fields)
    root = Shown.read(game, fields.text("position", _bounds.POSITION_CHARS), _seat(fields, game))
    moves, states = fields.texts("moves", _bounds.MOVES, _bounds.MOVE_CHARS), [root]
    mover = fields.flag("mover")
    for number, text in enumerate(moves):
        try:
            moves[number] = states[-1].read_move(text)
            states.append(root.at(states[-1].position.play(moves[number])))
        except GamecoreError as error:
            illegal = error if isinstance(error, IllegalMoveError) else IllegalMoveError(str(error))
            raise answer_to(illegal, f"moves[{number}]") from None
    seat = game.sides.index(str(states[-1].position.to_move)) if mover and root.screen.seats else root.seat
    states = [Shown(game, state.position, seat) for state in states]
    return {
        "views": [state.view() for state in states],
        "moves": [state.move_text(move) for state, move in zip(states, moves, strict=False)],
        "seat": seat,
    }


def _picture(fields: Fields) -> Json:
    shown = _shown(fields)
    width = fields.whole("width", 200, 2000)
    return {"svg": shown.game.picture(shown.position, seat=shown.seat, width=width).svg}


def _parse(fields: Fields) -> Json:
    name = fields.choice("game", tuple(games()), None)
    text = fields.text("text", _bounds.POSITION_CHARS)
    with _blaming("text"):
        game, positions = read(text, name)
    shown = Shown(game, positions[0], _seat(fields, game))
    return {"game": game.name, "positions": [shown.at(position).text for position in positions], "view": shown.view()}


def _build(fields: Fields) -> Json:
    game = _game(fields)
    draft, seat = fields.record("draft"), _seat(fields, game)
    with _blaming("draft"):
        return {"view": Shown(game, screen_of(game).build(draft), seat).view()}


def _random(fields: Fields) -> Json:
    game = _game(fields)
    seed, options, seat = _seed(fields), fields.record("options", {}), _seat(fields, game)
    with _blaming("options"):
        usual = screen_of(game).plies
        plies = Option("plies", "", usual, 0, _bounds.MOVES).check(options.pop("plies", usual))
        shown = Shown(game, game.random(rng=seed, plies=plies, **checked(options, options_of(game.start))), seat)
    asked_seed = fields.whole("seed", 0, _SEEDS, None)  # of a new one, one seat could learn the deal
    return {"seed": seed if seat is None else asked_seed, "view": shown.view()}


def _next(fields: Fields) -> Json:
    shown, totals = _shown(fields), Fields(fields.record("totals", {}))
    before = [totals.whole(side, -_bounds.POINTS, _bounds.POINTS, 0) for side in shown.game.sides]
    totals.done()
    if not shown.position.is_over:
        raise OptionError("the round is not over")
    answer = shown.screen.next_round(shown.position, before)
    start = answer.pop("position", None)
    text = shown.screen.told(answer.pop("text", ""), shown.seat) or None
    return {"totals": None, **answer, "text": text, "view": start and shown.at(start).view()}


# --- calls that search -----------------------------------------------------------------------------------------------


def _move(fields: Fields) -> tuple[Shown, Job]:
    shown = _shown(fields)
    players = shown.game.players
    name = fields.choice("player", tuple(players))
    seconds = fields.positive("seconds", _bounds.CALL_SECONDS, 1.0)
    slips, careful, seed = fields.share("slips"), fields.flag("careful"), _seed(fields)
    if shown.position.is_over:
        raise OptionError("the game is over: there is no move to choose")

    def job(search: Search) -> None:
        most, rng = search.within(seconds), generator(seed)
        limits = Limits(seconds=most, table_mb=_bounds.DEFAULT_TABLE_MB)
        move, proven = players[name].choose(shown.position, limits, seed)
        if slips and rng.random() < slips:
            random = random_move(shown.position, limits, rng).move
            move, proven = jobs.second(shown, move, most) if careful else random, False
        view = shown.at(shown.position.play(move)).view()
        search.finish("answer", {"move": shown.move_text(move), "player": name, "exact": proven, "view": view})

    return shown, job


def _refute(fields: Fields) -> tuple[Shown, Job]:
    shown = _open(fields)
    move = fields.text("move", _bounds.MOVE_CHARS)
    seconds = fields.positive("seconds", _bounds.CALL_SECONDS, 2.0)
    if move not in shown.position.legal_moves():
        raise answer_to(IllegalMoveError(f"{printable(move)} is not a legal move here"), "move")
    return shown, partial(jobs.refuted, shown=shown, move=move, seconds=seconds)


def _solution(fields: Fields) -> tuple[Shown, Job]:
    shown = _open(fields)
    return shown, partial(jobs.solved, shown=shown, seconds=fields.positive("seconds", _bounds.CALL_SECONDS, 1.0))


def _puzzle(fields: Fields) -> tuple[Shown, Job]:
    game, seed = _game(fields), _seed(fields)
    if len(game.sides) != 2:
        raise OptionError("puzzles are for games of two sides")
    shown = Shown(game, screen_of(game).first_position())
    return shown, partial(jobs.puzzle, shown=shown, seed=seed)


def _copy(fields: Fields) -> tuple[Shown, Job]:
    shown = _shown(fields)
    seconds = _COPY_SECONDS if fields.flag("moves") else 0.0
    return shown, lambda search: search.finish("answer", shown.copies(search.within(seconds)))


# --- the stream, and panels ------------------------------------------------------------------------------------------


def _analyse(fields: Fields) -> tuple[Shown, Job]:
    shown = _open(fields)
    seconds = fields.positive("seconds", _bounds.SECONDS, _bounds.DEFAULT_SECONDS)
    table_mb = max(1.0, fields.positive("table_mb", _bounds.TABLE_MB, _bounds.DEFAULT_TABLE_MB))
    return shown, partial(jobs.values, shown=shown, seconds=seconds, table_mb=table_mb)


def _panel(fields: Fields) -> Json:
    shown = _shown(fields)
    panels = panels_of(shown.screen)
    panel = panels[fields.choice("panel", tuple(panels))]
    if not panel.applies(shown.position, shown.seat):
        raise OptionError(f"the panel {panel.title} has nothing to show here")
    with _blaming("options"):
        options = checked(fields.record("options", {}), panel.options_at(shown.position, shown.seat))
    answer = panel.run(shown.position, shown.seat, **options)
    return {name: {"svg": value.svg} if isinstance(value, Picture) else value for name, value in answer.items()}


#: What answers a path: the function of its name.
_CALLS: Final[dict[str, Callable[[Fields], Json]]] = {
    f"/api/{call.__name__.strip('_')}": call
    for call in (hello, _position, _parse, _build, _random, _next, _panel, _picture)
}
_SEARCHES: Final[dict[str, Callable[[Fields], tuple[Shown, Job]]]] = {
    f"/api/{search.__name__.strip('_')}": search for search in (_move, _refute, _solution, _copy, _puzzle, _analyse)
}
