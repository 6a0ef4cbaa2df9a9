"""Comparisons: protocols, differences checked by hand, and a valid stopping rule."""

import copy
import json
import math
import pickle
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from gamecore import OptionError, cli, hearts
from gamecore.errors import BatchError
from gamecore.hearts import _compare, _protocols
from gamecore.hearts._confidence import Differences, looks
from gamecore.hearts._plots import pareto

sys.path.insert(0, str(Path(__file__).parent))

import strange_players
from strange_players import Lowest, Lucky


def by_hand(player, field, rounds, seed, **options):
    """(rounds, 4): points of a player in each seat, by simulations."""
    columns = []
    for seat in range(4):
        table = [None] * 4
        table[seat] = player
        for place, other in enumerate(field, start=1):
            table[(seat + place) % 4] = other
        columns.append(hearts.simulate(table, rounds, seed, **options).points[:, seat])
    return np.stack(columns, axis=1)


@pytest.mark.parametrize("field", ["greedy", ("duck", "random", "pimc:2")])
def test_points_and_differences_are_those_of_simulations(field):
    players, others = ["duck", "pimc:3", "random"], [field] * 3 if isinstance(field, str) else list(field)
    options = {"passing": "cycle", "first": 3, "rules": hearts.Rules(jack_of_diamonds=True)}
    found = hearts.compare(players, field, 60, 7, **options)
    hand = [by_hand(player, others, 60, 7, **options) for player in players]
    assert (found.points == np.stack(hand, axis=1)).all()
    means = np.array([points.mean(axis=1) for points in hand])
    assert np.allclose(found.mean, means.mean(axis=1))
    assert np.allclose(found.stderr, means.std(axis=1, ddof=1) / math.sqrt(60))
    for one, (a, b) in zip(found.differences, [(0, 1), (0, 2), (1, 2)], strict=True):
        paired = means[a] - means[b]
        assert (one.first, one.second) == (found.players[a], found.players[b])
        assert math.isclose(one.mean, paired.mean(), abs_tol=1e-12)
        assert math.isclose(one.stderr, paired.std(ddof=1) / math.sqrt(60))
        assert math.isclose(one.unpaired_stderr, math.hypot(found.stderr[a], found.stderr[b]))
        assert one.low < one.mean < one.high


def test_pairing_reduces_the_error():
    found = hearts.compare(["greedy", "duck"], "greedy", 4000, 7)
    (one,) = found.differences
    assert one.better == "duck"
    assert one.stderr < 0.8 * one.unpaired_stderr


def test_the_same_for_any_workers():
    players, field, deals = ["pimc:2", Lucky(), "duck"], ["greedy", Lowest(), "random"], 4
    one = hearts.compare(players, field, deals, 7, passing="cycle")
    assert one.players == ("pimc:2:greedy", "Lucky", "duck")
    assert one.field == ("greedy", "Lowest", "random")
    assert hearts.compare(players, field, deals, 7, passing="cycle", workers=2) == one
    with ThreadPoolExecutor(3) as pool:
        assert hearts.compare(players, field, deals, 7, passing="cycle", executor=pool) == one
    built_in = hearts.compare(["greedy", "duck"], "duck", 3000, 7, until=0.3)
    assert built_in.rounds < 3000
    assert hearts.compare(["greedy", "duck"], "duck", 3000, 7, until=0.3, workers=2) == built_in
    assert built_in != hearts.compare(["greedy", "duck"], "duck", 3000, 8, until=0.3)


# --- protocols -------------------------------------------------------------------------------------------------------


def seatings(least, most):
    """All tables of two players; the second one has `least` to `most` seats."""
    tables = [[number >> seat & 1 for seat in range(4)] for number in range(16)]
    return [table for table in tables if least <= sum(table) <= most]


def mean_difference(found, tables, players, play):
    """The mean difference by hand: `play` returns the scores of a table, deal by deal."""
    totals = np.zeros((found.rounds, 2))
    for table in tables:
        scores = play([players[who] for who in table])
        for who in range(2):
            totals[:, who] += scores[:, [seat for seat in range(4) if table[seat] == who]].sum(axis=1)
    return (totals[:, 0] - totals[:, 1]) / (2 * len(tables))


