"""The panel "How": the sources' algorithms on the position shown."""

import pytest

from gamecore import duel, hearts, hexapawn, rows
from gamecore.reference import versions_of

SMALL = {
    "duel": duel.deal(4, rng=1),
    "hexapawn": hexapawn.Position.start(3, 3),
    "rows": rows.Position([5, 1, 1, 3, 2, 9], "greedy"),
    "hearts": hearts.random("hold", plies=46, rng=1),
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
