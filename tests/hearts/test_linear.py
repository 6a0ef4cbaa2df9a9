"""The learned policy: its three forms, an independent implementation, whole rounds, and files of weights."""

import hashlib
import pickle

import numpy as np
import pytest
from hearts import linear_reading  # pytest's pythonpath has the folder of tests
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore import GamecoreError, cli, hearts, kernels
from gamecore.hearts._kernel import kernel
from gamecore.hearts._rules import FLAGS, MOONS
from gamecore.hearts._weights import DEFAULT, MODEL, Weights, WeightsError, aligned, weights_of

RULES = st.builds(hearts.Rules, **dict.fromkeys(FLAGS[1:], st.booleans()), moon=st.sampled_from(MOONS))


def random_weights(seed, most=127):
    return np.random.default_rng(seed).integers(-most, most + 1, MODEL, dtype=np.int64).astype(np.int8)


@pytest.fixture(scope="module")
def strange(tmp_path_factory):
    """A file of random weights."""
    path = tmp_path_factory.mktemp("weights") / "strange.weights"
    Weights(random_weights(1), random_weights(2), {}).save(path)
    return path


def samples(rounds, seed=5, flags=13, passing=b"\0\1\2\3", at=kernel):
    out = np.empty((48 * rounds, at.sample_bytes()), np.uint8)
    mix = ((0, 0, 0, 0, 0, 0), (1, 0, 0, 0, 0, 0), (2, 0, 0, 0, 0, 0))
    found = at.judged_rounds(out, seed, 0, rounds, flags, passing, (5, 1, 2, 0, 0, 0), mix, 0.2, at.Control())
    return out[:found]


@pytest.mark.parametrize("most", [0, 1, 127])
def test_all_forms_agree_bit_by_bit(most):
    decisions, weights = samples(60), random_weights(most, most)
    for noise in (-1, 0, 8191):
        found = [
            kernels.kernel("hearts", level).linear_forms(weights, decisions, form, noise)
            for level in kernels.available_levels()
            for form in (0, 1, 2)
        ]
        assert all(one == found[0] for one in found)


def test_a_planted_fault_is_seen_by_all_forms():
    """Each weight is used by some decision: otherwise the forms could agree without reading it."""
    decisions, weights = samples(20), random_weights(3, 5)
    places = np.empty((13 * len(decisions), 18), np.int32)
    cards = kernel.rows_of(decisions, places, np.empty(len(decisions), np.int32), np.empty(len(places), np.float32))
    for place in np.unique(places[:cards])[:-1][::97]:
        changed = weights.copy()
        changed[place] += 50
        for form in (0, 1, 2):
            assert kernel.linear_forms(changed, decisions, form)[1] != kernel.linear_forms(weights, decisions, form)[1]


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**40), rules=RULES, passing=st.sampled_from(["hold", "left", "across", "right"]))
def test_it_plays_what_its_description_says(seed, rules, passing, strange):
    weights = Weights.load(strange).policy
    who = hearts.player("linear", weights=strange)
    round_ = hearts.Round.deal(seed, rules, passing)
    while not round_.is_over:
        card = round_.ask(who)
        view = round_.view(round_.to_move)
        if seed % 3 == round_.to_move:
            assert card == linear_reading.of_view(view).best(weights, view.legal_moves())
        round_ = round_.play(card)


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**40), rules=RULES, passing=st.sampled_from(["hold", "left", "cycle"]))
def test_whole_rounds_are_the_rounds_of_single_decisions(seed, rules, passing, strange):
    name = f"linear:weights={strange}"
    played = hearts.simulate([name] * 4, 3, seed, rules=rules, passing=passing)
    decisions = 0
    for index in range(3):
        direction = "hold" if passing == "hold" else "left" if passing == "left" else rules.cycle[index]
        round_ = hearts.Round.deal(seed, rules, direction, name, index)
        while not round_.is_over:
            decisions += len(round_.legal_moves()) > 1
            round_ = round_.play(round_.ask(name))
        assert round_.points == played[index]
    assert decisions == played.decisions.sum()


def test_the_weights_in_the_package_play_well():
    """A bound far weaker than docs/results/hearts.md: only broken weights miss it."""
    points = [
        hearts.simulate(["greedy"] * seat + ["linear"] + ["greedy"] * (3 - seat), 500, 77).mean[seat]
        for seat in range(4)
    ]
    assert np.mean(points) < 4.9


def test_every_place_takes_it():
    round_ = hearts.Round.deal(rng=11, passing="left", passer="linear")
    round_ = round_.play(round_.ask("linear"))
    view = round_.view(round_.to_move)
    found = hearts.evaluate_moves(view, playouts=20, policy="linear", infer=2, rng=3)
    assert {one.move for one in found} == set(view.legal_moves())
    assert {one.playouts for one in found} == {20}
    assert hearts.match(["linear", "duck", "greedy", "search:2"], rng=3).points.shape[1] == 4

    class Asks(hearts.Player):
        def choose(self, view):
            return hearts.Round.deal(1).ask("linear") if not view else view.legal_moves()[0]

    assert hearts.simulate([Asks(), "linear", "search:2", "duck"], 2, 7).rounds == 2
    for text in (
        "linear",
        "search:160",
        "search:5ms",
        "search:40:infer=2:solve_at=8",
        "pimc:100:linear",
        "search:2.5ms",
        "search:123.456789123ms",
        "pimc:100:duck:epsilon=0.123456789",
        "solver:5:random:solve_at=20:epsilon=0.5",
        "random",
        "mc:7:random",
        "pimc:5:duck:infer=3:epsilon=0.5",
    ):
        assert str(hearts.player(text)) == text
        assert pickle.loads(pickle.dumps(hearts.player(text))) == hearts.player(text)
    assert hearts.player("pimc", playouts=5, policy="duck") == hearts.player("pimc:5:duck")
    assert hearts.player("mc").policy == "random"


