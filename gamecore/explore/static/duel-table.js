/** The duel: both hands face up, the card to be matched between them, the cards that fit lit up. */

import { playableCard, shownCard } from "./cards.js";
import { Part, define, html } from "./dom.js";
import { badge, paint, pointing } from "./values.js";

class DuelTable extends Part {
  build() {
    this.on("position", () => this.rebuild());
    this.on("analysis", () => paint(this, this.session));
    this.rebuild();
  }

  rebuild() {
    const { view, node } = this.session;
    const { state } = view;
    const pass = view.moves.find((one) => one.card === null);
    const passed = node.move && node.parent.view.moves.find((one) => one.move === node.move)?.card === null;
    this.renew(
      this.hand("Alice", state.alice),
      html(
        "div",
        { class: "middle" },
        html(
          "div",
          { class: "pile" },
          state.last ? this.lastCard(state.last) : html("span", { class: "card empty" }, "any card"),
        ),
        passed && html("p", { class: "passed" }, `${node.parent.view.to_move} passed: no card fitted.`),
        pass && this.passButton(pass),
      ),
      this.hand("Bob", state.bob),
    );
    paint(this, this.session);
  }

  lastCard(code) {
    return shownCard(this.session.hello.cards[code], "last");
  }

  passButton({ move, text }) {
    const { session } = this;
    const names = { "data-play": move, "data-name": text, "aria-label": text };
    const attributes = {
      type: "button",
      class: "pass",
      ...names,
      onclick: () => session.play(move),
      ...pointing(session, move),
    };
    return html("button", attributes, "Pass: no card fits", badge(move));
  }

  hand(side, codes) {
    const { session } = this;
    const { view } = session;
    const turn = view.to_move === side && !view.is_over;
    const moves = new Map(turn ? view.moves.map((one) => [one.card, one.move]) : []);
    const cards = codes.map((code) => {
      const card = session.hello.cards[code];
      const move = moves.get(code);
      return html("li", null, move ? playableCard(session, card, move) : shownCard(card, turn ? "unfit" : ""));
    });
    const title = html("h3", null, side, turn && html("span", { class: "turn" }, "to move"));
    return html(
      "section",
      { class: `hand ${turn ? "active" : ""}`, "aria-label": `${side}'s hand` },
      html("header", null, title, html("p", { class: "to-pay" }, `${view.state.to_pay[side]} left to pay`)),
      html("ul", { class: "cards" }, cards),
    );
  }
}

define("gc-duel", DuelTable);
