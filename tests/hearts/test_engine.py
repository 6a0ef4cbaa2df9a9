"""Programs as players: the example plays by its rules, and errors name their cause."""

import copy
import os
import pickle
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gamecore import GamecoreError, OptionError, cli, hearts
from gamecore.hearts import _engine
from gamecore.hearts._engine import transcript

EXAMPLE = Path(__file__).parents[2] / "examples" / "hearts_engine.py"
PYTHON = [sys.executable, "-S", "-E"]  # starts faster
RANKS = "23456789TJQKA"


def rank(card):
    return RANKS.index(card[1])


class Same(hearts.Player):
    """The example's strategy."""

    def choose(self, view):
        return min(view.legal_moves(), key=rank)

    def pass_cards(self, view):
        return sorted(view.hand, key=rank)[-3:]


@pytest.fixture
def view():
    round_ = hearts.Round.deal(7).play("C2")
    return round_.view(round_.to_move)


@pytest.fixture
def engine(tmp_path):
    """Factory of engines whose body handles ``word, *rest`` of each line; ``say`` writes."""
    made = []

    def make(body, begin="", **options):
        path = tmp_path / f"engine{len(made)}.py"
        indented = "\n    ".join(body.splitlines())
        path.write_text(
            "import os, sys, time\n"
            "def say(text):\n    sys.stdout.write(text + '\\n'); sys.stdout.flush()\n"
            f"{begin}\n"
            "for line in sys.stdin:\n    word, *rest = line.split()\n"
            f"    if word == 'quit': break\n    {indented}\n"
        )
        made.append(hearts.Engine([*PYTHON, str(path)], **{"seconds": 20, **options}))
        return made[-1]

    yield make
    for one in made:
        one.close()


READY = "if word == 'hearts': say('ready 1')\n"


@pytest.mark.parametrize("passing", ["hold", "cycle"])
def test_the_example_plays_as_it_says(passing):
    there = hearts.Engine([*PYTHON, str(EXAMPLE)])
    with there:
        found = hearts.simulate(["duck", there, "random", "pimc:2"], 16, 7, passing=passing)
        assert found.players[1] == "hearts_engine"
        again = hearts.simulate(["duck", there, "random", "pimc:2"], 4, 7, passing=passing, first=3)
        process = there._pipe._process
    assert process.poll() == 0  # it quit by itself
    here = hearts.simulate(["duck", Same(), "random", "pimc:2"], 16, 7, passing=passing)
    assert (found.points == here.points).all()
    assert (again.points == here.points[3:7]).all()


def test_the_example_has_thirty_lines():
    assert len(EXAMPLE.read_text(encoding="utf-8").splitlines()) <= 30


