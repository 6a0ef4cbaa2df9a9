/** How values look: a tone beside the sign, so that colour says nothing that the text does not. */

import { html } from "./dom.js";

/** `good`, `bad`, `level` or `open`: by sign where both sides fight, by verdict where points are counted. */
export function tone(entry) {
  return entry.tone ?? { best: "good", wrong: "bad", open: "open" }[entry.verdict];
}

/** The text of a value where there is room for four signs: a sign where only that is proven, `?` where nothing is. */
export function shortText(entry) {
  if (entry.exact || entry.mean !== undefined) return entry.text;
  const sign = { good: "+", bad: "−" }[tone(entry)] ?? "";
  return `${sign}?`;
}

/** Listeners of a control that makes a move: pointing at it, or reaching it by keyboard, shows its value and line. */
export function pointing(session, move) {
  const point = () => session.point(move);
  return { onmouseenter: point, onfocus: (event) => event.target.matches(":focus-visible") && point() };
}

/** A value on a card: a long interval on two lines. */
function cardText({ text }) {
  return text.length > 6 ? text.replace("..", "..\n") : text;
}

/** A place for a move's value; `paint` fills all of them below an element. */
export function badge(move) {
  return html("span", { class: "badge", "data-move": move, hidden: true });
}

/** Write the values known into all badges below `root`, and what they say into the names of their buttons. */
export function paint(root, session) {
  const { known, quiz } = session;
  for (const place of root.querySelectorAll("[data-move].badge")) {
    const entry = quiz.on ? undefined : known.byMove.get(place.dataset.move);
    place.hidden = !entry;
    if (entry) {
      place.textContent = cardText(entry);
      place.className = `badge ${tone(entry)}${entry.verdict === "best" ? " best" : ""}`;
    }
    const button = place.closest("button");
    if (button?.dataset.name) {
      button.setAttribute("aria-label", entry ? `${button.dataset.name}: ${entry.words}` : button.dataset.name);
    }
  }
}

/** A number for people: 1234567 as 1,234,567. */
export function grouped(number) {
  return Math.round(number).toLocaleString("en");
}

/** Bytes for people. */
export function bytes(number) {
  if (number < 1024) return `${number} B`;
  const power = Math.min(3, Math.floor(Math.log2(number) / 10));
  return `${(number / 1024 ** power).toPrecision(3)} ${["", "KiB", "MiB", "GiB"][power]}`;
}
