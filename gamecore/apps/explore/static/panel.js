/** The panels of the tab Analyse: elements of the game's own script, or the fields that the server sends. */

import { Part, define, folded, html, part } from "./dom.js";

/** The panels as folded parts; the script of the game, which defines their elements, is loaded meanwhile. */
export function panelsOf(session, panels) {
  const { script } = session.rules;
  if (script) import(`./${script}`);
  return panels.map(({ panel, title, element, open }) => {
    const content = part(element || "gc-panel", session);
    content.panel = panel;
    return Object.assign(folded(title, content), { open });
  });
}

class Panel extends Part {
  build() {
    this.on("position", () => this.load());
    this.on("settings", () => this.load());
    this.load();
  }

  async load() {
    const { session, panel } = this;
    const { game, position, panels } = session.view;
    const wanted = session.quiz.on ? "quiz" : panels.includes(panel) ? `${position} ${session.seat}` : "nothing";
    if (this.wanted === wanted) return;
    this.wanted = wanted;
    this.replaceChildren(html("p", { class: "muted" }, session.quiz.on ? "Hidden in the quiz." : "Nothing to show here."));
    if (session.quiz.on || !panels.includes(panel)) return;
    const answer = await session.ask("/api/panel", { game, panel, position });
    if (answer && this.wanted === wanted) this.replaceChildren(html("dl", { class: "notes" }, Object.entries(answer).map(field)));
  }
}

/** A field with its name; text of several lines in a fixed pitch. */
function field([name, value]) {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return html("div", null, html("dt", null, name.replaceAll("_", " ")), html("dd", null, text.includes("\n") ? html("pre", null, text) : text));
}

define("gc-panel", Panel);
