"""No control character of a class name or of the text of an exception gets into a table, plot, picture or terminal."""

import pytest

from gamecore import batch
from gamecore.cli.common import complain
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
