/**
 * The editor of positions: a form made from the fields of the game's draft. The server judges each change: what is
 * wrong is said, and the position on the board stays until a draft that holds is used.
 */

import { pictureOf } from "./board.js";
import { Part, button, choice, freshId, html, labelled } from "./dom.js";
import { named } from "./values.js";

class Editor extends Part {
  build() {
    this.form = html("div", { class: "form" });
    this.state = html("p", { class: "state", role: "status", id: freshId("state") });
    this.drawing = html("div", { class: "drawing" });
    this.use = button("Use this position", () => this.open(), { class: "go", "aria-describedby": this.state.id });
    const again = button("Take the position shown", () => this.load());
    this.append(this.form, this.state, this.drawing, html("div", { class: "row" }, this.use, again));
    this.asked = 0;
    this.cut = ""; // what did not fit on a smaller board
    this.follow("position", () => this.refresh());
  }

  /** A draft that nobody has touched follows the board. */
  refresh() {
    if (!this.touched || this.game !== this.session.game || !this.session.view.draft) this.load();
  }

  load() {
    const { view } = this.session;
    this.game = view.game;
    this.draft = structuredClone(view.draft);
    this.touched = false;
    this.lists = []; // of cards
    const fields = this.draft ? this.fields(this.draft) : [];
    this.form.replaceChildren(...fields, ...this.deck());
    this.drawing.replaceChildren();
    this.show(this.draft ? "" : "See all hands to edit this position.", this.draft && view);
  }

  // --- the form ------------------------------------------------------------------------------------------------------

  /** A control for each field of an object or a list, which is changed as one types. */
  fields(owner, prefix = "") {
    return Object.entries(owner).flatMap(([name, value]) => {
      const title = `${prefix}${name.replaceAll("_", " ")}`;
      if (Array.isArray(value) && value.some(Array.isArray)) return this.fields(value, `${title} `);
      if (value instanceof Object && !Array.isArray(value)) {
        return html("fieldset", null, html("legend", null, title), this.fields(value));
      }
      const field = labelled(title, this.control(owner, name, title));
      const area = field.querySelector("textarea");
      return area ? [html("div", { class: "row" }, this.sizes(area)), squares(area), field] : field;
    });
  }

  control(owner, name, title) {
    const value = owner[name];
    const set = (found) => {
      owner[name] = found;
      this.changed();
    };
    if (typeof value === "boolean") {
      return html("input", { type: "checkbox", checked: value, onchange: ({ target }) => set(target.checked) });
    }
    if (Array.isArray(value)) {
      const input = list(value, set);
      if (value.every((one) => one in this.session.hello.cards)) this.lists.push({ owner, name, title, input });
      return input;
    }
    const { sides, random } = this.session.rules;
    const known = sides.includes(value) ? sides : random.find((option) => option.name === name)?.choices;
    const pairs = known?.map((one) => [one, one]);
    if (known) return choice(pairs, value, ({ target }) => set(target.value));
    const read = typeof value === "number" ? Number : (text) => text || null;
    return html("input", { type: "text", value: value ?? "", oninput: ({ target }) => set(read(target.value)) });
  }

  /** The size of a board: what fits stays, rows come and go in the middle, columns at the right. */
  sizes(area) {
    const resize = (rows, columns) => {
      const old = rowsOf(area);
      const half = Math.ceil(Math.min(rows, old.length) / 2);
      const low = old.slice(Math.max(half, old.length - (rows - half)));
      const blank = Array(Math.max(0, rows - old.length)).fill("");
      const found = [...old.slice(0, half), ...blank, ...low].map((row) => row.slice(0, columns).padEnd(columns, "."));
      const cut = pieces(old) - pieces(found);
      area.rows = rows;
      this.cut = cut > 0 ? ` ${cut} piece${cut > 1 ? "s" : ""} did not fit and ${cut > 1 ? "were" : "was"} cut.` : "";
      write(area, found);
    };
    const onchange = () => inputs.every((one) => one.value > 0) && resize(...inputs.map((one) => Number(one.value)));
    const number = (value) => html("input", { type: "number", min: 1, max: 64, value, onchange });
    const inputs = [number(rowsOf(area).length), number(rowsOf(area)[0].length)];
    return [labelled("Number of rows", inputs[0]), labelled("Number of columns", inputs[1])];
  }

  /** All cards, if there are lists of cards: a press puts one into the list chosen, or takes it away. */
  deck() {
    if (!this.lists.some(({ owner, name }) => owner[name].length)) return [];
    this.goal = choice(this.lists.map(({ title }, k) => [k, title]), 0, () => this.markCards());
    this.cards = Object.keys(this.session.hello.cards).map((card) => {
      return button(named(this.session, card), () => this.place(card), { "data-card": card });
    });
    this.markCards();
    const cards = html("div", { class: "deck", role: "group", "aria-label": "cards" }, this.cards);
    return [labelled("A press on a card puts it into, or takes it from", this.goal), cards];
  }

