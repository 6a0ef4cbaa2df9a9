/** How values look: a tone beside the sign, so that colour says nothing that the text does not. */

import { html } from "./dom.js";

/** A text with true minus signs. */
export const minus = (text) => text.replace(/-(?=\d)/g, "−");

/** A move as people read it, as nodes: red suits are red. */
export function named(session, move) {
  return session
    .label(move)
    .split(/([♦♥])/)
    .map((text) => (/[♦♥]/.test(text) ? html("span", { class: "red" }, text) : text));
}

/** `good`, `bad`, `level` or `open`: by sign where both sides fight, by verdict where points are counted. */
export const tone = (entry) => entry.tone ?? { best: "good", wrong: "bad", open: "open" }[entry.verdict];

/** The text of a value where there is little room: a sign where only that is proven, `?` where nothing is. */
export function shortText(entry) {
  const isNumber = Number.isFinite(Number(entry.text)); // else words, such as "win in 7"
  if (isNumber && entry.text.length > 7 && entry.exact) return minus(Number(entry.lower).toPrecision(3));
  if (entry.exact) return minus(entry.text);
  const sign = { good: "+", bad: "−" }[tone(entry)] ?? "";
  return `${sign}?`;
}

/** What playouts say of a move whose outcome is open: `{share, sign, words, why}`; null where there is nothing to add. */
export function likelihood(known, entry) {
  const { playouts, shares } = known.estimates ?? {};
  const share = shares?.[entry?.move];
  if (share === undefined || tone(entry) !== "open") return null;
  const error = 1 / Math.sqrt(playouts); // two standard errors, at most
  const why = `${Math.round(100 * share)} ± ${Math.ceil(100 * error)}% of ${playouts} random playouts won`;
  if (Math.abs(share - 0.5) < error) return { share, sign: "", words: "unclear", why };
  return share > 0.5 ? { share, sign: "+", words: "likely wins", why } : { share, sign: "−", words: "likely loses", why };
}

/** The moves in order: proven wins, what playouts make likely, the rest of the open ones, proven losses; else as they came. */
export function byOutlook(known) {
  const rank = (entry) => ({ good: 3, level: 1.5, bad: -1 })[tone(entry)] ?? likelihood(known, entry)?.share ?? 0.5;
  return known.estimates ? known.moves.toSorted((one, other) => rank(other) - rank(one)) : known.moves;
}
