/**
 * The editor of positions. A draft is changed here and judged by the server at each change: what is wrong with it is
 * said, and the position on the board stays until a draft that holds is used.
 */

import { Part, define, freshId, html } from "./dom.js";
import { FORMS } from "./editor-forms.js";

class Editor extends Part {
  build() {
    this.form = html("div", { class: "form" });
    this.state = html("p", { class: "state", role: "status", id: freshId("state") });
    this.drawing = html("pre", {
      class: "drawing",
      tabindex: 0,
      role: "group",
      "aria-label": "The edited position",
    });
    this.use = html(
      "button",
      { type: "button", class: "use", onclick: () => this.open(), "aria-describedby": this.state.id },
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
    this.view = view;
    this.form.replaceChildren();
    if (this.draft)
      this.form.append(...FORMS[view.game](this.draft, this.session.hello, (rebuild) => this.changed(rebuild)));
    this.drawing.textContent = "";
    if (this.draft) this.show("", view);
    else this.show("See all hands to edit this round.", null);
  }

  /** The draft was changed; `rebuild`: so that its form looks different. */
  async changed(rebuild = false) {
    const { session } = this;
    this.touched = true;
    if (rebuild)
      this.form.replaceChildren(...FORMS[this.game](this.draft, session.hello, (again) => this.changed(again)));
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

  show(text, view) {
    this.view = view;
    this.state.textContent = text;
    this.state.classList.toggle("error", !view && text !== "");
    this.use.disabled = !view;
    if (view) this.drawing.textContent = view.text;
  }

  open() {
    const { session } = this;
    const { game, position } = this.view;
    this.touched = false;
    session.open({ game, position, seat: game === "hearts" ? session.seat : null });
  }
}

define("gc-editor", Editor);
