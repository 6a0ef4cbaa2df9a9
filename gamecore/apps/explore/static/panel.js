/** The panels of the tab Analyse: controls for their options, and the fields that the server sends. */

import { pictureOf } from "./board.js";
import { Part, button, folded, html, labelled, optionInput, optionValues, part } from "./dom.js";

/** The panels of the game as folded parts. */
export function panelsOf(session) {
  return session.rules.panels.map((panel) => {
    const content = Object.assign(part("gc-panel", session), { panel });
    return Object.assign(folded(panel.title, content), { open: panel.open });
  });
}

class Panel extends Part {
  build() {
    this.inputs = this.panel.options.map((option) => [option, optionInput(option, () => this.load())]);
    this.fields = html("dl", { class: "notes" });
    this.message = html("p", { class: "muted" });
    this.append(...this.inputs.map(([option, input]) => labelled(option.title, input)), this.message, this.fields);
    // What is not seen, in another tab or folded, is not asked for.
    new IntersectionObserver(() => this.load(), { rootMargin: "9999px" }).observe(this);
    this.follow("position settings", () => this.load());
  }

  async load() {
    if (!this.checkVisibility()) return;
    const { session } = this;
    const { panel } = this.panel;
    const { game, position, panels } = session.view;
    const options = optionValues(this.inputs);
    const message = session.quiz.hides ? "Hidden with the values." : panels.includes(panel) ? "" : "Nothing to show here.";
    const wanted = message || JSON.stringify([position, session.seat, options]);
    if (this.wanted === wanted) return;
    this.wanted = wanted;
    this.message.textContent = message;
    this.fields.replaceChildren();
    const answer = message ? null : await session.ask("/api/panel", { game, panel, position, options });
    if (!answer || this.wanted !== wanted) return;
    this.fields.replaceChildren(...Object.entries(answer).map((field) => this.field(...field)));
  }

  /** A field with its name: a picture, a position to be opened, or text, of several lines in a fixed pitch. */
  field(name, value) {
    const { session } = this;
    const title = name.replaceAll("_", " ");
    let content = typeof value === "string" ? value : (value.text ?? JSON.stringify(value));
    if (content.includes("\n")) content = html("pre", null, content);
    if (value.svg) content = pictureOf(value.svg);
    const open = () => session.open({ game: session.game, position: value.position, seat: session.seat });
    const control = value.position && button("Open", open, { "aria-label": `Open: ${title}` });
    const whole = html("dd", { class: "scroller" }, content, " ", control);
    if (!control) whole.tabIndex = 0; // it is scrolled by keyboard
    return html("div", null, html("dt", null, title), whole);
  }
}

customElements.define("gc-panel", Panel);
