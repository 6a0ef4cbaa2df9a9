/**
 * The editor of positions: a form made from the fields of the game's draft. The server judges each change: what is
 * wrong is said, and the position on the board stays until a draft that holds is used.
 */

import { pictureOf } from "./board.js";
import { Part, choice, define, freshId, html, labelled } from "./dom.js";

class Editor extends Part {
  build() {
    this.form = html("div", { class: "form" });
    this.state = html("p", { class: "state", role: "status", id: freshId("state") });
    this.drawing = html("div", { class: "drawing" });
    this.use = html(
      "button",
      { type: "button", class: "go", onclick: () => this.open(), "aria-describedby": this.state.id },
      "Use this position",
    );
    const again = html("button", { type: "button", onclick: () => this.load() }, "Take the position shown");
    this.append(this.form, this.state, this.drawing, html("div", { class: "row" }, this.use, again));
    this.asked = 0;
    this.cut = ""; // what did not fit on a smaller board
    this.on("position", () => this.follow());
    this.load();
  }

  /** A draft that nobody has touched follows the board. */
  follow() {
    if (!this.touched || this.game !== this.session.game || !this.session.view.draft) this.load();
  }

  load() {
    const { view } = this.session;
    this.game = view.game;
    this.draft = structuredClone(view.draft);
    this.touched = false;
    this.form.replaceChildren(...(this.draft ? this.fields(this.draft) : []));
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
      const field = labelled(title, this.control(owner, name, value));
      const area = field.querySelector("textarea");
      return area ? [html("div", { class: "row" }, this.resized(area, (found) => this.set(owner, name, found))), field] : field;
    });
  }

  set(owner, name, found) {
    owner[name] = found;
    this.changed();
  }

  control(owner, name, value) {
    const set = (found) => this.set(owner, name, found);
    if (typeof value === "boolean") {
      return html("input", { type: "checkbox", checked: value, onchange: ({ target }) => set(target.checked) });
    }
    if (Array.isArray(value)) return this.list(value, set);
    const { sides, random } = this.session.rules;
    const known = sides.includes(value) ? sides : random.find((option) => option.name === name)?.choices;
    const pairs = known?.map((one) => [one, one]);
    if (known) return choice(pairs, value, ({ target }) => set(target.value));
    const read = typeof value === "number" ? Number : (text) => text || null;
    return html("input", { type: "text", value: value ?? "", oninput: ({ target }) => set(read(target.value)) });
  }

  /** The size of a board: what fits stays, rows come and go in the middle, columns at the right. */
  resized(area, set) {
    const resize = (rows, columns) => {
      const old = area.value.split(/\s+/).filter(Boolean);
      const half = Math.ceil(Math.min(rows, old.length) / 2);
      const low = old.slice(Math.max(half, old.length - (rows - half)));
      const blank = Array(Math.max(0, rows - old.length)).fill("");
      const found = [...old.slice(0, half), ...blank, ...low].map((row) => row.slice(0, columns).padEnd(columns, "."));
      const cut = pieces(old) - pieces(found);
      area.value = found.join("\n");
      area.rows = rows;
      this.cut = cut > 0 ? ` ${cut} piece${cut > 1 ? "s" : ""} did not fit and ${cut > 1 ? "were" : "was"} cut.` : "";
      set(found);
    };
    const number = (title, value) => labelled(title, html("input", { type: "number", min: 1, max: 64, value }));
    const words = area.value.split("\n");
    const sizes = [number("Number of rows", words.length), number("Number of columns", words[0].length)];
    const inputs = sizes.map((field) => field.querySelector("input"));
    for (const input of inputs) {
      input.addEventListener("change", () => inputs.every((one) => one.value > 0) && resize(...inputs.map((one) => Number(one.value))));
    }
    return sizes;
  }

  /** Words on a line; the rows of a board, which have blanks, one below the other with dots for blanks. */
  list(value, set) {
    const words = value.map((one) => String(one).replaceAll(" ", "."));
    const isBoard = words.some((word) => word.includes("..") || word.startsWith("."));
    const oninput = ({ target }) => set(target.value.split(/[\s,;]+/).filter(Boolean));
    if (!isBoard) return html("input", { type: "text", class: "wide", value: words.join(" "), oninput });
    return html("textarea", { rows: words.length, value: words.join("\n"), spellcheck: false, oninput });
  }

  async changed() {
    const { session } = this;
    this.touched = true;
    this.use.disabled = true; // until the server has judged this draft
    this.asked += 1;
    const turn = this.asked;
    try {
      const { view } = await session.transport.call("/api/build", { game: this.game, draft: this.draft });
      if (turn === this.asked) this.show(`This is a position.${this.cut}`, view);
    } catch (error) {
      if (turn === this.asked) this.show(`${error.message}${this.cut && `;${this.cut}`}`, null);
    } finally {
      if (turn === this.asked) this.cut = "";
    }
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
    const { session } = this;
    const { game, position } = this.view;
    this.touched = false;
    session.open({ game, position, seat: session.seat });
  }
}

function pieces(rows) {
  return rows.join("").replaceAll(".", "").length;
}

define("gc-editor", Editor);
