/** Cards as HTML: faces, cards that can be played, and a grid in which an editor deals all 52 of them. */

import { html } from "./dom.js";
import { badge, pointing } from "./values.js";

/** The face of a card; `card` is the server's description of it. */
export function face(card) {
  return [html("span", { class: "rank" }, card.rank_text), html("span", { class: "suit" }, card.symbol)];
}

function classes(card, more) {
  return `card ${card.color} suit-${card.suit} ${more}`;
}

/** A card that is only seen. */
export function shownCard(card, more = "") {
  return html("span", { class: classes(card, more), role: "img", "aria-label": card.name }, face(card));
}

/** The back of a card. */
export function backOfCard() {
  return html("span", { class: "card back", role: "img", "aria-label": "hidden card" });
}

/** A card that can be played: a button that carries its value. */
export function playableCard(session, card, move) {
  const attributes = {
    type: "button",
    class: classes(card, "playable"),
    "data-play": move,
    "data-name": card.name,
    "aria-label": card.name,
    onclick: () => session.play(move),
    ...pointing(session, move),
  };
  return html("button", attributes, face(card), badge(move));
}

/**
 * A grid of all cards for an editor. `owners` are `[key, letter, name]`; a press gives a card to the owner chosen, a
 * second press takes it back. `owner(code)` reads, `give(code, key | null)` writes.
 */
export function cardGrid(cards, owners, owner, give) {
  let brush = owners[0][0];
  const suits = [...new Set(Object.values(cards).map((card) => card.suit))];
  const name = `owner-${Math.random().toString(36).slice(2)}`;
  const brushes = owners.map(([key, , title]) => {
    const input = html("input", { type: "radio", name, checked: key === brush, onchange: () => (brush = key) });
    return html("label", { class: "brush" }, input, ` ${title}`);
  });
  const buttons = Object.entries(cards).map(([code, card]) => {
    const button = html(
      "button",
      { type: "button", class: `cell ${card.color}`, "data-card": code },
      face(card),
      html("i"),
    );
    const show = () => {
      const found = owners.find(([key]) => key === owner(code));
      button.lastChild.textContent = found ? found[1] : "";
      button.setAttribute("aria-label", `${card.name}: ${found ? found[2] : "nobody"}`);
      button.classList.toggle("held", Boolean(found));
    };
    button.addEventListener("click", () => {
      give(code, owner(code) === brush ? null : brush);
      show();
    });
    show();
    return button;
  });
  const rows = suits.map((suit) =>
    html(
      "div",
      { class: "suit-row" },
      buttons.filter((button) => cards[button.dataset.card].suit === suit),
    ),
  );
  return html(
    "div",
    { class: "card-grid" },
    html("div", { class: "row", role: "group", "aria-label": "Deal to" }, brushes),
    rows,
  );
}