@pytest.mark.parametrize(("protocol", "tables"), [("seatings", seatings(1, 3)), ("duo", seatings(2, 2))])
@pytest.mark.parametrize("players", [("duck", "pimc:2"), (Lowest(), "random")])
def test_two_players_in_all_seatings(protocol, tables, players):
    deals = 40 if isinstance(players[0], str) else 8
    found = hearts.compare(players, rounds=deals, rng=7, protocol=protocol, first=4)
    assert found.points.shape == (deals, 2, 2 * len(tables))
    assert (found.protocol, found.field, found.passing) == (protocol, (), "cycle")
    options = {"passing": "cycle", "first": 4}
    by_deal = mean_difference(found, tables, players, lambda table: hearts.simulate(table, deals, 7, **options).points)
    (one,) = found.differences
    assert math.isclose(one.mean, by_deal.mean(), abs_tol=1e-12)
    assert math.isclose(one.stderr, by_deal.std(ddof=1) / math.sqrt(deals))
    assert hearts.compare(players, rounds=deals, rng=7, protocol=protocol, first=4, workers=2) == found


@pytest.mark.parametrize("players", [("duck", "random"), (Lowest(), "random")])
def test_matches_by_rank(players):
    rules = hearts.Rules(match_points=30)
    found = hearts.compare(players, rounds=3, rng=7, protocol="matches", first=1, rules=rules)

    def play(table):
        ranks = []
        for number in range(1, 4):
            rounds = hearts.simulate(table, 40, 7, rules=rules, passing="cycle", first=number * _protocols.MOST_ROUNDS)
            totals = np.cumsum(rounds.points, axis=0, dtype=int)
            end = totals[np.argmax(totals.max(axis=1) >= 30)]
            ranks.append([1 + (end < mine).sum() + ((end == mine).sum() - 1) / 2 for mine in end])
        return np.array(ranks)

    by_match = mean_difference(found, seatings(2, 2), players, play)
    assert math.isclose(found.differences[0].mean, by_match.mean(), abs_tol=1e-12)
    assert math.isclose(found.mean.sum(), 5)  # ranks 1 to 4, two seats each
    assert "3 matches in 6 seatings" in str(found)
    assert hearts.compare(players, rounds=3, rng=7, protocol="matches", first=1, rules=rules, workers=2) == found


def test_ranks_share_ties():
    assert _protocols.doubled_ranks([5, 100, 5, 60]) == [3, 8, 3, 6]
    assert _protocols.doubled_ranks([7] * 4) == [5] * 4


def test_a_match_without_an_end_ends():
    rules = hearts.Rules(moon="shooter", match_points=100_000)
    assert hearts.compare(["random", "literal"], rounds=1, rng=7, protocol="matches", rules=rules).rounds == 1


# --- the stopping rule ------------------------------------------------------------------------------------------------


def prefix_is_settled(found, rounds, until):
    part = _compare.Race(_protocols.PROTOCOLS["field"], found.points, found.rules, found.confidence, until)
    part.add(found.points[:rounds])
    return part.decided()


def test_it_stops_at_the_first_look_that_suffices():
    found = hearts.compare(["greedy", "duck", "random"], "greedy", 20_000, 7, until=0.1)
    assert found.settled
    ends = looks(20_000)
    at = ends.index(found.rounds)
    assert at > 0
    assert not any(prefix_is_settled(found, end, 0.1) for end in ends[:at])
    whole = hearts.compare(["greedy", "duck", "random"], "greedy", found.rounds, 7)
    assert (whole.points == found.points).all()
    # Nearly equal players: the interval becomes narrow enough.
    same = hearts.compare(["greedy", "pimc:1:epsilon=0.7"], "greedy", 20_000, 7, until=2.0)
    (one,) = same.differences
    assert same.settled
    assert one.better is not None or one.high - one.low <= 4.0
    short = hearts.compare(["pimc:5", "pimc:6"], "greedy", 40, 7, until=0.01)
    assert not short.settled
    assert short.rounds == 40


def false_alarms(decides, draw, trials, deals, seed):
    """Share of trials in which a rule, applied at every check, finds a difference between equal players."""
    rng, alarms = np.random.default_rng(seed), 0
    ends = looks(deals)
    for _ in range(trials):
        values, begin = draw(rng, deals), 0
        seen = Differences(104)
        for end in ends:
            seen.add(values[begin:end])
            begin = end
            if decides(seen, values[:end]):
                alarms += 1
                break
    return alarms / trials


def honest(seen, _):
    return seen.refutes_zero(0.05)


def naive(_, values):
    """Planted fault: a test for one sample size, used at every check."""
    return abs(values.mean()) > 1.96 * values.std(ddof=1) / math.sqrt(len(values))


