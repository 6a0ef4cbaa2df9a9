"""A browser on the page of ``gamecore explore``: what the tests ``test_page_*.py`` share."""

import time

STARTS = {"duel": "DQH2HA:H3D6S3:A:-", "hexapawn": "5/pp1pp/PPp2/3P1/4P:w", "rows": "greedy:me:0:0:5,7,9,1,4,2"}
HEARTS = (
    "std:hold:C4CTD3D4DTDJDQS6S8H2H6HKHA.C5C6C7C9CQD2D9S2S5S7SAH4HJ.C3C8CJCKCAD5D7D8DKS3S4H9HT.C2D6DAS9STSJSQSKH3H5H7H8HQ"
    ":-:-:7"
)


class Explorer:
    """The page in one tab, by what a person sees and does. Errors of scripts and of the security policy fail the test.

    Attributes:
        page: Playwright's page. address: of the server, its token included.
        problems: what the browser's console has complained of. requests: addresses that were asked for.
    """

    def __init__(self, context, address):
        self.address, self.context, self.problems = address, context, []
        self.page = context.new_page()
        self.page.set_default_timeout(10_000)
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("console", self._note)
        self.requests = []
        self.page.on("request", lambda request: self.requests.append(request.url))

    def _note(self, message):
        if message.type == "error" and "Failed to load resource" not in message.text:  # a refusal that a test asks for
            self.problems.append(message.text)

    def open(self, game=None, position=None, moves=(), **more):
        """Load the page at a position, and wait until the position is shown."""
        fields = {"game": game, "position": position, "moves": ",".join(moves) or None, **more}
        text = "".join(f"&{name}={value}" for name, value in fields.items() if value is not None)
        self.page.goto("about:blank")
        self.page.goto(self.address + text)
        self.page.wait_for_selector(".notation", state="attached")
        self.wait_board()
        return self

    @property
    def position(self):
        """The notation of the position shown."""
        return self.page.locator(".notation").text_content()

    @property
    def tree(self):
        """The moves tried, with their numbers."""
        script = "one => getComputedStyle(one, '::before').content.replace(/none|[ \"]/g, '') + ' ' + one.innerText"
        texts = self.page.get_by_role("treeitem").evaluate_all(f"all => all.map({script})")
        return [text.strip() for text in texts]

    def button(self, name, exact=True):
        return self.page.get_by_role("button", name=name, exact=exact)

    def wait(self, expression, argument=None, seconds=10):
        """Wait until JavaScript says so; Playwright's ``wait_for_function`` needs ``eval``, which the page forbids."""
        self.wait_until(lambda: self.page.evaluate(expression, argument), f"{expression} ({argument})", seconds)

    def wait_until(self, is_so, words, seconds=10):
        """Wait until a function says so."""
        deadline = time.monotonic() + seconds
        while not is_so():
            assert time.monotonic() < deadline, f"not so within {seconds} s: {words}"
            self.page.wait_for_timeout(25)

    def wait_board(self):
        """Wait until the board shows the position."""
        self.page.wait_for_selector("gc-board[aria-busy=false]")

    def tool(self, name):
        """Open a tab beside the board: Play, Analyse, Set up or Share."""
        tab = self.page.get_by_role("tab", name=name)
        tab.click()
        assert tab.evaluate("tab => tab.getBoundingClientRect().bottom <= innerHeight")
        return self.page.get_by_role("tabpanel", name=name)

    def tab_to(self, selector, most=60):
        """Go by Tab until an element of this kind has the focus."""
        for _ in range(most):
            if self.page.evaluate("selector => document.activeElement.matches(selector)", selector):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"{selector} is not reached by keyboard")

    def finish(self):
        """Wait until the search has ended; gives why."""
        state = "document.querySelector('gc-analysis').dataset.state"
        self.wait(f"!['searching', 'none'].includes({state})")
        return self.page.evaluate(state)

    def values(self):
        """The table of moves: move -> (value, cost), in the order shown."""
        rows = self.page.locator("gc-move-list tbody tr").evaluate_all(
            """rows => rows.flatMap(row => [...row.querySelectorAll("[data-play]")].map(button =>
                 [button.dataset.play, row.children[1].textContent, row.children[2].textContent]))"""
        )
        return {move: (value.replace("−", "-"), cost) for move, value, cost in rows}

    def badges(self):
        """The values on the board itself: move -> text."""
        self.wait_board()
        pairs = self.page.locator("gc-board [data-value]:not([display]):has(text)").evaluate_all(
            "all => all.map(one => [one.dataset.value, one.textContent.trim().replace('−', '-')])"
        )
        return dict(pairs)

    def press_board(self, move):
        """Make a move on the board by mouse: by the part that has it alone, or by the parts that share it."""
        self.wait_board()
        alone = self.page.locator(f'gc-board [data-move="{move}"]')
        parts = [alone.first] if alone.count() else self.page.locator(f'gc-board [data-move~="{move}"]').all()
        for part in parts:
            part.click()

    def running(self):
        """The searches of the server, asked for over its own interface."""
        base, token = self.address.split("#token=")
        headers = {"X-Gamecore-Token": token[:43], "X-Gamecore-Client": "a-test-of-the-page"}
        return self.context.request.get(f"{base.rstrip('/')}/api/analyses", headers=headers).json()["running"]

    def axe(self):
        """What axe-core finds wrong: a line a finding."""
        from axe_playwright_python.sync_playwright import Axe

        rules = {"label-content-name-mismatch": {"enabled": True}}  # experimental: speech input says what is seen
        violations = Axe().run(self.page, options={"rules": rules}).response["violations"]
        return [
            f"{one['id']}: {node['html'][:160]} {node['failureSummary']}" for one in violations for node in one["nodes"]
        ]
