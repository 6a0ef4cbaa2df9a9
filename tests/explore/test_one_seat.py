"""Hearts from one seat: nothing that a page receives tells what the others hold or passed on."""

import contextlib
import io

import pytest
from explore.answers import hidden, leaks

from gamecore import hearts
from gamecore.apps.explore import _api
from gamecore.apps.explore._errors import ApiError
from gamecore.apps.explore._hidden import Store
from gamecore.apps.explore._screen import Screen, screen_of
from gamecore.apps.explore._shown import Shown
from gamecore.apps.explore.hearts import HeartsScreen
from gamecore.errors import ParseError
from gamecore.hearts import GAME

SEAT = 2
HEARTS = screen_of(GAME)
DEALT = hearts.Round.deal(rng=3, passing="left", passer=None)


def played(state, seat, tricks):
    """The round played on until a seat is to move after so many tricks."""
    while len(state.tricks) < tricks or state.to_move != seat:
        state = state.play(state.ask("greedy"))
    return state


STATES = {
    "another passes": DEALT,
    "passing": played(DEALT, SEAT, 0),
    "own card": played(DEALT, SEAT, 5),
    "another's card": played(DEALT, 1, 5),
}


def requests(state):
    """Every request with a seat: its path, its fields, and the cards that the answer must not name."""
    move, secrets = state.ask("greedy"), hidden(state, SEAT)
    history = [*("-".join(cards) for cards in state.passed if cards), *state.played]
    seen = {"game": "hearts", "position": Shown(GAME, state, SEAT).text, "seat": SEAT}
    yield "/api/position", seen, secrets
    yield "/api/position", {"game": "hearts", "position": DEALT.to_text(), "seat": SEAT, "moves": history}, secrets
    yield "/api/parse", {"game": "hearts", "text": state.to_text(), "seat": SEAT}, secrets
    yield "/api/build", {"game": "hearts", "draft": HEARTS.draft(state), "seat": SEAT}, secrets
    yield "/api/copy", {**seen, "moves": True}, secrets
    yield "/api/picture", {**seen, "width": 320}, secrets
    yield "/api/move", {**seen, "player": "greedy"}, hidden(state.play(move), SEAT)


def told(ask, state, only=""):
    """All that the answers to a seat's requests tell of the other hands."""
    asked = [request for request in requests(state) if only in (request[0], "")]
    return [leak for path, body, secrets in asked for leak in leaks(ask(path, **body), secrets, (path,))]


@pytest.mark.parametrize("name", STATES)
def test_no_answer_tells_another_hand(ask, name):
    assert not told(ask, STATES[name])


def test_every_path_that_takes_a_round_is_asked(api):
    asked = {path for state in STATES.values() for path, _, _ in requests(state)}
    others = {"hello", "analyses", "stop", "random", "refute", "analyse", "panel", "puzzle"}
    assert asked | {f"/api/{name}" for name in others} == set(api.paths())
    assert not HEARTS.panels  # a panel of hearts would have to be asked, too


def notation(shown):
    return str(shown.position.to_text())


#: Careless edits by name: where, what, the members put there, and a request whose answer then tells.
PLANTED = {
    "notation": (Shown, {"text": property(notation)}, "/api/position"),
    "passes of a history": (HeartsScreen, {"hides_move": Screen.hides_move}, "/api/position"),
    "a pass that is made": (HeartsScreen, {"hides_move": Screen.hides_move}, "/api/move"),
    "words": (
        HeartsScreen,
        {"label": lambda self, state, seat=None, of=HeartsScreen.label: of(self, state)},
        "/api/position",
    ),
    "python": (HeartsScreen, {"python": lambda self, state, seat=None: Screen.python(self, state)}, "/api/copy"),
    "drawing": (type(GAME), {"picture": lambda self, state, moves=(), line=(), **_: state.picture()}, "/api/copy"),
    "all": (Shown, {"view": lambda shown, of=Shown.view: of(Shown(GAME, shown.position))}, "/api/parse"),
}


def test_a_picture_of_all_hands_would_be_found(ask, monkeypatch):
    drawn = hearts.GAME.picture
    monkeypatch.setattr(hearts.GAME, "picture", lambda position, *, seat, width: drawn(position, width=width))
    assert told(ask, STATES["another's card"], "/api/picture")