def test_copies_have_processes_of_their_own():
    one = hearts.Engine([*PYTHON, str(EXAMPLE)], seconds=3, name="mine\x1b")
    for other in (copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
        assert other.name == r"mine\x1b"
        assert (other._command, other._seconds) == (one._command, one._seconds)
    found = hearts.compare([one, "duck"], [one, "random", "greedy"], 5, 7, workers=2)
    here = hearts.compare([Same(), "duck"], [Same(), "random", "greedy"], 5, 7)
    assert (found.points == here.points).all()
    assert one._pipe is None  # copies played


def test_an_engine_can_follow_the_round(engine, tmp_path):
    """The lines sent to it determine every view."""
    log = tmp_path / "log"
    scribe = engine(
        READY + "log.write(line); log.flush()\nif word == 'go': say('info thinking'); say('card ' + rest[0])\n"
        "if word == 'pass': say('pass ' + ' '.join(hand[-3:]))\n"
        "if word == 'round': hand = rest[rest.index('hand') + 1:]",
        begin=f"log = open({str(log)!r}, 'w'); hand = []",
    )
    rules = hearts.Rules(jack_of_diamonds=True)
    with scribe:
        result = hearts.simulate(["duck", "random", scribe, "duck"], 3, 7, passing="left", rules=rules)
    lines = [line.split() for line in log.read_text().splitlines()]
    assert [words[0] for words in lines].count("hearts") == 1
    rounds = [place for place, words in enumerate(lines) if words[0] == "round"]
    assert len(rounds) == 3
    for number, begin in enumerate(rounds):
        part = lines[begin : ([*rounds, len(lines)])[number + 1]]
        about = part[0]
        assert about[1:7] == ["seat", "2", "passing", "left", "rules", "jack_of_diamonds=on"]
        dealt = hearts.Round.deal(7, rules, "left", None, number).hands[2]
        assert tuple(about[about.index("hand") + 1 :]) == dealt
        assert about[about.index("totals") + 1 : about.index("hand")] == ["0"] * 4
        hand, passed = list(dealt), [words for words in part if words[0] == "passed"]
        assert [words[0] for words in part[:3]] == ["round", "pass", "passed"]
        assert passed[0][1:4] == hand[-3:]
        hand = [card for card in hand if card not in passed[0]] + passed[0][5:]
        played = [words for words in part if words[0] == "played"]
        assert len(played) == 52
        assert sorted(words[2] for words in played if words[1] == "2") == sorted(hand)
        for words in part:
            if words[0] == "go":
                assert len(words) > 2  # forced cards are not asked for
                assert set(words[1:]) <= set(hand)
            if words[0] == "played" and words[1] == "2":
                hand.remove(words[2])
        assert part[-1] == ["end", *map(str, result[number])]


def test_a_transcript_begins_with_the_cards_as_dealt():
    round_ = hearts.random("right", plies=30, rng=5)
    for seat in range(4):
        first = transcript(round_.view(seat), 9, (1, 2, 3, 4))[0]
        assert first.endswith(" ".join(round_.dealt[seat]))
        assert "seed 9 totals 1 2 3 4 hand" in first


def test_questions_without_rounds(view):
    with hearts.Engine([*PYTHON, str(EXAMPLE)]) as there:
        assert there.choose(view) == min(view.legal_moves(), key=rank)
        other = hearts.Round.deal(8, passing="left", passer=None)
        assert set(there.pass_cards(other.view(2))) == set(sorted(other.hands[2], key=rank)[-3:])
        assert there.choose(view) == min(view.legal_moves(), key=rank)
        with pytest.raises(GamecoreError, match="seat 2 has no card to play"):
            there.choose(other.view(2))
        with pytest.raises(GamecoreError, match="has no cards to pass"):
            there.pass_cards(view)


# --- what goes wrong --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("if word == 'hearts': say('ready 2')", r"speaks another version of the protocol \('ready 2'\), not 1"),
        ("say('hello')", "answered 'hello' where 'ready 1' is expected"),
        (READY + "if word == 'go': sys.exit(3)", "ended when it was asked 'go': exit status 3"),
        (READY + "if word == 'go': raise SystemError('oh dear')", "exit status 1, 'SystemError: oh dear'"),
        (READY + "if word == 'go': raise SystemError('x' * 900)", "'SystemError: x{900}'"),
        (READY + "if word == 'go': say('card XX')", "answered 'card XX': 'XX' is not a card"),
        (READY + "if word == 'go': say('C2')", "answered 'C2' where 'card CARD' is expected"),
        (READY + "if word == 'go': say('card C3 C4')", "where 'card CARD' is expected"),
        (READY + "if word == 'go': say('card SQ')", "answered SQ, which is not legal here: one of"),
        (READY + "if word == 'go': say('card C2')", "answered C2, which is not legal here: one of"),
        (READY + r"if word == 'go': say('\x1b[2J\xe9')", r"answered '.*' where 'card CARD' is expected"),
        (READY + "if word == 'go': say('x' * 5000)", "wrote a line of more than 4096 bytes"),
        (READY + "if word == 'go':\n  for _ in range(10001): say('info x')", "wrote 10000 lines and no answer to 'go'"),
        (READY + "if word == 'go': sys.stdout.close(); os.close(1); time.sleep(9)", "it closed its output"),
    ],
)
def test_what_it_does_wrong_is_named(engine, view, body, message):
    one = engine(body)
    with pytest.raises(GamecoreError, match=message) as caught:
        one.choose(view)
    assert str(caught.value).startswith("engine engine0 ")
    assert str(caught.value).isprintable()
    assert one._pipe is None


