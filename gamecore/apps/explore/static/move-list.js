/** Every legal move with its value and its cost, best first; below, the line that the move pointed at leads to. */

import { Part, define, html } from "./dom.js";
import { byOutlook, likelihood, minus, named, pointing, tone } from "./values.js";

const MOST = 60; // rows: more moves, such as 286 ways to pass three cards, are made on the board instead

class MoveList extends Part {
  build() {
    this.body = html("tbody");
    this.head = html("tr");
    this.table = html("table", { class: "moves" }, html("thead", null, this.head), this.body);
    this.empty = html("p", { class: "muted" });
    this.detail = html("div", { class: "detail" });
    this.whole = html("p", { class: "whole" });
    this.append(this.whole, this.table, this.empty, this.detail);
    this.on("position", () => this.rebuild());
    this.on("analysis", () => this.refresh());
    this.on("settings", () => this.refresh());
    this.on("point", (move) => this.point(move));
    this.rebuild();
  }

  rebuild() {
    const { session } = this;
    const { view } = session;
    const moves = view.moves.length > MOST ? [] : view.moves;
    const focused = this.contains(document.activeElement);
    this.buttons = new Map(moves.map((one) => [one.move, this.button(one)]));
    this.order = null;
    this.head.replaceChildren(...["Move", "Value", "Cost"].map((text) => html("th", { scope: "col" }, text)));
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

  button({ move, text }) {
    const { session } = this;
    const names = { "data-play": move, "aria-label": text, title: text };
    const listeners = { onclick: () => session.play(move), ...pointing(session, move) };
    const attributes = { type: "button", class: "move", ...names, ...listeners };
    return html("button", attributes, named(session, move));
  }

  /** The values known, in the order of the library, a row for equal moves; the focus stays where it is. */
  refresh() {
    const { known, quiz } = this.session;
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
      const likely = entry && likelihood(known, entry);
      value.textContent = entry ? minus(entry.text) : "…";
      value.className = `value ${entry ? tone(entry) : "open"}`;
      if (likely?.sign) value.append(html("span", { class: "likely", title: likely.why }, likely.words));
      cost.textContent = entry?.cost_text ?? "";
      row.className = entry?.verdict === "best" ? "best" : "";
    });
    this.table.classList.toggle("plain", quiz.on || known.note !== null); // no values: the moves alone
    this.whole.textContent = quiz.on ? "" : (known.value?.words ?? "");
    this.whole.hidden = !this.whole.textContent;
    this.showDetail();
  }

  /** The moves, those with the same value and cost together. */
  grouped() {
    const { known, quiz } = this.session;
    const judged = quiz.on ? [] : byOutlook(known, known.moves).filter((entry) => this.buttons.has(entry.move));
    const entries = judged.length === this.buttons.size ? judged : [...this.buttons.keys()].map((move) => ({ move }));
    const rows = [];
    for (const entry of entries) {
      const state = [entry.text, entry.cost_text, entry.text && likelihood(known, entry)?.sign].join();
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
    for (const [name, button] of this.buttons) button.classList.toggle("pointed", name === move);
    this.showDetail();
  }

  /** The move pointed at, or the best one: its value in words and its line, each move of it a button. */
  showDetail() {
    const { session } = this;
    const { known, quiz } = session;
    const move = session.pointed ?? byOutlook(known, known.moves)[0]?.move;
    const entry = quiz.on ? undefined : known.byMove.get(move);
    const line = known.lines.get(move) ?? [];
    const likely = entry && likelihood(known, entry);
    const state = `${likely?.why} ${session.node.view.position} ${move} ${entry?.words} ${entry?.cost_text} ${line.join()}`;
    if (state === this.shown) return;
    this.shown = state;
    this.detail.hidden = !entry;
    if (!entry) return;
    this.detail.replaceChildren(
      html("p", null, html("strong", null, named(session, move)), `: ${entry.words}`, likely && ` (${likely.words}, not proven: ${likely.why})`),
      line.length ? lineOfMoves(session, session.node, line) : html("p", { class: "muted" }, lineMissing(entry)),
    );
  }
}

function lineMissing(entry) {
  return entry.exact ? "Its line is being looked for." : "Its line is shown once its value is exact.";
}

/** A line of play in a lane for each of two sides; a press on a move puts the line into the tree and goes there. */
export function lineOfMoves(session, from, line) {
  const { sides } = session.rules;
  const lanes = sides.length === 2;
  const first = sides.indexOf(String(from.view.to_move));
  const steps = line.map((move, k) => {
    const go = () => session.playLine(from, line, k + 1);
    const button = html("button", { type: "button", class: "step", onclick: go }, named(session, move));
    const item = html("li", null, button);
    if (lanes) item.style.gridArea = `${((first + k) % 2) + 1} / ${k + 2}`;
    return item;
  });
  const names = lanes ? sides.map((side, k) => sideName(session.sideName(side), k)) : [];
  return html("ol", { class: lanes ? "line lanes" : "line", "aria-label": "best play" }, names, steps);
}

function sideName(name, lane) {
  const item = html("li", { class: "side muted" }, name);
  item.style.gridArea = `${lane + 1} / 1`;
  return item;
}

define("gc-move-list", MoveList);