@pytest.mark.parametrize("fault", PLANTED)
def test_a_leak_is_found(ask, monkeypatch, fault):
    where, members, path = PLANTED[fault]
    for name, member in members.items():
        monkeypatch.setattr(where, name, member)
    assert any(told(ask, state, path) for state in STATES.values())


def test_what_is_asked_of_a_hidden_round_without_its_seat_is_refused(ask):
    state = STATES["own card"]
    asked = {"game": "hearts", "position": Shown(GAME, state, SEAT).text}
    for path, body in (
        ("/api/copy", {}),
        ("/api/move", {"player": "greedy"}),
        ("/api/refute", {"move": state.legal_moves()[0]}),
        ("/api/analyse", {}),
        ("/api/panel", {"panel": "review"}),
    ):
        with pytest.raises(ApiError, match="seen by one seat"):
            ask(path, **asked, **body)
    for path, body in (("/api/refute", {"move": state.legal_moves()[0]}), ("/api/analyse", {})):
        with pytest.raises(ApiError, match="one seat cannot know"):
            ask(path, **asked, seat=SEAT, **body)
    (view,) = ask("/api/position", **asked)["views"]  # all cards are turned up
    assert view["position"] == state.to_text()
    assert ask("/api/refute", game="hearts", position=state.to_text(), seat=None, move=view["legal_moves"][0])["move"]


def test_an_id_is_read_back_and_no_other(ask, monkeypatch):
    seen, move = Shown(GAME, DEALT, SEAT), DEALT.ask("greedy")
    name, passed = seen.text, seen.move_text(move)
    assert (Shown.read(GAME, name).position, name) == (DEALT, Shown(GAME, DEALT, 1).text)
    assert seen.read_move(passed) == move == Shown(GAME, DEALT, 0).move_text(move)
    assert len(passed) <= _api._MOVE_CHARS
    other = STATES["own card"]
    for wrong in (name[:-1], name + "A", "hidden.", "hidden.é", "hidden.0", passed):
        with pytest.raises(ApiError, match="this round is not known"):
            ask("/api/position", game="hearts", position=wrong, seat=SEAT)
    with pytest.raises(ApiError, match="this round is not known"):
        ask("/api/position", game="hearts", position=other.to_text(), moves=[passed], seat=SEAT)
    monkeypatch.setattr("gamecore.apps.explore._shown.STORE", Store())  # of another run
    with pytest.raises(ApiError, match="this round is not known"):
        ask("/api/position", game="hearts", position=name, seat=SEAT)


def test_the_least_recently_used_ids_are_forgotten(monkeypatch):
    monkeypatch.setattr("gamecore.apps.explore._hidden._MOST", 3)
    store = Store()
    names = [store.hide(text) for text in "abc"]
    assert store.reveal(names[0]) == "a"
    names.append(store.hide("d"))
    assert [store.reveal(names[at]) for at in (0, 2, 3)] == ["a", "c", "d"]
    with pytest.raises(ParseError, match="this round is not known"):
        store.reveal(names[1])
    assert store.hide("b") not in names


def test_the_seat_of_who_is_to_move(ask):
    found = ask("/api/position", game="hearts", position=DEALT.to_text(), moves=[DEALT.ask("greedy")], mover=True)
    assert found["seat"] == 1
    assert not leaks(found, hidden(DEALT, 1))
    assert ask("/api/position", game="duel", position="DQ:H3:A:-", mover=True)["seat"] is None


def test_a_random_round_and_the_first_one_are_hidden(ask):
    drawn = ask("/api/random", game="hearts", seat=SEAT, options={"passing": "hold"})
    state = Shown.read(GAME, drawn["view"]["position"]).position
    assert drawn["seed"] is None  # which would be the deal
    assert not leaks(drawn, hidden(state, SEAT))
    again = ask("/api/random", game="hearts", seat=SEAT, seed=5)
    assert again["seed"] == 5
    start = ask("/api/hello")["games"][-1]["start"]
    assert start.startswith("hidden.")
    assert Shown.read(GAME, start).position == HEARTS.first_position()


def test_the_python_of_one_seat_gives_its_answer(ask):
    state = STATES["own card"]
    python = ask("/api/copy", game="hearts", position=state.to_text(), seat=SEAT)["python"]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(python, {})
    view = state.view(SEAT)
    assert view.draw() in printed.getvalue()
    assert str(hearts.evaluate_moves(view, playouts=1000, rng=0)[0]) in printed.getvalue()
