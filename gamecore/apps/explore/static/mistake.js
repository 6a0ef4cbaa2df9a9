/** What the last move has cost, or before the computer's replies the person's, and the refutation; in a quiz its verdict. */

import { Part, button, html } from "./dom.js";
import { lineOfMoves } from "./move-list.js";
import { named } from "./values.js";

class Mistake extends Part {
  build() {
    this.shown = new Set(); // nodes whose answers were asked for in a quiz
    this.setAttribute("role", "status");
    this.follow("position settings quiz", () => this.refresh());
  }

  refresh() {
    const { session } = this;
    const { quiz } = session;
    const node = this.subject;
    const judged = node.parent && session.costOf(node);
    const open = quiz.on && quiz.last !== node.parent;
    const isWrong = judged?.verdict === "wrong" && !open;
    const said = quiz.judging || (quiz.on && !open) ? quiz.text : "";
    if (node.parent && !open) this.askOnce(node, judged);
    this.hidden = !isWrong && !said;
    this.classList.toggle("wrong", isWrong);
    if (!isWrong) {
      this.replaceChildren(html("p", null, said));
      return;
    }
    const { best, line, cost_text: cost } = judged;
    const hides = quiz.on && !this.shown.has(node);
    const better = hides || !best ? "" : [" Best was ", named(session, best.move), `: ${best.words}.`];
    // One seat does not see the card with which a refutation begins.
    const ask = () => this.asking("Show the refutation", () => session.judge(node, 5));
    const told = session.seat !== null ? "" : line ? this.steps(node, line) : ask();
    const again = quiz.on && button("Try again", () => session.show(node.parent), { class: "go" });
    const answer = hides && this.asking("Show the answer", () => this.shown.add(node)); // in a quiz, when asked for
    this.replaceChildren(
      html("p", null, html("strong", null, named(session, node.move)), `: ${cost}.`, better),
      html("div", { class: "row" }, again, answer),
      hides ? "" : told,
    );
  }

  /** The node whose move is spoken of: that of the person's last move, if the computer has moved since. */
  get subject() {
    const { node, opponents } = this.session;
    let last = node;
    while (last.parent && !opponents.isPersons(last)) last = last.parent;
    return last.parent ? last : node;
  }

  /** A history opened by an address was never analysed; the computer's reply ends the analysis of a person's move. */
  async askOnce(node, judged) {
    const { session } = this;
    const { view } = node.parent;
    const isCut = session.node !== node && (!judged || (judged.verdict === "wrong" && !judged.line));
    const isNew = !judged && !session.analyst.of(view, session.seat).moves.length;
    if (node.asked !== undefined || !(isCut || isNew)) return;
    if (session.seat !== null || session.rules.sides.length !== 2 || view.legal_moves.length < 2) return;
    await session.judge(node);
    if (this.subject === node) this.refresh();
  }

  /** A button that finds something out, and then shows it. */
  asking(title, find) {
    const ask = async () => {
      await find();
      this.refresh();
    };
    return button(title, ask, { class: "refute" });
  }

  steps(node, line) {
    const { parent } = node;
    if (line.length < 2) return html("p", { class: "muted" }, "Its refutation is not proven.");
    const go = () => this.session.playLine(parent, line, 2);
    const follow = button("Step through the refutation", go, { class: "refute" });
    return html("div", { class: "refutation" }, follow, lineOfMoves(this.session, parent, line));
  }
}

customElements.define("gc-mistake", Mistake);