def test_one_that_says_too_much_is_found_at_the_next_question(engine, view):
    one = engine(READY + "if word == 'go': say('card ' + rest[0]); say('card ' + rest[0])")
    one.choose(view)
    deadline = time.monotonic() + 20
    while one._pipe._lines.empty() and time.monotonic() < deadline:
        time.sleep(0.01)
    with pytest.raises(GamecoreError, match=r"wrote 'card .*' without being asked"):
        one.choose(view)
    assert one.choose(view) in view.legal_moves()  # a new process


@pytest.mark.parametrize(
    ("body", "begin", "message"),
    [
        (READY + "if word == 'go': time.sleep(60)", "", r"gave no answer to 'go' within 0\.3 seconds"),
        (READY + "while word == 'go': say('info x'); time.sleep(0.05)", "", "gave no answer to 'go' within"),
        ("pass", "say('ready 1')\ntime.sleep(60)", "gave no answer to 'go' within"),
        ("pass", "time.sleep(60)", r"gave no answer to 'hearts' within 0\.3 seconds"),
    ],
)
def test_one_that_hangs_is_ended(engine, view, body, begin, message):
    # Only what never answers may run into the time: an engine that is slow to start is not what is tested.
    one = engine(body, begin, seconds=0.3, start_seconds=0.3 if "hearts" in message else 30)
    begun = time.monotonic()
    with pytest.raises(GamecoreError, match=message):
        one.choose(view)
    assert time.monotonic() - begun < 50


def test_one_that_never_reads_is_ended(engine, view):
    one = engine("pass", "say('ready 1')\nfor _ in range(10**6): say('info ' + 'x' * 500)\ntime.sleep(60)", seconds=0.5)
    with pytest.raises(GamecoreError, match=r"gave no answer to 'go'|wrote 10000 lines"):
        one.choose(view)
    assert one._pipe is None


@pytest.mark.parametrize("passes", ["pass C2 C2 C2", "pass C2 C3", "pass HA SA SK", "card C2"])
def test_cards_that_cannot_be_passed(engine, passes):
    round_ = hearts.Round.deal(7, passing="left", passer=None)
    one = engine(READY + f"if word == 'pass': say({passes!r})")
    with pytest.raises(GamecoreError, match=r"passed|where 'pass CARD CARD CARD' is expected"):
        one.pass_cards(round_.view(0))


@pytest.mark.parametrize("workers", [1, 2])
def test_rounds_before_are_kept(engine, workers):
    one = engine(
        READY + "if word == 'round': bad = 'SA' in rest\nif word == 'go': say('card ' + ('SQ' if bad else rest[0]))"
    )
    with pytest.raises(hearts.PlayerError, match=r"seat 1, trick .*engine engine0 answered SQ, which is not") as caught:
        hearts.simulate(["duck", one, "duck", "duck"], 30, 2, workers=workers)
    partial = caught.value.partial
    deals = [hearts.Round.deal(2, index=index).hands[1] for index in range(30)]
    assert partial.rounds == next(index for index, hand in enumerate(deals) if "SA" in hand) > 0
    whole = hearts.simulate(["duck", "literal", "duck", "duck"], partial.rounds, 2)
    assert (partial.points == whole.points).all()


def test_nothing_is_left_behind(engine, view):
    one = engine(READY + "if word == 'go': say('card ' + rest[0])")
    one.choose(view)
    pid = one._pipe._process.pid
    threads = one._pipe._threads
    one.close()
    assert not any(thread.is_alive() for thread in threads)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    code = (
        "import sys\nfrom gamecore import hearts\n"
        f"engine = hearts.Engine({[*PYTHON, str(EXAMPLE)]!r})\n"
        "round_ = hearts.Round.deal(7)\nengine.choose(round_.play('C2').view(round_.play('C2').to_move))\n"
        "print(engine._pipe._process.pid)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    with pytest.raises(ProcessLookupError):
        os.kill(int(done.stdout), 0)


def test_programs_that_are_not_there(view):
    for command in (["/no/such/program"], [str(Path(__file__).parent)]):
        with pytest.raises(GamecoreError, match=r"engine .* cannot be started: "):
            hearts.Engine(command).choose(view)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("python engine.py",), "command must be a list"),
        (([],), "command must be a list"),
        ((["python", 3],), "list of text"),
        ((["a\0b"],), "list of text"),
        ((["python"], {"seconds": 0}), "seconds"),
        ((["python"], {"seconds": True}), "seconds"),
        ((["python"], {"start_seconds": "x"}), "start_seconds"),
        ((["python"], {"name": 3}), "name"),
    ],
)
def test_bad_options(arguments, message):
    command, *options = arguments
    with pytest.raises(OptionError, match=message):
        hearts.Engine(command, **(options[0] if options else {}))


