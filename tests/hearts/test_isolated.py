"""Players in processes of their own: the same play, and what becomes of players that die, hang, raise or lie."""

import os
import sys
import time
from pathlib import Path

import pytest

from gamecore import GamecoreError, OptionError, hearts

sys.path.insert(0, str(Path(__file__).parent))

import strange_players


@pytest.fixture
def view():
    round_ = hearts.Round.deal(rng=7)
    return round_.view(round_.to_move)


def test_plays_as_it_would_here():
    here = hearts.simulate([strange_players.Lowest(), "duck", "greedy", "duck"], 5, rng=7, passing="left")
    with hearts.Isolated(strange_players.Lowest) as player:
        there = hearts.simulate([player, "duck", "greedy", "duck"], 5, rng=7, passing="left")
        assert player.name == "Lowest"
    assert (here.points == there.points).all()
    assert there.players == here.players


def test_no_object_of_this_process_is_there(view):
    round_ = hearts.Round.deal(rng=7)
    seen_here = strange_players.Peeks().choose(view)
    assert seen_here == "SQ"  # a player in this process can look around
    with hearts.Isolated(strange_players.Peeks) as player:
        assert player.choose(view) in view.legal_moves()
    assert round_.to_move == view.seat


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (strange_players.Dies, "Dies: its process has ended"),
        (strange_players.Raises, "Raises raised .RuntimeError.*no idea"),
        (strange_players.Lies, "Lies raised|Lies.choose answered"),
        (strange_players.NotMade, "NotMade raised .RuntimeError.*cannot be made"),
    ],
)
def test_what_goes_wrong_there_is_said(view, make, said):
    with hearts.Isolated(make, seconds=60) as player, pytest.raises(GamecoreError, match=said) as caught:
        player.choose(view)
    assert str(caught.value).isprintable()


def test_one_that_hangs_is_ended(view):
    with hearts.Isolated(strange_players.Lowest) as player:
        player.choose(view)  # this process has what it needs to start another one
    begun = time.monotonic()
    player = hearts.Isolated(strange_players.Hangs, seconds=0.2)
    with pytest.raises(GamecoreError, match=r"no answer within 0\.2 seconds"):
        player.choose(view)
    assert player._process is None
    assert time.monotonic() - begun < 60  # not the hour that it sleeps


def test_closed_it_leaves_no_process(view):
    player = hearts.Isolated(strange_players.Lowest)
    player.choose(view)
    pid = player._process.pid
    player.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert player.choose(view) in view.legal_moves()  # a new process
    player.close()


def test_errors_in_a_simulation_name_the_seat():
    with hearts.Isolated(strange_players.Dies) as player, pytest.raises(hearts.PlayerError, match="seat 2") as caught:
        hearts.simulate(["duck", "duck", player, "duck"], 3, rng=7)
    assert caught.value.partial.rounds == 0


@pytest.mark.parametrize("seconds", [0, -1, "1", True])
def test_bad_options(seconds):
    with pytest.raises(OptionError, match="seconds"):
        hearts.Isolated(strange_players.Lowest, seconds=seconds)
    with pytest.raises(OptionError, match="make"):
        hearts.Isolated("Lowest")
