/** Hearts: four hands around the trick, seen by one seat or with all hands open; three cards are picked to pass on. */

import { backOfCard, face, playableCard, shownCard } from "./cards.js";
import { Part, define, html } from "./dom.js";
import { paint } from "./values.js";

const PLACES = ["south", "west", "north", "east"]; // the seat seen sits south, play goes clockwise

class HeartsTable extends Part {
  build() {
    this.on("position", () => this.rebuild());
    this.on("analysis", () => paint(this, this.session));
    this.rebuild();
  }

  rebuild() {
    const { session } = this;
    const { view } = session;
    this.picked = new Set();
    const bottom = session.seat ?? 0;
    const seats = [0, 1, 2, 3].map((seat) => this.seat(seat, PLACES[(seat - bottom + 4) % 4]));
    this.renew(
      html("div", { class: "hearts-table" }, seats, this.middle(bottom)),
      view.state.tricks.length ? this.lastTrick(view.state.tricks.at(-1)) : null,
    );
    paint(this, session);
  }

  card(code) {
    return this.session.hello.cards[code];
  }

  seat(seat, place) {
    const { session } = this;
    const { view } = session;
    const { state } = view;
    const turn = view.to_move === seat && !view.is_over;
    const facts = [`${state.points[seat]} points`];
    if (state.voids[seat]) facts.push(`out of ${[...state.voids[seat]].map((suit) => this.symbol(suit)).join(" ")}`);
    return html(
      "section",
      { class: `seat ${place} ${turn ? "active" : ""}`, "aria-label": `Seat ${seat}` },
      html(
        "header",
        null,
        html(
          "h3",
          null,
          `Seat ${seat}`,
          session.seat === seat && " (you)",
          turn && html("span", { class: "turn" }, "to move"),
        ),
        html("p", { class: "to-pay" }, facts.join(", ")),
      ),
      this.hand(seat, turn),
      turn && state.phase === "passing" && state.hands[seat] && view.moves.length ? this.passing(view) : null,
    );
  }

  symbol(suit) {
    return Object.values(this.session.hello.cards).find((card) => card.suit === suit).symbol;
  }

  hand(seat, turn) {
    const { session } = this;
    const { state, moves } = session.view;
    const cards = state.hands[seat];
    if (cards === null) {
      const backs = Array.from({ length: state.counts[seat] }, () =>
        html("li", { "aria-hidden": "true" }, backOfCard()),
      );
      return html("ul", { class: "cards hidden-hand", "aria-label": `${state.counts[seat]} hidden cards` }, backs);
    }
    const playable = new Map(turn ? moves.map((one) => [one.card, one.move]) : []);
    const picking = turn && state.phase === "passing" && moves.length > 0;
    const items = cards.map((code) => {
      if (picking) return html("li", null, this.pickable(code));
      const move = playable.get(code);
      const card = this.card(code);
      return html("li", null, move ? playableCard(session, card, move) : shownCard(card, turn ? "unfit" : ""));
    });
    return html("ul", { class: "cards" }, items);
  }

  // --- passing -------------------------------------------------------------------------------------------------------

  pickable(code) {
    const card = this.card(code);
    const attributes = {
      type: "button",
      class: `card ${card.color} suit-${card.suit} playable pick`,
      "data-pick": code,
    };
    return html(
      "button",
      { ...attributes, "aria-pressed": "false", "aria-label": card.name, onclick: () => this.pick(code) },
      face(card),
    );
  }

  pick(code) {
    if (!this.picked.delete(code) && this.picked.size < 3) this.picked.add(code);
    for (const button of this.querySelectorAll("[data-pick]")) {
      button.setAttribute("aria-pressed", String(this.picked.has(button.dataset.pick)));
    }
    this.pass.disabled = this.picked.size !== 3;
  }

  /** The button that passes the three cards picked: the move with exactly these cards. */
  passing(view) {
    const play = () => {
      const move = view.moves.find((one) => one.cards.every((code) => this.picked.has(code)));
      if (move) this.session.play(move.move);
    };
    this.pass = html(
      "button",
      { type: "button", class: "pass", disabled: true, onclick: play },
      `Pass these three ${view.state.passing}`,
    );
    return this.pass;
  }

  // --- tricks --------------------------------------------------------------------------------------------------------

  middle(bottom) {
    const { state } = this.session.view;
    const cards = state.trick.map(([seat, code]) =>
      html(
        "li",
        { class: PLACES[(seat - bottom + 4) % 4] },
        shownCard(this.card(code)),
        html("span", { class: "whose" }, `seat ${seat}`),
      ),
    );
    const number =
      state.phase === "play" ? `Trick ${state.trick_number}` : state.phase === "passing" ? "Passing" : "Round over";
    return html(
      "div",
      { class: "trick" },
      html("p", { class: "muted" }, number),
      html("ul", { "aria-label": "cards of the trick" }, cards),
    );
  }

  lastTrick(trick) {
    const cards = trick.cards.map((code) => shownCard(this.card(code), "small"));
    const text = `Last trick, led by seat ${trick.leader}, taken by seat ${trick.winner} (${trick.points} points):`;
    return html("p", { class: "last-trick" }, html("span", null, text), html("span", { class: "small-cards" }, cards));
  }
}

define("gc-hearts", HeartsTable);
