"""Hearts from one seat: nothing that a page receives tells what the others hold or passed on."""

import pytest
from explore.answers import hidden, leaks, refused

from gamecore import hearts
from gamecore.apps.explore import _bounds
from gamecore.apps.explore._hidden import Store
from gamecore.apps.explore._how import panels_of
from gamecore.apps.explore._screen import screen_of
from gamecore.apps.explore._shown import Shown
from gamecore.errors import ParseError
from gamecore.hearts import GAME

SEAT = 2
HEARTS = screen_of(GAME)
DEALT = hearts.Round.deal(rng=3, passing="left", passer=None)


def played(seat, tricks):
    """The round played on until a seat is to move after so many tricks."""
    state = DEALT
    while len(state.tricks) < tricks or state.to_move != seat:
        state = state.play(state.ask("greedy"))
    return state


OWN_CARD = played(SEAT, 5)
STATES = {"another passes": DEALT, "passing": played(SEAT, 0), "own card": OWN_CARD, "another's card": played(1, 5)}


def requests(state):
    """Every request with a seat: its path, its fields, and the cards that the answer must not name."""
    move, secrets = state.ask("greedy"), hidden(state, SEAT)
    history = [*("-".join(cards) for cards in state.passed if cards), *state.played]
    seen = {"game": "hearts", "position": Shown(GAME, state, SEAT).text, "seat": SEAT}
    yield "position", seen, secrets
    begun = {"game": "hearts", "position": DEALT.to_text(), "moves": history}
    yield "position", {**begun, "seat": SEAT}, secrets
    yield "position", {**begun, "mover": True}, hidden(state, state.to_move)
    yield "parse", {"game": "hearts", "text": state.to_text(), "seat": SEAT}, secrets
    yield "build", {"game": "hearts", "draft": HEARTS.draft(state), "seat": SEAT}, secrets
    yield "copy", {**seen, "moves": True}, secrets
    yield "picture", {**seen, "width": 320}, secrets
    yield "move", {**seen, "player": "greedy"}, hidden(state.play(move), SEAT)


@pytest.mark.parametrize("name", STATES)
def test_no_answer_tells_another_hand(ask, name):
    for path, body, secrets in requests(STATES[name]):
        assert not leaks(ask(path, **body), secrets, (path,))


def test_what_the_search_for_leaks_would_see(ask):
    """A pass, a hand and a picture of all hands are found where the answer is that for open hands."""
    for name, path in (("another passes", "move"), ("own card", "position"), ("own card", "picture")):
        fields, secrets = next((body, secrets) for where, body, secrets in requests(STATES[name]) if where == path)
        told = ask(path, **fields | {"position": STATES[name].to_text(), "seat": None})
        assert leaks(told, secrets, (path,))


def test_every_path_that_takes_a_round_is_asked(api):
    asked = {f"/api/{path}" for path, _, _ in requests(OWN_CARD)}
    others = {"hello", "analyses", "stop", "random", "refute", "solution", "analyse", "panel", "puzzle", "next"}
    assert asked | {f"/api/{name}" for name in others} == set(api.paths())
    assert list(panels_of(HEARTS)) == ["how"]  # another panel of hearts would have to be asked, too


def test_an_id_is_read_back_and_no_other(ask, monkeypatch):
    seen, move = Shown(GAME, DEALT, SEAT), DEALT.ask("greedy")
    name, passed = seen.text, seen.move_text(move)
    assert (Shown.read(GAME, name).position, name) == (DEALT, Shown(GAME, DEALT, 1).text)
    assert seen.read_move(passed) == move == Shown(GAME, DEALT, 0).move_text(move)
    assert len(passed) <= _bounds.MOVE_CHARS
    asked = [{"position": wrong} for wrong in (name[:-1], name + "A", "hidden.", "hidden.é", "hidden.0", passed)]
    for body in [*asked, {"position": OWN_CARD.to_text(), "moves": [passed]}]:
        assert "this round is not known" in refused(ask, "position", game="hearts", seat=SEAT, **body).message
    monkeypatch.setattr("gamecore.apps.explore._shown.STORE", Store())  # of another run
    assert "this round is not known" in refused(ask, "position", game="hearts", position=name, seat=SEAT).message


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


def test_a_random_round_and_the_first_one_are_hidden(ask):
    drawn = ask("random", game="hearts", seat=SEAT, options={"passing": "hold"})
    state = Shown.read(GAME, drawn["view"]["position"]).position
    assert not leaks(drawn, hidden(state, SEAT))
    start = next(entry["start"] for entry in ask("hello")["games"] if entry["game"] == "hearts")
    assert Shown.read(GAME, start).position == HEARTS.first_position()


def test_the_python_of_one_seat_gives_its_answer(ask, capsys):
    exec(ask("copy", game="hearts", position=OWN_CARD.to_text(), seat=SEAT)["python"], {})
    view, printed = OWN_CARD.view(SEAT), capsys.readouterr().out
    assert view.draw() in printed
    assert str(hearts.evaluate_moves(view, playouts=1000, rng=0)[0]) in printed
