/**
 * The table of all sub-rows as a heat map: row i, column j is the game on values i to j. The path is what the best line
 * visits. Pointing at a cell, or going to it by the arrow keys, shows that sub-row.
 */

import { Part, define, html, svg } from "./dom.js";

const CELL = 10;
const TEXTS = 12; // values of a row whose cells have numbers
const DEEP = 0.55; // of a share: from there on, texts are white

class RowHeatmap extends Part {
  build() {
    this.at = null;
    this.table = null;
    this.asked = 0;
    this.heading = html("p", { class: "muted" });
    this.picture = svg("svg", { class: "heat", "aria-hidden": "true" });
    this.holder = html(
      "div",
      {
        class: "heat-holder",
        tabindex: 0,
        role: "group",
        "aria-label": "Table of sub-rows: arrow keys go from cell to cell",
      },
      this.picture,
    );
    this.told = html("div", { class: "cell-facts", role: "status" });
    this.append(this.heading, html("div", { class: "heat-row" }, this.holder, this.told));
    this.holder.addEventListener("keydown", (event) => this.key(event));
    this.holder.addEventListener("pointermove", (event) => this.pointer(event));
    this.holder.addEventListener("pointerdown", (event) => this.pointer(event));
    this.on("position", () => this.load());
    this.on("settings", () => this.load());
    this.load();
  }

  async load() {
    const { session } = this;
    const { view, quiz } = session;
    const small = view.panels.includes("table");
    this.holder.hidden = this.told.hidden = quiz.on || !small;
    this.heading.textContent = quiz.on
      ? "Hidden in the quiz."
      : view.is_over
        ? "Nothing is left."
        : small
          ? ""
          : "Shown for shorter rows.";
    if (this.holder.hidden) {
      this.loaded = null;
      return;
    }
    if (this.loaded === view.position) return;
    this.loaded = view.position;
    const answer = await session.ask("/api/panel", { game: "rows", panel: "table", position: view.position });
    if (!answer || this.loaded !== view.position) return;
    this.table = answer;
    this.heading.textContent = `Each cell: ${answer.meaning}.`;
    this.draw();
    this.point(0, answer.n - 1);
  }

  draw() {
    const { n, table, least, most } = this.table;
    const texts = n <= TEXTS;
    this.picture.setAttribute("viewBox", `-0.5 -0.5 ${n * CELL + 1} ${n * CELL + 1}`);
    const shareOf = (value) => (most > least ? (value - least) / (most - least) : 1);
    const cells = [];
    const numbers = [];
    for (let i = 0; i < n; i += 1) {
      for (let j = i; j < n; j += 1) {
        cells.push(cell(i, j, shareOf(table[i][j])));
        if (texts) numbers.push(number(i, j, table[i][j], shareOf(table[i][j])));
      }
    }
    this.line = svg("polyline", { class: "path" });
    this.mark = svg("rect", { class: "mark", width: CELL, height: CELL });
    this.picture.replaceChildren(...cells, this.line, ...numbers, this.mark);
    this.drawPath(this.table.path);
  }

  drawPath(path) {
    const [right, down] = this.table.n <= TEXTS ? [0.88, 0.12] : [0.5, 0.5]; // beside the numbers, where there are some
    this.line.setAttribute("points", path.map(([i, j]) => `${(j + right) * CELL},${(i + down) * CELL}`).join(" "));
  }

  pointer(event) {
    if (!this.table) return;
    const box = this.picture.getBoundingClientRect();
    const place = (offset, side) => Math.floor((offset / side) * this.table.n);
    const [i, j] = [place(event.clientY - box.top, box.height), place(event.clientX - box.left, box.width)];
    if (i >= 0 && i <= j && j < this.table.n) this.point(i, j);
  }

  key(event) {
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (!step || !this.table) return;
    event.preventDefault();
    event.stopPropagation();
    const [i, j] = [this.at[0] + step[0], this.at[1] + step[1]];
    if (i >= 0 && i <= j && j < this.table.n) this.point(i, j);
  }

  /** Show the sub-row of a cell: its values, totals and best line, drawn through the table. */
  async point(i, j) {
    if (this.at?.[0] === i && this.at[1] === j && this.cellOf === this.table) return;
    this.at = [i, j];
    this.cellOf = this.table;
    this.mark.setAttribute("x", j * CELL);
    this.mark.setAttribute("y", i * CELL);
    this.asked += 1;
    const turn = this.asked;
    const answer = await this.session.ask("/api/panel", {
      game: "rows",
      panel: "cell",
      position: this.loaded,
      options: { i, j },
    });
    if (!answer || turn !== this.asked) return;
    this.drawPath(answer.path);
    this.told.replaceChildren(
      html("h3", null, `Values ${i + 1} to ${j + 1}`),
      html("p", { class: "values" }, answer.labels.join(" ")),
      html(
        "p",
        null,
        `Table: ${answer.table_value}. You get ${answer.mine}, the opponent ${answer.theirs} (${answer.text}).`,
      ),
      html("p", { class: "values" }, `Line: ${answer.line}`),
    );
  }
}

function cell(i, j, share) {
  const found = svg("rect", { x: j * CELL, y: i * CELL, width: CELL, height: CELL });
  found.style.setProperty("--light", `${share > DEEP ? 45 - 30 * share : 93 - 60 * share}%`);
  return found;
}

function number(i, j, value, share) {
  const text = String(value);
  const size = Math.min(4, 9 / (0.62 * text.length));
  const place = {
    x: (j + 0.5) * CELL,
    y: (i + 0.5) * CELL + size * 0.36,
    "font-size": size,
    "text-anchor": "middle",
  };
  return svg("text", { class: share > DEEP ? "deep" : null, ...place }, text);
}

define("gc-row-heatmap", RowHeatmap);
