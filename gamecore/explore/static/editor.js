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
    this.show(this.draft ? "" : "See all hands to edit this round.", this.draft && view);
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
      return labelled(title, this.control(owner, name, value));
    });
  }

  control(owner, name, value) {
    const set = (found) => {
      owner[name] = found;
      this.changed();
    };
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

  /** Words on a line; the rows of a board, which have blanks, one below the other with dots in place of blanks. */
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
      if (turn === this.asked) this.show("This is a position.", view);
    } catch (error) {
      if (turn === this.asked) this.show(error.message, null);
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
    session.open({ game, position, seat: game === "hearts" ? session.seat : null });
  }
}

define("gc-editor", Editor);
