/** Every legal move with its value and its cost, best first; below, the line that the move pointed at leads to. */

import { Part, button, html } from "./dom.js";
import { byOutlook, likelihood, minus, named, shortText, tone } from "./values.js";

const MOST = 60; // rows: more moves, such as 286 ways to pass three cards, are made on the board instead

class MoveList extends Part {
  build() {
    this.body = html("tbody");
    const head = ["Move", "Value", "Cost"].map((text) => html("th", { scope: "col" }, text));
    this.table = html("table", { class: "moves" }, html("thead", null, html("tr", null, head)), this.body);
    this.empty = html("p", { class: "muted" });
    this.detail = html("div", { class: "detail" });
    this.big = html("strong");
    this.whole = html("p", { class: "whole" });
    this.veil = button("", () => this.session.quiz.set(false, !this.session.quiz.hides));
    this.append(html("div", { class: "head" }, this.big, this.whole, this.veil), this.table, this.empty, this.detail);
    this.follow("position", () => this.rebuild());
    this.follow("analysis settings", () => this.refresh());
    this.on("point", (move) => this.point(move));
  }

  rebuild() {
    const { view } = this.session;
    const moves = view.moves.length > MOST ? [] : view.moves;
    const focused = this.contains(document.activeElement);
    this.buttons = new Map(moves.map((one) => [one.move, this.moveButton(one)]));
    this.order = null;
    this.table.hidden = !moves.length;
    this.empty.hidden = moves.length > 0;
    this.empty.textContent = view.is_over
      ? "The game is over."
      : view.moves.length
        ? `${view.moves.length} moves: make one on the board.`
        : "Another seat is to move.";
    this.refresh();
    if (focused && !this.contains(document.activeElement)) this.focusMove();
  }

  /** A button that makes a move; pointing at it, or reaching it by keyboard, shows its value and line. */
  moveButton({ move }) {
    const { session } = this;
    const onmouseenter = () => session.point(move);
    const onfocus = ({ target }) => target.matches(":focus-visible") && session.point(move);
    const attributes = { class: "move", "data-play": move, onmouseenter, onfocus };
    return button(named(session, move), () => session.play(move), attributes);
  }

  /** The values known, in the order of the library, a row for equal moves; the focus stays where it is. */
  refresh() {
    const { known, quiz, view, visible } = this.session;
    const rows = this.grouped();
    const order = rows.map(({ moves }) => moves.join(" ")).join();
    if (order !== this.order) {
      this.order = order;
      const focused = this.body.contains(document.activeElement) ? document.activeElement : null;
      this.body.replaceChildren(...rows.map(({ moves }) => this.row(moves)));
      focused?.focus({ preventScroll: true });
    }
    rows.forEach(({ entry }, k) => {
      const row = this.body.children[k];
      const [, value, cost] = row.children;
      value.textContent = !entry ? "…" : isOpen(entry) ? shortText(entry) : minus(entry.text);
      value.className = `value ${entry ? tone(entry) : "open"}`;
      cost.textContent = entry?.cost_text.split(": ")[0] ?? ""; // the values say from what to what
      row.className = !entry ? "" : isOpen(entry) ? "unknown" : entry.verdict;
    });
    this.table.classList.toggle("plain", quiz.hides || known.note !== null); // no values: the moves alone
    this.showLikely();
    const { value } = visible;
    this.big.textContent = value ? shortText(value) : "";
    this.big.className = `big ${(value && tone(value)) ?? ""}`;
    this.whole.textContent = value?.words ?? "";
    this.whole.hidden = !value;
    this.veil.textContent = quiz.hides ? "Show values" : "Hide values";
    this.veil.hidden = view.is_over || known.note !== null;
    this.showDetail();
  }

  /** What playouts make likely, on the moves themselves. */
  showLikely() {
    const { session } = this;
    const { view, visible } = session;
    for (const { move, text } of view.moves) {
      const control = this.buttons.get(move);
      const likely = likelihood(visible, visible.byMove.get(move));
      if (!control) return;
      control.dataset.likely = likely?.sign ? ` ~${likely.sign}` : "";
      control.title = likely ? `${text}: ${likely.why}` : text;
      const label = session.label(move); // as it is seen, for who speaks to the page
      control.setAttribute("aria-label", [label, label !== text && text, likely?.sign && likely.words].filter(Boolean).join(", "));
    }
  }

  /** The moves, those with the same value and cost together; those that are not known yet, the likely ones first. */
  grouped() {
    const judged = byOutlook(this.session.visible).filter((entry) => this.buttons.has(entry.move));
    const entries = judged.length === this.buttons.size ? judged : [...this.buttons.keys()].map((move) => ({ move }));
    const rows = [];
    for (const entry of entries) {
      const state = isOpen(entry) ? `open, ${tone(entry)}` : [entry.text, entry.cost_text].join();
      const equal = rows.find((row) => row.state === state);
      if (equal) equal.moves.push(entry.move);
      else rows.push({ state, moves: [entry.move], entry: entry.text && entry });
    }
    return rows;
  }

  row(moves) {
    const buttons = html("td", null, ...moves.map((move) => this.buttons.get(move)));
    return html("tr", null, buttons, html("td"), html("td", { class: "cost" }));
  }

  point(move) {
    for (const [name, control] of this.buttons) control.classList.toggle("pointed", name === move);
    this.showDetail();
  }

  /** The move pointed at, or the best one: its value in words and its line, each move of it a button. */
  showDetail() {
    const { session } = this;
    const { visible } = session;
    const move = session.pointed ?? byOutlook(visible)[0]?.move;
    const entry = visible.byMove.get(move);
    const line = visible.lines.get(move) ?? [];
    const likely = likelihood(visible, entry);
    const state = `${visible.running} ${likely?.why} ${session.node.view.position} ${move} ${entry?.words} ${entry?.cost_text} ${line.join()}`;
    if (state === this.shown) return;
    this.shown = state;
    this.detail.hidden = !entry;
    if (!entry) return;
    this.detail.replaceChildren(
      html("p", null, html("strong", null, named(session, move)), `: ${entry.words}`, likely && ` (${likely.words}, not proven: ${likely.why})`),
      line.length ? lineOfMoves(session, session.node, line) : html("p", { class: "muted" }, lineMissing(entry, visible.running)),
    );
  }
}

const isOpen = (entry) => entry.verdict === "open" && !entry.exact;

function lineMissing(entry, running) {
  if (!entry.exact) return "Its line is shown once its value is exact.";
  return running ? "Its line is being looked for." : "No line to an end of the game: none was found in time, or play goes round.";
}

/** A line of play in a lane for each of two sides; a press on a move puts the line into the tree and goes there. */
export function lineOfMoves(session, from, line) {
  const { sides } = session.rules;
  const lanes = sides.length === 2;
  const first = sides.indexOf(String(from.view.to_move));
  const item = (content, lane, column, kind) => {
    const element = html("li", { class: kind }, content);
    if (lanes) element.style.gridArea = `${lane + 1} / ${column}`;
    return element;
  };
  const steps = line.map((move, k) => {
    const go = () => session.playLine(from, line, k + 1);
    return item(button(named(session, move), go, { class: "step" }), (first + k) % 2, k + 2);
  });
  const names = lanes ? sides.map((side, k) => item(session.sideName(side), k, 1, "side muted")) : [];
  return html("ol", { class: lanes ? "line lanes" : "line", "aria-label": "best play" }, names, steps);
}

customElements.define("gc-move-list", MoveList);
