/** Below the board: back and forward, and a button for computer players that wait. */

import { Part, html, svg } from "./dom.js";

const STEPS = [
  ["first", "M6 5v14M19 5L9 12l10 7z", "To the start"],
  ["back", "M17 5L7 12l10 7z", "Back"],
  ["forward", "M7 5l10 7-10 7z", "Forward"],
  ["last", "M18 5v14M5 5l10 7-10 7z", "To the end"],
];

class Controls extends Part {
  build() {
    const { session } = this;
    this.buttons = STEPS.map(([name, path, title]) => {
      const attributes = { type: "button", class: "icon", "data-step": name, "aria-label": title, title };
      const sign = svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: path }));
      return html("button", { ...attributes, onclick: () => session[name]() }, sign);
    });
    this.go = html(
      "button",
      { type: "button", class: "go", onclick: () => session.opponents.consider(true) },
      "Let the computer move",
    );
    this.append(html("div", { class: "row controls", role: "group", "aria-label": "Steps" }, this.buttons, this.go));
    this.on("position", () => this.refresh());
    this.on("waiting", () => this.refresh());
    this.refresh();
  }

  refresh() {
    const { node, opponents } = this.session;
    const [first, back, forward, last] = this.buttons;
    this.lock(first, !node.parent);
    this.lock(back, !node.parent);
    this.lock(forward, !node.chosen);
    this.lock(last, !node.chosen);
    this.go.hidden = !opponents.waiting;
  }

  /** Not `disabled`: a button that has the focus keeps it at the end of the line. */
  lock(button, off) {
    button.setAttribute("aria-disabled", String(off));
  }
}

customElements.define("gc-controls", Controls);