def test_command(capsys, tmp_path):
    name = f"engine:{sys.executable} -S -E {EXAMPLE}"
    table = ["--players", "duck", name, "duck", "duck", "--seed", "7"]
    assert cli.main(["hearts", "simulate", *table, "--rounds", "3"]) == 0
    assert "hearts_engine" in capsys.readouterr().out
    found = [
        hearts.simulate(["duck", who, "duck", "duck"], 3, 7).points.tolist()
        for who in (name, hearts.Engine([sys.executable, "-S", "-E", str(EXAMPLE)]))
    ]
    assert found[0] == found[1]  # in Python as in the shell
    assert len(hearts.compare([name], field="duck", rounds=2, rng=7).players) == 1
    assert cli.main(["hearts", "match", *table, "--to", "20"]) == 0
    bad = tmp_path / "bad.py"
    bad.write_text("print('ready 7')")
    assert cli.main(["hearts", "compare", "duck", f"engine:{sys.executable} -S {bad}", "--rounds", "3"]) == 2
    error = capsys.readouterr().err
    assert "another version of the protocol" in error
    assert error.count("\n") == 1
    bad.write_text("raise SystemError('x' * 900)")
    assert cli.main(["hearts", "compare", "duck", f"engine:{sys.executable} -S {bad}", "--rounds", "3"]) == 2
    assert "SystemError: " + "x" * 900 in capsys.readouterr().err
    assert cli.main(["hearts", "compare", "engine:", "--rounds", "3"]) == 2
    assert cli.main(["hearts", "compare", "engine:'", "--rounds", "3"]) == 2


# --- the end of a program ---------------------------------------------------------------------------------------------

CHILD = "import os, sys, time; open(sys.argv[1], 'w').write(str(os.getpid())); time.sleep(60)"


def is_alive(number):
    """Whether a process runs and is no zombie."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def child_after_close(engine, tmp_path, view, begin=""):
    """Close an engine; return the id of the process that it had started."""
    file = tmp_path / "child"
    start = f"import subprocess\n{begin}\nsubprocess.Popen([sys.executable, '-S', '-c', {CHILD!r}, {str(file)!r}])"
    one = engine(READY + "if word == 'go': say('card ' + rest[-1])", start)
    one.choose(view)
    deadline = time.monotonic() + 20
    while not (file.exists() and file.read_text()) and time.monotonic() < deadline:
        time.sleep(0.01)
    number = int(file.read_text())
    assert is_alive(number)
    begun = time.monotonic()
    one.close()
    assert time.monotonic() - begun < 20
    deadline = time.monotonic() + 2
    while is_alive(number) and time.monotonic() < deadline:
        time.sleep(0.01)
    return number


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc")
@pytest.mark.parametrize("begin", ["", "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)"])
def test_what_a_program_started_ends_with_it(engine, tmp_path, view, begin):
    assert not is_alive(child_after_close(engine, tmp_path, view, begin))


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc")
def test_a_child_that_is_left_behind_is_seen(engine, tmp_path, view, monkeypatch):
    """Planted fault: no signal to the process group."""
    monkeypatch.setattr(_engine, "_signal_group", lambda process, number: process.kill())
    number = child_after_close(engine, tmp_path, view)
    assert is_alive(number)
    os.kill(number, 9)


def test_a_program_that_ignores_everything_ends_in_bounded_time(engine, view):
    one = engine(
        READY + "if word == 'go': say('card ' + rest[-1])",
        "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nsys.stdin = iter(sys.stdin.readline, 'never')",
    )
    one.choose(view)
    process = one._pipe._process
    one.close()
    assert process.returncode is not None


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
def test_a_forked_child_leaves_its_parents_engine_alone(engine, view):
    one = engine(READY + "if word == 'go': say('card ' + rest[-1])")
    one.choose(view)
    child = os.fork()
    if not child:
        one.close()
        os._exit(0)
    os.waitpid(child, 0)
    assert one._pipe._process.poll() is None
    assert one.choose(view)