@pytest.fixture(scope="module")
def real():
    """Differences of two players by deal, summed over four seats."""
    points = hearts.compare(["greedy", "duck"], "greedy", 4000, 7).points.sum(axis=2, dtype=np.int64)
    return points[:, 0] - points[:, 1]


def fair(real):
    return lambda rng, n: rng.choice(real, n) * rng.choice([-1, 1], n)


def rare(_):
    # 60 one time in 21, else -3: the mean is 0, most samples look worse.
    return lambda rng, n: np.where(rng.random(n) < 1 / 21, 60, -3)


@pytest.mark.parametrize("kind", [fair, rare])
def test_repeated_checks_keep_the_error_rate(real, kind):
    trials = 120
    error = math.sqrt(0.05 * 0.95 / trials)
    assert false_alarms(honest, kind(real), trials, 1200, 1) <= 0.05 + 3 * error
    assert false_alarms(naive, kind(real), trials, 1200, 1) > 0.05 + 5 * error


def test_looks_are_fixed_and_see_whole_cycles():
    assert looks(0) == looks(3, 4) == []
    assert looks(100) == [32, 48, 64, 80, 96, 100]
    assert looks(103, 4) == [32, 48, 64, 80, 96, 100]
    assert looks(70, 64) == [64]
    assert all(end % 5 == 0 for end in looks(10_000, 5))
    assert max(after / before for before, after in zip(looks(10_000)[4:], looks(10_000)[5:], strict=False)) < 1.25
    # Directions may favour one player: intervals use whole cycles.
    found = hearts.compare(["duck", "random"], "greedy", 42, 7, passing="cycle")
    whole = hearts.compare(["duck", "random"], "greedy", 40, 7, passing="cycle")
    assert [(one.low, one.high) for one in found.differences] == [(one.low, one.high) for one in whole.differences]
    assert found.differences[0].mean != whole.differences[0].mean


def test_intervals_hold_the_mean_and_shrink():
    rng = np.random.default_rng(5)
    missed, widths = 0, []
    for _ in range(60):
        seen = Differences(104)
        for _ in range(4):
            seen.add(np.clip(np.rint(rng.normal(3, 9, 500)), -104, 104).astype(np.int64))
        low, high = seen.interval(0.05)
        assert seen.refutes_zero(0.05) == (low > 0 or high < 0)
        missed += not low <= 3 <= high
        widths.append((high - low) / 2 / (9 / math.sqrt(2000)))
    assert missed <= 4
    assert 2.2 < np.mean(widths) < 4.0  # 1.96 is the minimum for a single check
    assert Differences(104).interval(0.05) == (-104, 104)


def test_no_difference_leaves_the_bounds():
    for flags in ({}, {"jack_of_diamonds": True}, {"avoid_all_tricks_bonus": True}, {"moon": "shooter"}):
        rules = hearts.Rules(**flags)
        found = hearts.compare(["random", "duck"], "random", 200, 7, rules=rules)
        sums = found.points.sum(axis=2, dtype=np.int64)
        assert abs(sums[:, 0] - sums[:, 1]).max() <= _protocols.most_of(rules)
        assert _protocols.most_of(rules) == 4 * (26 + 26 * ("moon" in flags) + 10 * ("jack_of_diamonds" in flags)
                                               + 5 * ("avoid_all_tricks_bonus" in flags))  # fmt: skip


# --- results ----------------------------------------------------------------------------------------------------------


def test_results_as_data_and_text():
    found = hearts.compare(["duck", Lowest(), Lowest()], ["greedy", "random", "random"], 12, 7)
    assert found.players == ("duck", "Lowest", "Lowest#2")
    others = [
        hearts.compare(["duck"], rounds=0, rng=7),
        *(hearts.compare(["duck", "random"], rounds=1, rng=7, protocol=name) for name in _protocols.PROTOCOLS),
    ]
    for one in (found, *others):
        json.dumps(one.to_dict(), allow_nan=False)
        assert one == pickle.loads(pickle.dumps(one)) == copy.deepcopy(one)
    text = str(found)
    assert all(word in text for word in ("duck - Lowest#2", "12 deals", "greedy, random, random", "seed 7"))
    assert text.isascii()
    (pair,) = [one for one in found.differences if one.second == "Lowest#2" and one.first == "Lowest"]
    assert (pair.mean, pair.stderr, pair.better) == (0, 0, None)
    assert str(pair) == "Lowest - Lowest#2: +0.000 +- 0.000, open"
    for library in ("pandas", "polars"):
        pytest.importorskip(library)
        assert list(found.to_dataframe(library)["player"]) == list(found.players)
        assert list(found.to_dataframe(library, what="differences")["low"]) == [one.low for one in found.differences]
    with pytest.raises(OptionError, match="what"):
        found.to_dataframe(what="all")


