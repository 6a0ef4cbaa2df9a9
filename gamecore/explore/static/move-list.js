/** Every legal move with its value and its cost, best first; below, the line that the move pointed at leads to. */

import { Part, define, html } from "./dom.js";
import { pointing, tone } from "./values.js";

const MOST = 60; // rows: 286 ways to pass three cards are picked on the table instead

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
    this.rows = new Map(moves.map((one) => [one.move, this.row(one)]));
    const focused = this.contains(document.activeElement);
    const playouts = view.game === "hearts" && session.seat !== null;
    this.head.replaceChildren(
      ...["Move", playouts ? "Mean points" : "Value", "Cost"].map((text) => html("th", { scope: "col" }, text)),
    );
    this.body.replaceChildren(...[...this.rows.values()].map((row) => row.element));
    this.table.hidden = !moves.length;
    this.empty.hidden = moves.length > 0;
    this.empty.textContent = view.is_over
      ? "The game is over."
      : view.moves.length
        ? `${view.moves.length} ways to pass three cards: pick them on the table.`
        : "Another seat is to move.";
    this.refresh();
    if (focused && !this.contains(document.activeElement)) this.focusMove();
  }

  row({ move, text, label }) {
    const { session } = this;
    const names = { "data-play": move, "aria-label": text, title: text };
    const listeners = { onclick: () => session.play(move), ...pointing(session, move) };
    const button = html(
      "button",
      { type: "button", class: "move", ...names, ...listeners },
      session.label(move),
      label && ` ${label}`,
    );
    const value = html("td", { class: "value" });
    const cost = html("td", { class: "cost" });
    const attributes = { "data-row": move, onmouseenter: () => session.point(move) };
    return { element: html("tr", attributes, html("td", null, button), value, cost), value, cost };
  }

  /** The values known, in the order of the library; the focus stays where it is. */
  refresh() {
    const { known, quiz } = this.session;
    const entries = quiz.on ? [] : known.moves.filter((entry) => this.rows.has(entry.move));
    for (const [move, row] of this.rows) {
      const entry = quiz.on ? undefined : known.byMove.get(move);
      row.value.textContent = entry ? valueText(entry) : quiz.on ? "hidden" : "…";
      row.value.className = `value ${entry ? tone(entry) : "open"}`;
      row.cost.textContent = entry?.cost_text ?? "";
      row.element.className = entry?.verdict === "best" ? "best" : "";
    }
    this.whole.textContent = quiz.on ? "" : (known.value?.words ?? "");
    this.whole.hidden = !this.whole.textContent;
    const order = entries.map((entry) => this.rows.get(entry.move).element);
    if (order.length === this.rows.size && order.some((element, k) => this.body.children[k] !== element)) {
      const focused = this.body.contains(document.activeElement) ? document.activeElement : null;
      this.body.append(...order);
      focused?.focus({ preventScroll: true });
    }
    this.showDetail();
  }

  point(move) {
    for (const [name, row] of this.rows) row.element.classList.toggle("pointed", name === move);
    this.showDetail();
  }

  /** The move pointed at, or the best one: its value in words and its line, each move of it a button. */
  showDetail() {
    const { session } = this;
    const { known, quiz } = session;
    const move = session.pointed ?? known.moves[0]?.move;
    const entry = quiz.on ? undefined : known.byMove.get(move);
    const line = known.lines.get(move) ?? [];
    const state = `${session.node.view.position} ${move} ${entry?.words} ${entry?.cost_text} ${line.join()}`;
    if (state === this.shown) return;
    this.shown = state;
    this.detail.hidden = !entry;
    if (!entry) return;
    this.detail.replaceChildren(
      html("p", null, html("strong", null, session.label(move)), `: ${entry.words}`),
      line.length ? lineOfMoves(session, session.node, line) : html("p", { class: "muted" }, lineMissing(entry)),
    );
  }
}

function valueText(entry) {
  return entry.stderr == null ? entry.text : `${entry.text} ± ${entry.stderr.toFixed(2)}`;
}

function lineMissing(entry) {
  if (entry.playouts !== undefined) return `${entry.playouts} playouts`;
  return entry.exact ? "Its line is being looked for." : "Its line is shown once its value is exact.";
}

/** A line of play; a press on a move of it puts the line into the tree and goes to that place. */
export function lineOfMoves(session, from, line) {
  const steps = line.map((move, k) => {
    const go = () => session.playLine(from, line, k + 1);
    return html("li", null, html("button", { type: "button", class: "step", onclick: go }, session.label(move)));
  });
  return html("ol", { class: "line", "aria-label": "best play" }, steps);
}

define("gc-move-list", MoveList);
