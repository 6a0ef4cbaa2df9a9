"""The browser and the server of the tests of the page, and one visible skip where there is no browser."""

from pathlib import Path

import pytest
from explore import browser  # pytest's pythonpath has the folder above
from explore.answers import api, ask, live, own_games, site  # noqa: F401 - fixtures

HERE = Path(__file__).parent


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    """Without a browser all tests of the page become one, which is skipped and says why."""
    pages = [item for item in items if item.path.parent == HERE and item.path.name.startswith("test_page_")]
    reason = browser.missing() if pages else None
    if reason:
        pages[0].add_marker(pytest.mark.skip(reason=f"{reason}; {len(pages)} tests"))
        config.hook.pytest_deselected(items=pages[1:])
        items[:] = [item for item in items if item not in pages[1:]]


@pytest.fixture(scope="session")
def address():
    """The address of a server that all tests of the page share; it knows a game of its own."""
    with browser.served(files=(HERE / "guess.py",)) as url:
        yield url


@pytest.fixture(scope="module")
def chromium():
    """A browser; a module's own, so that Playwright's event loop does not run on in other tests' thread."""
    with browser.chromium() as program:
        yield program


@pytest.fixture
def tab(chromium, address):
    """Makes tabs: ``tab(width=.., dark=.., ...)`` is a :class:`browser.Explorer` in a fresh context of the browser."""
    tabs = []

    def make(context=None, *, width=1280, dark=False, **options):
        size = {"width": width, "height": 900}
        scheme = "dark" if dark else "light"
        options |= {"viewport": size, "color_scheme": scheme, "reduced_motion": "reduce"}
        tabs.append(browser.Explorer(context or chromium.new_context(**options), address))
        return tabs[-1]

    yield make
    for explorer in tabs:
        explorer.context.close()
    assert not [problem for explorer in tabs for problem in explorer.problems]


@pytest.fixture
def explorer(tab):
    """A tab of 1280 pixels."""
    return tab()
