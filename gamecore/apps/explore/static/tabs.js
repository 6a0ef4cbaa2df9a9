/** Tabs: the content of each is made when it is opened for the first time. */

import { button, freshId, html } from "./dom.js";

const STEPS = { ArrowLeft: -1, ArrowRight: 1 };

/**
 * `entries` is `[[title, make], ..]`; `make` is a list of elements, or a function that returns one. `chosen`: the title of
 * the tab that is open at first, `onOpen(title)` is told of others. Returns the list of tabs and their panels.
 */
export function tabs(label, entries, chosen, onOpen) {
  const made = entries.map(([title, make]) => {
    const [name, panelId] = [freshId("tab"), freshId("panel")];
    const tab = button(title, () => choose(entry), { role: "tab", id: name, "aria-controls": panelId });
    const panel = html("div", { role: "tabpanel", id: panelId, "aria-labelledby": name, class: "tab-panel" });
    if (Array.isArray(make)) panel.append(...make);
    const entry = { title, tab, panel, make };
    return entry;
  });
  const section = html("section", { class: "panel tools" });
  const open = (chosen) => {
    for (const { tab, panel } of made) {
      const isOpen = tab === chosen.tab;
      tab.setAttribute("aria-selected", String(isOpen));
      tab.tabIndex = isOpen ? 0 : -1;
      panel.hidden = !isOpen;
    }
    section.dataset.open = chosen.title;
    if (!chosen.panel.childElementCount) chosen.panel.append(...chosen.make());
  };
  const choose = (entry) => {
    open(entry);
    section.scrollIntoView({ block: "nearest" }); // a tab that needs the page's width moves below the board
    onOpen(entry.title);
  };
  const onkeydown = (event) => {
    const at = made.findIndex(({ tab }) => tab === event.target);
    const next = event.key in STEPS && made.at((at + STEPS[event.key]) % made.length);
    if (!next) return;
    event.preventDefault(); // the page itself goes through the moves by these keys
    choose(next);
    next.tab.focus();
  };
  const list = html("div", { role: "tablist", "aria-label": label, onkeydown }, ...made.map(({ tab }) => tab));
  section.append(list, ...made.map(({ panel }) => panel));
  open(made.find(({ title }) => title === chosen) ?? made[0]);
  return section;
}