  /** Of lists that stand side by side, such as hands, a card is in one only. */
  place(card) {
    const goal = this.lists[this.goal.value];
    const isThere = goal.owner[goal.name].includes(card);
    for (const { owner, name, input } of this.lists.filter((one) => one.owner === goal.owner)) {
      owner[name] = owner[name].filter((one) => one !== card);
      if (name === goal.name && !isThere) owner[name].push(card);
      input.value = owner[name].join(" ");
    }
    this.changed();
  }

  markCards() {
    const { owner, name } = this.lists[this.goal.value];
    const others = this.lists.filter((one) => one.owner === owner && one.name !== name).flatMap((one) => owner[one.name]);
    for (const control of this.cards) {
      control.setAttribute("aria-pressed", String(owner[name].includes(control.dataset.card)));
      const isElsewhere = others.includes(control.dataset.card);
      control.classList.toggle("elsewhere", isElsewhere);
      control.title = isElsewhere ? "in another list" : "";
    }
  }

  async changed() {
    this.touched = true;
    if (this.cards?.[0].isConnected) this.markCards();
    this.use.disabled = true; // until the server has judged this draft
    this.asked += 1;
    const turn = this.asked;
    const answer = this.session.transport.call("/api/build", { game: this.game, draft: this.draft });
    const { view, message } = await answer.catch((error) => error);
    if (turn !== this.asked) return;
    this.show(view ? `This is a position.${this.cut}` : `${message}${this.cut && `;${this.cut}`}`, view);
    this.cut = "";
  }

  async show(text, view) {
    this.view = view;
    this.state.textContent = text;
    this.state.classList.toggle("error", !view && text !== "");
    this.use.disabled = !view;
    if (!view || !this.touched) return;
    const { game, position } = view;
    const answer = await this.session.ask("/api/picture", { game, position, width: 320 });
    if (answer && this.view === view) this.drawing.replaceChildren(pictureOf(answer.svg));
  }

  open() {
    const { game, position } = this.view;
    this.touched = false;
    this.session.open({ game, position, seat: this.session.seat });
  }
}

/** Words on a line; the rows of a board, which have blanks, one below the other with dots for blanks. */
function list(value, set) {
  const words = value.map((one) => String(one).replaceAll(" ", "."));
  const oninput = ({ target }) => set(target.value.split(/[\s,;]+/).filter(Boolean));
  if (!words.some((word, k) => word !== String(value[k]))) {
    return html("input", { type: "text", class: "wide", value: words.join(" "), oninput });
  }
  return html("textarea", { rows: words.length, value: words.join("\n"), spellcheck: false, oninput });
}

/** A button for each square of a board: a press puts the next kind of piece there. */
function squares(area) {
  const letters = [...new Set(rowsOf(area).join(""))].flatMap((one) => [one.toUpperCase(), one.toLowerCase()]);
  const kinds = [...new Set([".", ...letters])];
  const grid = html("div", { class: "squares", role: "group", "aria-label": "squares" });
  const square = (piece, row, column) => {
    const press = () => {
      const rows = rowsOf(area);
      const next = kinds[(kinds.indexOf(piece) + 1) % kinds.length];
      rows[row] = rows[row].slice(0, column) + next + rows[row].slice(column + 1);
      write(area, rows);
    };
    const isEmpty = piece === ".";
    const label = `row ${row + 1} from the top, column ${column + 1}: ${isEmpty ? "empty" : piece}`;
    const kind = isEmpty ? "" : piece === piece.toUpperCase() ? "first" : "second";
    return button(isEmpty ? "" : piece, press, { class: kind, "aria-label": label });
  };
  const draw = () => {
    const rows = rowsOf(area);
    const focused = [...grid.children].indexOf(document.activeElement);
    grid.style.gridTemplateColumns = `repeat(${rows[0]?.length ?? 1}, minmax(0, 40px))`;
    grid.replaceChildren(...rows.flatMap((row, k) => [...row].map((piece, column) => square(piece, k, column))));
    grid.children[focused]?.focus();
  };
  area.addEventListener("input", draw);
  draw();
  return grid;
}

const rowsOf = (area) => area.value.split(/\s+/).filter(Boolean);

/** Write the rows of a board, as if they were typed. */
function write(area, rows) {
  area.value = rows.join("\n");
  area.dispatchEvent(new Event("input"));
}

const pieces = (rows) => rows.join("").replaceAll(".", "").length;

customElements.define("gc-editor", Editor);
