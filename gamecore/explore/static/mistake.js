/** What the last move has cost, and the refutation: a line that can be stepped through. */

import { Part, define, html } from "./dom.js";
import { lineOfMoves } from "./move-list.js";

class Mistake extends Part {
  build() {
    this.refutations = new Map(); // by node
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
    const better = best.verdict === "best" ? ` Best was ${session.label(best.move)}: ${best.words}.` : "";
    const found = this.refutations.get(node) ?? before.lines.get(node.move);
    // A refutation begins with the answer that a quiz asks for next, and with a card that one seat does not see.
    const told = quiz.on || session.seat !== null ? "" : found ? this.steps(node, found) : this.question(node);
    this.replaceChildren(
      html("p", null, html("strong", null, session.label(node.move)), `: ${entry.cost_text}.${better}`),
      told,
    );
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
