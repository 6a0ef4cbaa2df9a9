"""What people type: cards, byte order marks, mistaken options."""

import pytest
from command import said

from gamecore import cli

DEAL = "2\nDQ H2\nH3 D6\n"
BOARD = "3\n3\nppp\n\nPPP\n"


@pytest.mark.parametrize(
    ("arguments", "stdin", "status", "words"),
    [
        (["duel", "QDH2:H3D6:A:-"], "", 2, "'QD' is not a card: did you mean DQ?"),
        (["duel"], "2\ndq H2\nH3 D6\n", 2, "line 2: Alice's hand: 'dq' is not a card: did you mean DQ?"),
        (["duel"], "2\nDQ H10\nH3 D6\n", 2, "'H10' is not a card: did you mean HT?"),
        (["duel"], "2\nDQ X2\nH3 D6\n", 2, "'X2' is not a card: a suit"),
        (["duel"], "\ufeff" + DEAL, 0, "Bob\n2\n"),
        (["rows"], "\ufeff5 7 9", 0, "mine 14  theirs 7"),
        (["solve-file", "-", "-o", "ANSWERS"], "\ufeff" + DEAL, 0, "1 answers in"),
        (["hexapawn", "--to-move", "x"], BOARD, 2, "invalid choice: 'x'"),
        (["hexapawn", "3X3"], "", 0, "-6\n"),
        (["hexapawn", "--start", "3X3"], "", 0, "-6\n"),
        (["duel", "--time-limit", "-1"], DEAL, 2, "gamecore: --time-limit must be at least 0 and finite, not -1.0\n"),
        (["duel", "--table=0"], DEAL, 2, "gamecore: --table-mb must be above 0"),
        (["hearts", "deal", "--foo"], "", 2, "unrecognized arguments: --foo (see gamecore --help)\n"),
        (["--foo"], "", 2, "--foo (see gamecore --help)\n"),
        (["hearts", "deal", "--pts-on-first-trick"], "", 0, "no_pts_on_first_trick=off:"),
        (["hearts", "deal", "--no-pts-on-first-trick"], "", 0, "std:"),
    ],
)
def test_what_people_type(arguments, stdin, status, words, tmp_path):
    arguments = [str(tmp_path / "answers.jsonl") if word == "ANSWERS" else word for word in arguments]
    found, out, err = said(*arguments, stdin=stdin)
    assert found == status
    assert words in (err if status == 2 else out)
    assert err.count("\n") == (status == 2)


def test_tools_are_not_listed_as_games():
    text = cli.build_parser().format_help()
    assert text.index("games, then tools:") < text.index("duel") < text.index("explore") < text.index("solve-file")
