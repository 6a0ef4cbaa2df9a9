"""What prove, judge and the adapters ask of a game: no more than they use; a user's game hands its parts over."""

import ast
from pathlib import Path
from types import SimpleNamespace

import pytest
from kit.games import Takeaway  # pytest's pythonpath has the folder of tests

import gamecore
from gamecore import GamecoreError, game, kit, prove
from gamecore.apps import judge
from gamecore.apps.adapters import Coding, coding_of
from gamecore.apps.prove import prover_of

PROTOCOLS = {prove.Prover: 9, prove.Engine: 4, prove.PlainRules: 5, judge.Judging: 11, Coding: 10}
OFFERED = {"duel.py", "hexapawn.py", "rows.py", "hearts.py", "_prover.py", "_judging.py", "_coding.py"}


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_an_app_asks_for_no_more_than_it_uses(protocol):
    """The app reads each member, in other files than those that say and offer what it asks for."""
    members = {name for name in {**vars(protocol), **protocol.__annotations__} if not name.startswith("_")}
    app = Path(gamecore.__file__).parent / "apps" / protocol.__module__.split(".")[2]
    trees = [ast.parse(path.read_text()) for path in app.glob("*.py") if path.name not in OFFERED]
    used = {node.attr for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    assert len(members) == PROTOCOLS[protocol]
    assert {*members, "unheard_of"} - used == {"unheard_of"}


def test_a_users_game_hands_them_over(monkeypatch):
    heap = kit.make(Takeaway)
    parts = {app: heap.part(app) for app in ("prove", "judge", "adapters")}
    lent = SimpleNamespace(name="lent", part=parts.get)
    monkeypatch.setattr(game._registry, "_registered", {"lent": lent})
    assert prover_of("lent") is parts["prove"]
    assert judge.judging_of(lent).sizes == range(1, 40)
    assert coding_of(lent, heap.start()).actions == ("0", "1", "2")
    judging = judge.Judging({"small": lambda size, rng: heap.start()}, unit="object")
    parts["judge"] = lambda: judging
    assert judge.judging_of(lent) is judging
    parts.clear()
    for ask in (lambda: prover_of("lent"), lambda: judge.judging_of(lent), lambda: coding_of(lent, None)):
        with pytest.raises(GamecoreError, match=r"^lent "):
            ask()