@given(st.floats(1e-9, 3600))
def test_every_time_is_written_as_it_is(seconds):
    search = hearts.player("search", seconds=seconds)
    assert hearts.player(str(search)) == search


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("linear:5", "no option 'playouts'"),
        ("linear:infer=2", "no option 'infer'"),
        ("search:0", "playouts must be a whole number from 1"),
        ("search:5ms:infer=65", "infer"),
        ("search:-1ms", "seconds"),
        ("search:xms", "seconds must be a number, not 'x'"),
        ("search:5ms:seconds=3", "given twice"),
        ("search:222:seconds=1", r"search has playouts \(222\) or seconds \(1\), not both"),
        ("search:10:duck", "no option 'policy'"),
        ("pimc:10:linear:epsilon=0.1", "epsilon must be 0"),
        ("linear:weights=/nowhere/x", "cannot read weights '/nowhere/x': No such file"),
        ("linear:weights=", "weights= names no file"),
        ("nobody", "unknown player"),
    ],
)
def test_bad_options(text, message):
    with pytest.raises(GamecoreError, match=message):
        hearts.player(text)


def damaged(kind):
    raw = DEFAULT.read_bytes()
    first, checksum, header, data = raw.split(b"\n", 3)

    def sealed(header=header, data=data):
        rest = header + b"\n" + data
        return b"\n".join([first, hashlib.sha256(rest).hexdigest().encode(), rest])

    assert sealed() == raw
    other = {
        "empty": b"",
        "foreign": b"PK\3\4" + raw,
        "format 1": b"gamecore hearts weights\n" + header + b"\n" + data,
        "header": sealed(header=b"{"),
        "list": sealed(header=b"[1]"),
        "version": sealed(header=header.replace(b'"version": 1', b'"version": 2')),
        "short": sealed(data=data[:-1]),
        "long": sealed(data=data + b"\0"),
        "bit": raw[:-1] + bytes([raw[-1] ^ 1]),
        "bit of the header": b"\n".join([first, checksum, header.replace(b"seed", b"reed"), data]),
        "endless": raw + bytes(1 << 20),
    }
    return other[kind]


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("empty", "is not a file of hearts weights"),
        ("foreign", "is not a file of hearts weights"),
        ("format 1", "have format 1, whose header has no checksum"),
        ("header", "damaged: their third line is not JSON"),
        ("list", "another version"),
        ("version", "of another version than this gamecore's, 1"),
        ("short", "damaged: 103807 bytes"),
        ("long", "damaged: 103809 bytes"),
        ("bit", "damaged: their checksum"),
        ("bit of the header", "damaged: their checksum"),
        ("endless", "damaged: their checksum"),
    ],
)
def test_damaged_and_foreign_weights_are_refused(kind, message, tmp_path, capsys):
    path = tmp_path / "bad.weights"
    path.write_bytes(damaged(kind))
    with pytest.raises(WeightsError, match=message):
        hearts.player("linear", weights=path)
    assert cli.main(["hearts", "simulate", "--players", f"linear:weights={path}", "duck", "duck", "duck"]) == 2
    error = capsys.readouterr().err
    assert "bad.weights" in error
    assert len(error.splitlines()) == 1


@pytest.mark.parametrize("path", ["/dev/zero", "/"])
def test_weights_are_read_from_files_alone(path):
    with pytest.raises(WeightsError, match="not a file of hearts weights"):
        hearts.player("linear", weights=path)


def test_files_of_weights(tmp_path):
    path = tmp_path / "a:b.weights"
    made = Weights(random_weights(5), random_weights(6), {"seed": 5})
    made.save(path)
    again = Weights.load(str(path))
    assert again == made != Weights(made.policy, made.behaviour, {})
    assert (again.policy[0], again.about) == (made.policy[0], {"seed": 5})
    who = hearts.player(f"search:7:weights={path}")
    assert str(who) == f"search:7:weights={path}"
    before = np.asarray(weights_of(str(path)))
    assert before.ctypes.data % 64 == 0
    assert (before[:MODEL] == made.policy).all()
    Weights(random_weights(7), random_weights(8), {"a longer": "header"}).save(path)
    assert (np.asarray(weights_of(str(path))) != before).any()  # a changed file is read again
    with pytest.raises(WeightsError, match="policy must be an array of 51904 int8"):
        Weights(np.zeros(MODEL), made.behaviour, {})
    assert (np.asarray(aligned(made.policy.tobytes())) == made.policy).all()
