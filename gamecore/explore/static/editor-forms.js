/** The forms of the editor, one a game: `FORMS[game](draft, hello, changed)` gives the controls that change `draft`. */

import { cardGrid } from "./cards.js";
import { choice, html, labelled } from "./dom.js";
import { pawn } from "./pawn-board.js";

const words = (list) => list.map((word) => [word, word]);

function setter(draft, name, changed, convert = (value) => value) {
  return (event) => {
    draft[name] = convert(event.target.value);
    changed();
  };
}

function duel(draft, hello, changed) {
  const hands = { Alice: "alice", Bob: "bob" };
  const owners = [
    ["Alice", "A", "Alice"],
    ["Bob", "B", "Bob"],
    ["last", "L", "card to be matched"],
  ];
  const owner = (code) =>
    draft.last === code ? "last" : Object.keys(hands).find((side) => draft[hands[side]].includes(code));
  const give = (code, side) => {
    for (const name of Object.values(hands)) draft[name] = draft[name].filter((one) => one !== code);
    if (draft.last === code) draft.last = null;
    if (side === "last") draft.last = code;
    else if (side) draft[hands[side]].push(code);
    changed(side === "last"); // the grid has one card to be matched: the former one is free again
  };
  return [
    cardGrid(hello.cards, owners, owner, give),
    labelled("To move", choice(words(Object.keys(hands)), draft.to_move, setter(draft, "to_move", changed))),
  ];
}

function hexapawn(draft, hello, changed) {
  const next = { " ": "P", ".": "P", P: "p", p: " " };
  const names = { P: "white pawn", p: "black pawn", " ": "empty", ".": "empty" };
  const resize = (rows, columns) => {
    const line = (k) => (draft.rows[k] ?? "").padEnd(columns).slice(0, columns);
    draft.rows = Array.from({ length: rows }, (_, k) => line(k));
    changed(true);
  };
  const [rows, columns] = [draft.rows.length, draft.rows[0].length];
  const size = (value, set) =>
    html("input", { type: "number", min: 1, max: 32, value, onchange: (event) => set(Number(event.target.value)) });
  const board = draft.rows.map((line, k) => {
    const cells = [...line].map((letter, column) => {
      const button = html("button", { type: "button", class: "square" });
      const show = (now) => {
        button.replaceChildren(...(names[now] === "empty" ? [] : [pawn(now === "P" ? "white" : "black")]));
        button.setAttribute("aria-label", `row ${rows - k}, column ${column + 1}: ${names[now]}`);
      };
      button.addEventListener("click", () => {
        const now = next[draft.rows[k][column]];
        draft.rows[k] = draft.rows[k].slice(0, column) + now + draft.rows[k].slice(column + 1);
        show(now);
        changed();
      });
      show(letter);
      return button;
    });
    return html("div", { class: "edit-row" }, cells);
  });
  return [
    html(
      "div",
      { class: "row" },
      labelled(
        "Rows",
        size(rows, (value) => resize(value, columns)),
      ),
      labelled(
        "Columns",
        size(columns, (value) => resize(rows, value)),
      ),
      labelled("To move", choice(words(["white", "black"]), draft.to_move, setter(draft, "to_move", changed))),
    ),
    html("div", { class: "edit-board" }, board),
    html("p", { class: "muted" }, "A press on a square: white pawn, black pawn, empty."),
  ];
}

function rows(draft, hello, changed) {
  const split = (text) => text.split(/[\s,;]+/).filter(Boolean);
  const text = (name, convert) =>
    html("input", {
      type: "text",
      value: [draft[name]].flat().join(" "),
      oninput: setter(draft, name, changed, convert),
    });
  const values = text("values", split);
  values.classList.add("wide");
  return [
    labelled("Values", values),
    html(
      "div",
      { class: "row" },
      labelled(
        "Opponent",
        choice(words(["optimal", "greedy", "cooperative"]), draft.opponent, setter(draft, "opponent", changed)),
      ),
      labelled(
        "A greedy opponent's ties",
        choice(words(["right", "left"]), draft.ties, setter(draft, "ties", changed)),
      ),
      labelled("To move", choice(words(["me", "opponent"]), draft.to_move, setter(draft, "to_move", changed))),
      labelled("I have", text("mine")),
      labelled("Opponent has", text("theirs")),
    ),
  ];
}

function hearts(draft, hello, changed) {
  const owners = [0, 1, 2, 3].map((seat) => [seat, String(seat), `seat ${seat}`]);
  const owner = (code) => draft.hands.findIndex((hand) => hand.includes(code));
  const give = (code, seat) => {
    draft.hands = draft.hands.map((hand) => hand.filter((one) => one !== code));
    if (seat !== null) draft.hands[seat].push(code);
    changed();
  };
  const flags = Object.entries(draft.rules).filter(([, value]) => typeof value === "boolean");
  const checks = flags.map(([name, value]) => {
    const set = (event) => {
      draft.rules[name] = event.target.checked;
      changed();
    };
    return html(
      "label",
      { class: "brush" },
      html("input", { type: "checkbox", checked: value, onchange: set }),
      ` ${name.replaceAll("_", " ")}`,
    );
  });
  const split = (text) =>
    text
      .toUpperCase()
      .split(/[\s,;]+/)
      .filter(Boolean);
  const played = html("input", {
    type: "text",
    class: "wide",
    value: draft.played.join(" "),
    oninput: setter(draft, "played", changed, split),
  });
  return [
    html("p", { class: "muted" }, "Thirteen cards a seat, as dealt."),
    cardGrid(hello.cards, owners, owner, give),
    labelled(
      "Passing",
      choice(words(["hold", "left", "across", "right"]), draft.passing, setter(draft, "passing", changed)),
    ),
    labelled("Cards played, in order", played),
    html("fieldset", null, html("legend", null, "Rules"), checks),
  ];
}

export const FORMS = { duel, hexapawn, rows, hearts };
