"""The panel "How": the sources' algorithms on the position shown."""

import pytest
from explore.answers import refused

from gamecore import duel, hearts, hexapawn, rows
from gamecore.apps.explore import _how
from gamecore.game import games
from gamecore.reference import versions_of

SMALL = {
    "duel": duel.deal(4, rng=1),
    "hexapawn": hexapawn.Position.start(3, 3),
    "rows": rows.Position([5, 1, 1, 3, 2, 9], "greedy"),
    "hearts": hearts.random("hold", plies=46, rng=1),
}
LARGE = {
    "duel": duel.deal(10, rng=1),
    "hexapawn": hexapawn.Position.start(5, 5),
    "hearts": hearts.random(plies=0, rng=1),
}


def how(ask, game, position, **options):
    return ask("panel", game=game, panel="how", position=position.to_text(), options=options)


@pytest.mark.parametrize("game", SMALL)
def test_every_version_has_its_counts_and_its_tree(ask, game):
    position = SMALL[game]
    versions = versions_of(position)
    for name, version in versions.items():
        trace = version.trace()
        answer = how(ask, game, position, version=name)
        assert list(answer) == ["all_versions", f"calls_of_{name}"]
        heading, *lines = answer["all_versions"].split("\n")
        assert heading.split() == ["version", "calls", "different", "states", "remembered", "cut", "off"]
        assert [line.rsplit(None, 4)[0] for line in lines] == list(versions)
        counts = lines[list(versions).index(name)].replace(",", "").split()[-4:]
        assert counts == [str(n) for n in (trace.total, trace.distinct, trace.remembered, trace.cutoffs)]
        assert answer[f"calls_of_{name}"]["svg"] == trace.picture().svg
        step = how(ask, game, position, version=name, calls=3)
        assert step == answer | {f"calls_of_{name}": {"svg": trace.picture(calls=3).svg}}


@pytest.mark.parametrize("game", games())
def test_it_is_offered_where_an_algorithm_is_quick_enough(ask, game):
    (entry,) = [entry for entry in ask("hello")["games"] if entry["game"] == game]
    (panel,) = [panel for panel in entry["panels"] if panel["panel"] == "how"]
    assert set(versions_of(SMALL[game])) <= set(panel["options"][0]["choices"])
    for position, is_offered in ((SMALL[game], True), (LARGE.get(game), False)):
        if position is not None:
            asked = {"game": game, "position": position.to_text()}
            (view,) = ask("position", **asked)["views"]
            assert ("how" in view["panels"]) == is_offered
            assert is_offered or "nothing to show" in refused(ask, "panel", **asked, panel="how").message


def test_a_version_that_does_not_suit_the_position_gives_way(ask):
    row = rows.Position([*range(20)], "greedy")
    answer = how(ask, "rows", row, version="full")
    assert answer["note"] == "full does not suit this position; below is top_down"
    assert "calls_of_top_down" in answer
    asked = {"game": "rows", "panel": "how", "position": row.to_text()}
    assert "calls" in refused(ask, "panel", **asked, options={"calls": _how.MOST_CALLS + 1}).message
    assert "version" in refused(ask, "panel", **asked, options={"version": "V4"}).message


def test_a_seat_sees_no_search_of_all_hands(ask):
    asked = {"game": "hearts", "position": SMALL["hearts"].to_text(), "seat": 0}
    (view,) = ask("position", **asked)["views"]
    assert "how" not in view["panels"]
    assert "nothing to show" in refused(ask, "panel", **asked, panel="how").message
