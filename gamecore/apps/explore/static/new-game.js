/** Dialogs of the head of the page: a new game against an opponent of a chosen strength, and the rules. */

import { button, choice, facts, html, labelled, optionInput, optionValues } from "./dom.js";
import { strengths } from "./opponents.js";

const KEYS = [
  ["← →", "Back and forward, except in fields and on the board."],
  ["Tab, Enter", "Go from move to move, and make it."],
  ["arrow keys, Enter, Esc", "On the board: go to a card or pawn, choose it, then its square; Esc cancels."],
  ["arrow keys", "Move in the tree of moves and the tabs."],
];

function dialog(holder, title, ...content) {
  const close = button("Close", () => shown.close());
  const shown = html("dialog", { "aria-label": title }, html("h2", null, title), content, html("div", { class: "row" }, close));
  shown.addEventListener("close", () => shown.remove());
  holder.append(shown);
  shown.showModal();
  return shown;
}

/** Show the rules of the game, the keys, and what the values mean. */
export function showRules(session, holder) {
  const { title, summary, rules } = session.rules;
  const lines = rules.split("\n").map((line) => html("li", null, line));
  dialog(
    holder,
    `Rules: ${title}`,
    html("p", { class: "muted" }, summary),
    html("ul", null, lines),
    html("h3", null, "Keys"),
    html("dl", { class: "notes" }, facts(KEYS)),
  );
}

/** Ask for the options of the start, the side of the person and the opponent; start the game. */
export function showNewGame(session, holder) {
  const { random, side_names: names, sides, title } = session.rules;
  const inputs = random.filter(({ name }) => name !== "plies").map((option) => [option, optionInput(option)]);
  const side = choice([...sides.map((one, k) => [one, names[k]]), ["", "every side"]], sides[0]);
  const opponent = choice(strengths(session.rules), strengths(session.rules)[0][0]);
  side.addEventListener("change", () => (opponent.disabled = side.value === ""));
  const begin = async () => {
    if (!inputs.every(([, input]) => input.reportValidity())) return;
    shown.close();
    await session.newGame(optionValues(inputs), side.value || null, opponent.value);
  };
  const shown = dialog(
    holder,
    `New game: ${title}`,
    html("div", { class: "row" }, inputs.map(([option, input]) => labelled(option.title, input)), labelled("You play", side)),
    labelled("Against", opponent),
    button("Start", begin, { class: "go" }),
  );
  shown.querySelector("input, select").focus();
}
