/** What the last move has cost, and the refutation: a line that can be stepped through. */

import { Part, define, html } from "./dom.js";
import { lineOfMoves } from "./move-list.js";
import { named } from "./values.js";

class Mistake extends Part {
  build() {
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
    const judged = node.parent && session.costOf(node);
    const open = quiz.on && quiz.last !== node.parent;
    this.hidden = judged?.verdict !== "wrong" || open;
    if (!judged && node.parent && !open) this.askOnce(node);
    if (this.hidden) return;
    const { best, line, cost_text: cost } = judged;
    const hides = quiz.on && !this.shown.has(node);
    const better = hides || !best ? "" : [" Best was ", named(session, best.move), `: ${best.words}.`];
    // One seat does not see the card with which a refutation begins.
    const told = session.seat !== null ? "" : line ? this.steps(node, line) : this.question(node);
    this.replaceChildren(
      html("p", null, html("strong", null, named(session, node.move)), `: ${cost}.`, better),
      hides ? this.reveal(node) : told,
    );
  }

  /** Positions opened by an address have a history that nobody has analysed. */
  async askOnce(node) {
    const { session } = this;
    const { view } = node.parent;
    const isNew = !session.analyst.of(view, session.seat).moves.length && node.asked === undefined;
    if (!isNew || session.rules.sides.length !== 2 || view.legal_moves.length < 2) return;
    await session.judge(node);
    if (session.node === node) this.refresh();
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
    const ask = async () => {
      await this.session.judge(node, 5);
      this.refresh();
    };
    return html("button", { type: "button", class: "refute", onclick: ask }, "Show the refutation");
  }
}

define("gc-mistake", Mistake);
