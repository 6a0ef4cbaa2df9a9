"""No control character of a class name or of the text of an exception gets into a table, plot, picture or terminal."""

import pytest

from gamecore import batch, hearts
from gamecore.cli.common import complain
from gamecore.draw import canvas
from gamecore.draw.html import table
from gamecore.draw.plots import plain_text

EVIL = "\x1b[2J\x07\u202eevil"


def clean(text):
    return all(char.isprintable() or char == "\n" for char in text)


def test_tables_and_plots():
    found = table([EVIL], [[EVIL, 3]], EVIL)
    assert clean(found)
    assert "evil" in found
    assert clean(plain_text(EVIL + "$x$"))


class First(hearts.Player):
    def choose(self, view):
        return view.legal_moves()[0]


First.__name__ = EVIL


def test_players_with_evil_names():
    result = hearts.simulate([First(), "random", "random", "random"], 2, 1)
    for text in (result._repr_html_(), repr(result), str(result)):
        assert clean(text)
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    figure = hearts.plot_strength([result])
    assert all(clean(label.get_text()) for label in figure.axes[0].get_yticklabels())


def test_errors_of_batches(capsys):
    class Evil(Exception):
        pass

    Evil.__name__ = EVIL

    def fails(_):
        raise Evil(EVIL)

    with pytest.raises(batch.BatchError) as caught:
        batch.run(fails, [1])
    assert clean(str(caught.value))
    complain(str(caught.value) + EVIL)
    assert clean(capsys.readouterr().err)


def test_pictures():
    board = canvas.Canvas(50, 50, EVIL, "#000000")
    board.text(1, 1, EVIL)
    assert clean(board.svg())
