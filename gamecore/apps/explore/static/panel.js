/** The panels of the tab Analyse: controls for their options, steps, and the fields that the server sends. */

import { pictureOf } from "./board.js";
import { stepButtons } from "./controls.js";
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
    Object.assign(this, { inputs: [], last: 1 });
    this.controls = html("div", { class: "row" });
    this.message = html("p", { class: "muted" });
    this.fields = html("dl", { class: "notes" });
    this.append(this.controls, this.message, this.fields);
    // What is not seen, in another tab or folded, is not asked for.
    new IntersectionObserver(() => this.load(), { rootMargin: "9999px" }).observe(this);
    this.follow("position settings", () => this.load());
  }

  /** Controls for the options of the position shown; what was chosen stays if it is still offered. */
  offer(options) {
    const state = JSON.stringify(options);
    if (state === this.offered) return;
    this.offered = state;
    const chosen = optionValues(this.inputs);
    const fits = ({ choices, most }, value) => (choices ? choices.includes(value) : !(value > most));
    this.inputs = options.map((option) => {
      const value = chosen[option.name];
      const known = value !== undefined && fits(option, value) ? { default: value } : {};
      return [option, optionInput({ ...option, ...known }, () => this.load())];
    });
    const controls = this.inputs.map(([option, input]) => labelled(option.title, input));
    this.stepped = this.inputs.find(([{ name }]) => name === this.panel.step)?.[1];
    const steps = html("div", { class: "row", role: "group", "aria-label": "Steps" }, stepButtons((step) => this.go(step)));
    this.controls.replaceChildren(...controls, this.stepped ? steps : "");
  }

  /** Go through the steps: 1 to the last one, then 0, the whole. */
  go(step) {
    const at = Number(this.stepped.value);
    const forward = at === 0 || at >= this.last ? 0 : at + 1;
    const goals = { first: 1, back: at === 0 ? this.last : Math.max(1, at - 1), forward, last: 0 };
    this.stepped.value = goals[step];
    this.load();
  }

  async load() {
    if (!this.checkVisibility()) return;
    const { session } = this;
    const { panel } = this.panel;
    const { game, position, panels } = session.view;
    const offered = panels.find((one) => one.panel === panel);
    this.offer(offered?.options ?? []);
    const options = optionValues(this.inputs);
    const message = session.quiz.hides ? "Hidden with the values." : offered ? "" : "Nothing to show here.";
    const wanted = message || JSON.stringify([position, session.seat, options]);
    if (this.wanted === wanted) return;
    this.wanted = wanted;
    this.message.textContent = message;
    const answer = message ? {} : await session.ask("/api/panel", { game, panel, position, options });
    if (!answer || this.wanted !== wanted) return;
    const { steps, ...fields } = answer;
    this.last = steps ?? 1;
    this.fields.replaceChildren(...Object.entries(fields).map((field) => this.field(...field)));
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