def test_times_are_measured():
    found = hearts.compare(["duck", "pimc:50", Lowest()], rounds=8, rng=7)
    duck, search, python = found.decision_seconds
    assert 0 < duck < search
    assert python > duck
    assert [_compare.time_text(one) for one in (math.nan, 7.01e-8, 0.0123, 3.0)] == ["-", "70.1 ns", "12.3 ms", "3 s"]


def test_plot(tmp_path):
    pytest.importorskip("matplotlib", reason="extra `plot`")
    hearts.compare(["duck", "pimc:5", "random"], rounds=20, rng=7).plot().savefig(tmp_path / "plot.png")
    assert (tmp_path / "plot.png").stat().st_size > 1000
    with pytest.raises(OptionError, match="1 deals"):
        hearts.compare(["duck"], rounds=1, rng=7).plot()


def test_pareto():
    assert pareto([(1, 5), (2, 6), (3, 4), (3, 3), (4, 3), (0.5, 9)]) == [5, 0, 3]


# --- what goes wrong --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [1, 2])
def test_a_player_that_fails_keeps_the_deals_before(workers):
    players, field = ["duck", strange_players.Fails("SQ")], "greedy"
    with pytest.raises(hearts.PlayerError, match=r"Fails.choose raised RuntimeError: 'cannot bear it'") as caught:
        hearts.compare(players, field, 60, 2, workers=workers)
    partial = caught.value.partial
    assert 0 <= partial.rounds < 60
    kept = hearts.compare(["duck", Lowest()], field, partial.rounds, 2)
    assert (partial.points == kept.points).all()


def test_an_interruption_keeps_the_deals_before():
    def stop(done, total):
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as caught:
        hearts.compare(["pimc:20", "duck"], rounds=10_000, rng=1, progress=stop)
    assert 0 < caught.value.partial.rounds < 10_000


def test_an_executor_that_is_closed():
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    with pytest.raises(BatchError, match="executor failed") as caught:
        hearts.compare(["duck", "greedy"], rounds=10, rng=1, executor=pool)
    assert caught.value.done.rounds == 0


class Uncopied(Lowest):
    def __reduce__(self):
        raise TypeError("not me")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"players": "duck"}, "players must be a list"),
        ({"players": []}, "players must be a list"),
        ({"players": ["duck", "duck"]}, r"players\[1\]: duck stands twice"),
        ({"players": ["duck", 7]}, "not 7"),
        ({"field": ["duck"]}, "field must be"),
        ({"field": "nobody"}, "nobody"),
        ({"field": 7}, "field must be"),
        ({"protocol": "pairs"}, "protocol must be one of field, seatings, duo, matches, not 'pairs'"),
        ({"protocol": "duo", "field": "duck"}, "protocol 'duo' has no field, not 'duck'"),
        ({"protocol": "duo", "players": ["duck"]}, "protocol 'duo' compares two players, not 1"),
        ({"rounds": -1}, "rounds"),
        ({"first": "x"}, "first"),
        ({"until": 0}, "until"),
        ({"until": "x"}, "until"),
        ({"confidence": 1}, "confidence"),
        ({"workers": 0}, "workers"),
        ({"rules": 1}, "rules"),
        ({"passing": "up"}, "passing"),
        ({"players": [Uncopied()], "executor": ThreadPoolExecutor(1)}, r"players\[0\], Uncopied, cannot be copied"),
        ({"players": ["duck", Uncopied()], "workers": 2}, "Uncopied, cannot be sent to another process: TypeError"),
    ],
)
def test_bad_input(arguments, message):
    with pytest.raises(OptionError, match=message):
        hearts.compare(**{"players": ["duck", "greedy"], "rounds": 5, **arguments})


# --- players in Python, in simulations --------------------------------------------------------------------------------


def test_python_players_in_parallel_play_the_same():
    players, count = [Lucky(), "random", Lowest(), "pimc:2"], 24
    one = hearts.simulate(players, count, 7, passing="cycle")
    for options in ({"workers": 2}, {"executor": ThreadPoolExecutor(3)}, {"executor": ProcessPoolExecutor(2)}):
        told = []
        options["progress"] = lambda *done, to=told: to.append(done)
        assert hearts.simulate(players, count, 7, passing="cycle", **options) == one
        assert told[-1] == (count, count)
    assert (one.decisions > 0).all()


