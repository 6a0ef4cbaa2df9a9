/** Below the board: back and forward, and a button for computer players that wait. */

import { pictureOf } from "./board.js";
import { Part, button, html } from "./dom.js";

const STEPS = [
  ["first", "M6 5v14M19 5L9 12l10 7z", "To the start"],
  ["back", "M17 5L7 12l10 7z", "Back"],
  ["forward", "M7 5l10 7-10 7z", "Forward"],
  ["last", "M18 5v14M5 5l10 7-10 7z", "To the end"],
];

/** Buttons that call `go(step)` with `first`, `back`, `forward` or `last`. */
export function stepButtons(go) {
  return STEPS.map(([name, path, title]) => {
    const sign = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`;
    return button(pictureOf(sign), () => go(name), { class: "icon", "data-step": name, "aria-label": title, title });
  });
}

class Controls extends Part {
  build() {
    this.buttons = stepButtons((step) => this.session.go(step));
    this.go = button("Let the computer move", () => this.session.opponents.consider(true), { class: "go" });
    this.append(html("div", { class: "row", role: "group", "aria-label": "Steps" }, this.buttons, this.go));
    this.follow("position waiting", () => this.refresh());
  }

  refresh() {
    const { steps, opponents } = this.session;
    for (const control of this.buttons) {
      // Not `disabled`: a button that has the focus keeps it at the end of the line.
      control.setAttribute("aria-disabled", String(!steps[control.dataset.step]));
    }
    this.go.hidden = !opponents.waiting;
  }
}

customElements.define("gc-controls", Controls);
