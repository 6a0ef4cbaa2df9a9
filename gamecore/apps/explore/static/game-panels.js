/** Of games of two sides: a bar of who is ahead, and a summary of the mistakes once the game is over. Of rounds: a match. */

import { Part, button, facts, html } from "./dom.js";
import { byOutlook, likelihood, named } from "./values.js";

class Bar extends Part {
  build() {
    this.mark = html("span", { class: "mark" });
    this.track = html("div", { class: "track", role: "img" }, this.mark);
    this.names = [html("span", { class: "muted" }), html("span", { class: "muted" })];
    this.append(this.names[0], this.track, this.names[1]);
    this.follow("position analysis", () => this.refresh());
  }

  /** Draw the first side's share on the left, the other side's on the right, and between them what is not proven. */
  refresh() {
    const { visible, quiz, rules, view } = this.session;
    this.hidden = rules.sides.length !== 2 || view.is_over;
    if (this.hidden) return;
    const { value } = visible;
    const [low, high] = value?.share ?? [0, 1];
    const ahead = low > 0.5 ? 0 : high < 0.5 ? 1 : null; // as far as is proven
    this.names.forEach((name, k) => {
      const side = this.session.sideName(rules.sides[k]);
      name.textContent = k === ahead ? `${side} ${side === "you" ? "are" : "is"} ahead` : side;
    });
    this.track.style.setProperty("--low", `${100 * low}%`);
    this.track.style.setProperty("--high", `${100 * high}%`);
    const best = value && likelihood(visible, byOutlook(visible)[0]);
    this.mark.hidden = !best;
    if (best) this.mark.style.left = `${100 * (String(view.to_move) === rules.sides[0] ? best.share : 1 - best.share)}%`;
    this.track.title = best ? best.why : "";
    this.track.setAttribute("aria-label", value?.words ?? (quiz.hides ? "hidden" : "not known yet"));
  }
}

class Summary extends Part {
  build() {
    this.turn = 0;
    this.follow("position", () => this.load());
  }

  async load() {
    const { session } = this;
    const { node, rules, view } = session;
    const path = session.tree.path(node);
    this.turn += 1;
    const { turn } = this;
    this.hidden = !view.is_over || rules.sides.length !== 2 || path.length < 2;
    if (this.hidden) return;
    this.replaceChildren(html("p", { class: "muted" }, "The moves are being judged."));
    const mistakes = [];
    for (const one of path.slice(1)) {
      if (one.parent.view.legal_moves.length < 2) continue;
      const judged = session.costOf(one) ?? (await session.judge(one));
      if (turn !== this.turn) return;
      if (judged?.verdict === "wrong") mistakes.push({ ...judged, node: one });
    }
    this.replaceChildren(
      html("h3", null, "Summary"),
      ...rules.sides.map((side) => html("p", null, this.total(side, mistakes))),
      html("ol", { class: "mistakes" }, ...mistakes.map((one) => this.item(one))),
    );
  }

  total(side, mistakes) {
    const own = mistakes.filter(({ node }) => String(node.parent.view.to_move) === side);
    const name = this.session.sideName(side);
    if (!own.length) return `${name}: no mistakes.`;
    const lost = own.reduce((sum, { cost }) => sum + (cost ?? 0), 0);
    const cost = lost ? `, ${Number(lost.toFixed(2))} ${this.session.rules.unit} lost` : "";
    return `${name}: ${own.length} mistake${own.length > 1 ? "s" : ""}${cost}.`;
  }

  item({ node, cost_text: cost, best, line }) {
    const { session } = this;
    const go = () => session.show(node.parent);
    const why = line?.length > 1 ? [", because of the answer ", named(session, line[1])] : "";
    const better = best ? [". Best was ", named(session, best.move)] : "";
    const step = button([`${node.ply}. `, named(session, node.move)], go, { class: "step" });
    return html("li", null, step, ` ${cost}`, why, better, ".");
  }
}

class Match extends Part {
  build() {
    this.follow("position", () => this.load());
  }

  /** The points of the rounds before; after a round also its own, and the button for the next one. */
  async load() {
    const { session } = this;
    const { totals, view } = session;
    this.show(totals);
    if (!view.is_over) return;
    const before = totals ? Object.fromEntries(session.rules.sides.map((side, k) => [side, totals[k]])) : {};
    const answer = await session.ask("/api/next", { game: view.game, position: view.position, totals: before });
    if (!answer?.totals || session.view !== view) return;
    const next = () => session.start(answer.view, session.seat, answer.totals);
    const more = answer.view && button("Next round", next, { class: "go" });
    this.show(answer.totals, html("p", null, answer.text), more);
  }

  show(totals, ...more) {
    this.hidden = !totals;
    if (!totals) return;
    const score = this.session.rules.sides.map((side, k) => [this.session.sideName(side), totals[k]]);
    const parts = [html("h3", null, "Match"), html("dl", { class: "facts" }, facts(score)), ...more];
    this.replaceChildren(...parts.filter(Boolean));
  }
}

customElements.define("gc-bar", Bar);
customElements.define("gc-match", Match);
customElements.define("gc-summary", Summary);