def test_a_simulation_goes_on_where_another_ended():
    for players in (["duck", "random", "pimc:2", "greedy"], [Lucky(), "random", "duck", "greedy"], ["random"] * 4):
        whole = hearts.simulate(players, 30, 7, passing="cycle")
        rest = hearts.simulate(players, 18, 7, passing="cycle", first=12)
        assert (rest.points == whole.points[12:]).all()
        assert (rest.first, rest.to_dict()["first"]) == (12, 12)
        assert "from number 12" in str(rest)


class Watches(Lowest):
    """Logs its calls."""

    def __init__(self):
        self.log = []

    def begin_round(self, view, seed, totals):
        self.log.append(("begin", view.seat, len(view.hand), view.played, seed, totals))

    def end_round(self, view, points):
        self.log.append(("end", view.seat, view.played, points))

    def choose(self, view):
        assert len(view.legal_moves()) > 1
        self.log.append("choose")
        return super().choose(view)


def test_hooks_and_forced_cards():
    player = Watches()
    result = hearts.simulate(["duck", player, "random", "duck"], 6, 7)
    assert result.decisions[1] == player.log.count("choose") < 6 * 13
    assert (result.decisions == hearts.simulate(["duck", "literal", "random", "duck"], 6, 7).decisions).all()
    begins = [entry for entry in player.log if entry[0] == "begin"]
    assert [entry[:4] for entry in begins] == [("begin", 1, 13, ())] * 6
    assert len({entry[4] for entry in begins}) == 6
    assert {entry[5] for entry in begins} == {(0, 0, 0, 0)}
    ends = [entry for entry in player.log if entry[0] == "end"]
    assert [entry[3] for entry in ends] == list(result)
    assert {len(entry[2]) for entry in ends} == {52}
    player = Watches()
    match = hearts.match(["duck", player, "random", "duck"], 7)
    totals = np.vstack([np.zeros((1, 4), int), np.cumsum(match.points, axis=0, dtype=int)[:-1]])
    assert [list(entry[5]) for entry in player.log if entry[0] == "begin"] == totals.tolist()


@pytest.mark.parametrize("name", ["begin_round", "end_round"])
def test_hooks_that_raise(name):
    def wrong(*_):
        raise RuntimeError("no")

    kind = type("Wrong", (Lowest,), {name: wrong})
    with pytest.raises(hearts.PlayerError, match=rf"seat 2: Wrong\.{name} raised RuntimeError") as caught:
        hearts.simulate(["duck", "duck", kind(), "duck"], 5, 7)
    assert caught.value.partial.rounds == 0


def test_names_tell_instances_apart():
    one, other = Lowest(), Lowest()
    assert hearts.simulate([one, other, one, "duck"], 1, 7).players == ("Lowest", "Lowest#2", "Lowest", "duck")
    assert hearts.simulate(["duck"] * 4, 1, 7).players == ("duck",) * 4


# --- the command ------------------------------------------------------------------------------------------------------


def test_command(capsys, tmp_path):
    plot = tmp_path / "a.svg"
    assert cli.main(["hearts", "compare", "duck", "greedy", "--rounds", "50", "--seed", "7", "--plot", str(plot)]) == 0
    assert "duck - greedy" in capsys.readouterr().out
    assert plot.read_bytes().startswith(b"<?xml")
    arguments = ["hearts", "compare", "duck", "pimc:3", "--field", "greedy", "duck", "random", "--rounds", "40"]
    assert cli.main([*arguments, "--json", "--seed", "7", "--first", "3", "--until", "0.01", "--workers", "2"]) == 3
    data = json.loads(capsys.readouterr().out)
    found = hearts.compare(["duck", "pimc:3"], ["greedy", "duck", "random"], 40, 7, first=3, until=0.01).to_dict()
    found.pop("decision_seconds")
    data.pop("decision_seconds")
    assert data == json.loads(json.dumps(found))
    duo = ["hearts", "compare", "duck", "random", "--rounds", "9", "--seed", "7", "--protocol", "duo", "--json"]
    assert cli.main(duo) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["mean"] == hearts.compare(["duck", "random"], rounds=9, rng=7, protocol="duo").mean.tolist()
    assert cli.main(["hearts", "compare", "duck", "gready", "--rounds", "5"]) == 2
    assert "gready" in capsys.readouterr().err
