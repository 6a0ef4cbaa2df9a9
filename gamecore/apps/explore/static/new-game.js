/** Dialogs of the head of the page: a new game against an opponent of a chosen strength, and the rules. */

import { choice, html, labelled } from "./dom.js";
import { strengths } from "./opponents.js";

const KEYS = [
  ["← →", "Back and forward, except in fields and on the board."],
  ["Tab, Enter", "Go from move to move, and make it."],
  ["arrow keys, Enter, Esc", "On the board: go to a card or pawn, choose it, then its square; Esc cancels."],
  ["arrow keys", "Move in the tree of moves, the tabs and the table of sub-rows."],
];

function dialog(holder, title, ...content) {
  const close = html("button", { type: "button", onclick: () => shown.close() }, "Close");
  const shown = html("dialog", { "aria-label": title }, html("h2", null, title), content, html("div", { class: "row" }, close));
  shown.addEventListener("close", () => shown.remove());
  holder.append(shown);
  shown.showModal();
  return shown;
}

/** Show the rules of the game, the keys, and what the values mean. */
export function showRules(session, holder) {
  const { title, summary, rules } = session.rules;
  const keys = KEYS.map(([name, what]) => html("div", null, html("dt", null, name), html("dd", null, what)));
  const lines = rules.split("\n").map((line) => html("li", null, line));
  dialog(
    holder,
    `Rules: ${title}`,
    html("p", { class: "muted" }, summary),
    html("ul", { class: "rules" }, lines),
    html("h3", null, "Keys"),
    html("dl", { class: "notes" }, keys),
  );
}

/** Ask for a start position, the side of the person and the opponent; start the game. */
export function showNewGame(session, holder) {
  const { presets, sides, title } = session.rules;
  const start = choice(presets.map(({ name }) => [name, name]), presets[0].name);
  const side = choice([...sides.map((one) => [one, session.sideName(one)]), ["", "every side"]], sides[0]);
  const opponent = choice(strengths(session.rules), strengths(session.rules)[0][0]);
  side.addEventListener("change", () => (opponent.disabled = side.value === ""));
  const begin = async () => {
    const preset = presets.find(({ name }) => name === start.value);
    shown.close();
    await session.newGame(preset.options, side.value || null, opponent.value);
  };
  const shown = dialog(
    holder,
    `New game: ${title}`,
    html("div", { class: "row" }, labelled("Start position", start), labelled("You play", side)),
    labelled("Against", opponent),
    html("button", { type: "button", class: "go start", onclick: begin }, "Start"),
  );
  shown.querySelector("select").focus();
}
