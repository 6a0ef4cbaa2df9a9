/** What the last move has cost, and the refutation: a line that can be stepped through. */

import { Part, define, html } from "./dom.js";
import { lineOfMoves } from "./move-list.js";
import { named } from "./values.js";

class Mistake extends Part {
  build() {
    this.refutations = new Map(); // by node
    this.shown = new Set(); // nodes whose answers were asked for in a quiz
    this.hidden = true;
    this.on("position", () => this.refresh());
    this.on("settings", () => this.refresh());
    this.on("quiz", () => this.refresh());
    this.refresh();
  }

  refresh() {
    const { session } = this;
    const { node, quiz } = session;
    const before = node.parent && session.analyst.of(node.parent.view, session.seat);
    const entry = before?.byMove.get(node.move);
    const open = quiz.on && quiz.last !== node.parent;
    this.hidden = !entry || entry.verdict !== "wrong" || open;
    if (this.hidden) return;
    const best = before.moves[0];
    const hides = quiz.on && !this.shown.has(node);
    const better = hides || best.verdict !== "best" ? "" : [" Best was ", named(session, best.move), `: ${best.words}.`];
    const found = this.refutations.get(node) ?? before.lines.get(node.move);
    // One seat does not see the card with which a refutation begins.
    const told = session.seat !== null ? "" : found ? this.steps(node, found) : this.question(node);
    this.replaceChildren(
      html("p", null, html("strong", null, named(session, node.move)), `: ${entry.cost_text}.`, better),
      hides ? this.reveal(node) : told,
    );
  }

  /** In a quiz the best move and the refutation are shown when they are asked for. */
  reveal(node) {
    const show = () => {
      this.shown.add(node);
      this.refresh();
    };
    return html("button", { type: "button", class: "refute", onclick: show }, "Show the answer");
  }

  steps(node, line) {
    const { session } = this;
    const { parent } = node;
    if (line.length < 2) return html("p", { class: "muted" }, "Its refutation is not proven.");
    const go = () => session.playLine(parent, line, Math.min(2, line.length));
    const button = html("button", { type: "button", class: "refute", onclick: go }, "Step through the refutation");
    return html("div", { class: "refutation" }, button, lineOfMoves(session, parent, line));
  }

  question(node) {
    const { session } = this;
    const { game, position } = node.parent.view;
    const ask = async () => {
      const answer = await session.ask("/api/refute", { game, position, move: node.move, seconds: 5 });
      if (!answer) return;
      this.refutations.set(node, answer.line);
      this.refresh();
    };
    return html("button", { type: "button", class: "refute", onclick: ask }, "Show the refutation");
  }
}

define("gc-mistake", Mistake);
