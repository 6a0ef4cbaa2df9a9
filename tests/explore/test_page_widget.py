"""The widget in a browser: its one module, with an answering machine in Python in place of a notebook's kernel."""

import json
import queue
import re

import pytest

from gamecore import duel
from gamecore.explore._static import files
from gamecore.explore._widget import STYLES, Post, bundle

PAGE = """<!doctype html><html lang="en"><title>widget</title><body><p>A notebook's cell.</p><div id="cell"></div>"""
MODEL = """async ([source, start]) => {
  const listeners = [];
  window.state = { start, height: 700 };
  window.deliver = (message) => listeners.forEach((listener) => listener(message));
  const model = {
    get: (name) => window.state[name],
    set: (name, value) => { window.state[name] = value; },
    save_changes: () => {},
    on: (name, listener) => listeners.push(listener),
    off: (name, listener) => listeners.splice(listeners.indexOf(listener), 1),
    send: (message) => window.post(JSON.stringify(message)),
  };
  const module = await import(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
  window.end = module.default.render({ model, el: document.getElementById("cell") });
}"""


class Notebook:
    """A cell with the widget, and the kernel that answers it."""

    def __init__(self, page, start):
        self.page = page
        self.answers = queue.Queue()
        self.post = Post(self.answers.put)
        page.set_content(PAGE)
        page.add_style_tag(content="".join(files()[name].content.decode() for name in STYLES))
        page.expose_function("post", lambda text: self.post.receive(json.loads(text)))
        page.evaluate(MODEL, [bundle(files()), start])

    def wait(self, expression):
        """Answer until JavaScript says so."""
        for _ in range(1000):
            while not self.answers.empty():
                self.page.evaluate("message => window.deliver(message)", self.answers.get())
            if self.page.evaluate(expression):
                return
            self.page.wait_for_timeout(10)
        raise AssertionError(expression)


@pytest.fixture
def notebook(chromium):
    page = chromium.new_page(viewport={"width": 800, "height": 900})
    problems = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    yield lambda start: Notebook(page, start)
    page.close()
    assert problems == []


def test_a_notebook_has_the_sheets_of_the_page():
    assert sorted(STYLES) == sorted(name for name in files() if name.endswith(".css"))
    assert re.findall(r'"static/(\w+\.css)"', files()["index.html"].content.decode()) == list(STYLES)


def test_a_position_in_a_notebook(notebook):
    position = duel.parse("3\nDQ H2 HA\nH3 D6 S3\n")
    cell = notebook({"game": "duel", "position": position.to_text(), "moves": []})
    cell.wait("document.querySelectorAll('.board [data-value]:not([display])').length === 3")
    shown = cell.page.locator(".board [data-value]").all_text_contents()
    assert sorted(text.strip().replace("−", "-") for text in shown) == sorted(
        str(entry).split()[1] for entry in duel.analyse(position)
    )
    cell.page.locator('.board [data-move="HA"]').click()
    cell.wait("document.querySelector('.notation').textContent === 'DQH2:H3D6S3:B:HA'")
    assert cell.page.evaluate("window.state.start.moves") == ["HA"]  # Python sees what is shown
    assert cell.page.url == "about:blank"  # and nothing outside the cell is touched
    cell.page.evaluate("window.end()")
    cell.wait("document.querySelector('#cell .page') === null")
    assert not cell.post._streams


def test_two_widgets_in_one_notebook(notebook):
    first = notebook({"game": "rows", "position": "greedy:me:0:0:5,7,9", "moves": []})
    first.wait("document.querySelectorAll('.board [data-value]:not([display])').length === 2")
    first.page.evaluate("document.getElementById('cell').id = 'before'")
    first.page.evaluate("document.body.insertAdjacentHTML('beforeend', '<div id=cell></div>')")
    first.page.evaluate(MODEL, [bundle(files()), {"game": "duel", "position": "DQH2HA:H3D6S3:A:-", "moves": []}])
    first.wait("document.querySelectorAll('#cell .board [data-move]').length === 3")
