/** The row: what is left with both ends as buttons, and what each side has. */

import { Part, define, html } from "./dom.js";
import { badge, paint, pointing } from "./values.js";

class RowStrip extends Part {
  build() {
    this.on("position", () => this.rebuild());
    this.on("analysis", () => paint(this, this.session));
    this.on("marked", (range) => this.markRange(range));
    this.rebuild();
  }

  rebuild() {
    const { view } = this.session;
    const { state } = view;
    const ends = new Map();
    for (const move of view.moves) ends.set(move.index, [...(ends.get(move.index) ?? []), move]);
    const most = Math.max(1, ...state.values.map(Math.abs));
    this.tiles = state.labels.map((label, k) => this.tile(label, Math.abs(state.values[k]) / most));
    const [left, right] = [view.moves.filter((one) => one.index === 0), view.moves.filter((one) => one.index !== 0)];
    this.renew(
      html(
        "div",
        { class: "scores" },
        this.score("me", state.mine),
        this.score("opponent", state.theirs, state.opponent),
      ),
      html(
        "div",
        { class: "strip" },
        html(
          "div",
          { class: "end" },
          left.map((move) => this.take(move, "◀")),
        ),
        html("ol", { class: "tiles", "aria-label": "what is left" }, this.tiles),
        html(
          "div",
          { class: "end" },
          right.map((move) => this.take(move, "▶")),
        ),
      ),
      state.labels.length ? null : html("p", { class: "muted" }, "Nothing is left."),
    );
    paint(this, this.session);
  }

  score(side, points, note = null) {
    const { view } = this.session;
    const turn = view.to_move === side && !view.is_over;
    const name = side === "me" ? "I" : `Opponent (${note})`;
    return html(
      "p",
      { class: `score-box ${turn ? "active" : ""}` },
      html("span", null, name, turn && html("span", { class: "turn" }, "to move")),
      html("strong", null, points),
    );
  }

  tile(label, share) {
    const bar = html("i", { "aria-hidden": "true" });
    bar.style.setProperty("--share", share);
    return html("li", { class: "tile" }, bar, html("span", null, label));
  }

  take(move, sign) {
    const { session } = this;
    const attributes = {
      type: "button",
      class: "take",
      "data-play": move.move,
      "data-name": move.text,
      "aria-label": move.text,
      onclick: () => session.play(move.move),
      ...pointing(session, move.move),
    };
    return html(
      "button",
      attributes,
      html("span", { "aria-hidden": "true" }, sign),
      html("b", null, move.label),
      badge(move.move),
    );
  }

  /** Mark the sub-row `[i, j]` that is pointed at in the table, unless it is the whole row. */
  markRange([i, j]) {
    const part = j - i + 1 < this.tiles.length;
    this.tiles.forEach((tile, k) => tile.classList.toggle("in-range", part && k >= i && k <= j));
  }
}

define("gc-rows", RowStrip);
