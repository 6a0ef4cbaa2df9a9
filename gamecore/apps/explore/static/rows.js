/** The panels of rows: the table of sub-rows, the three opponents, and the states that each algorithm visits. */

import { Part, define, folded, html, scroller, svg, table } from "./dom.js";
import { grouped } from "./values.js";

// --- the table of sub-rows ---------------------------------------------------------------------------------------------

const CELL = 10;
const TEXTS = 12; // values of a row whose cells have numbers
const DEEP = 0.55; // of a share: from there on, texts are white

/**
 * The table of all sub-rows as a heat map: row i, column j is the game on values i to j. The path is what the best line
 * visits. Pointing at a cell, or going to it by the arrow keys, shows that sub-row.
 */
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
    this.append(this.heading, this.holder, this.told);
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
    const { n, table: cells, least, most } = this.table;
    const texts = n <= TEXTS;
    this.picture.setAttribute("viewBox", `-0.5 -0.5 ${n * CELL + 1} ${n * CELL + 1}`);
    const shareOf = (value) => (most > least ? (value - least) / (most - least) : 1);
    const squares = [];
    const numbers = [];
    for (let i = 0; i < n; i += 1) {
      for (let j = i; j < n; j += 1) {
        squares.push(square(i, j, shareOf(cells[i][j])));
        if (texts) numbers.push(cellText(i, j, cells[i][j], shareOf(cells[i][j])));
      }
    }
    this.line = svg("polyline", { class: "path" });
    this.mark = svg("rect", { class: "mark", width: CELL, height: CELL });
    this.picture.replaceChildren(...squares, this.line, ...numbers, this.mark);
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
        `Table: ${answer.value}. You get ${answer.mine}, the opponent ${answer.theirs} (${answer.text}).`,
      ),
      html("p", { class: "values" }, `Line: ${answer.line}`),
    );
  }
}

function square(i, j, share) {
  const found = svg("rect", { x: j * CELL, y: i * CELL, width: CELL, height: CELL });
  found.style.setProperty("--light", `${share > DEEP ? 45 - 30 * share : 93 - 60 * share}%`);
  return found;
}

function cellText(i, j, value, share) {
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

// --- the three opponents -----------------------------------------------------------------------------------------------

class RowOpponents extends Part {
  build() {
    this.cards = html("div", { class: "opponents" });
    this.append(this.cards);
    this.on("position", () => this.load());
    this.on("settings", () => this.load());
    this.load();
  }

  async load() {
    const { session } = this;
    const { position } = session.view;
    this.hidden = session.quiz.on;
    if (this.loaded === position || this.hidden) return;
    this.loaded = position;
    const answer = await session.ask("/api/panel", { game: "rows", panel: "opponents", position });
    if (answer && this.loaded === position)
      this.cards.replaceChildren(...answer.opponents.map((one) => this.card(one)));
  }

  card(one) {
    const { session } = this;
    const open = () => session.open({ game: "rows", position: one.position });
    return html(
      "section",
      { class: `opponent ${one.current ? "current" : ""}`, "aria-label": `${one.opponent} opponent` },
      html("h3", null, one.opponent),
      html("p", null, html("strong", null, one.words)),
      html("p", null, `You ${one.mine}, opponent ${one.theirs}`),
      html("p", { class: "values" }, one.line || "nothing left"),
      one.current
        ? html("p", { class: "muted" }, "shown here")
        : html(
            "button",
            { type: "button", onclick: open, "aria-label": `Play against the ${one.opponent} opponent` },
            "Play against this one",
          ),
    );
  }
}

const WAYS = ["naive", "memoised", "table", "native"];

class RowCounts extends Part {
  build() {
    this.on("position", () => this.load());
    this.load();
  }

  /** Counts depend on the opponent and the longest row alone: they are asked for once a row, not once a move. */
  async load() {
    const { session } = this;
    const { position } = session.tree.root.view;
    if (this.loaded === position) return;
    this.loaded = position;
    const answer = await session.ask("/api/panel", { game: "rows", panel: "counts", position });
    if (!answer || this.loaded !== position || !answer.n.length) return;
    const lines = WAYS.map((name) => ({
      name,
      points: answer.n.map((n, k) => [n, answer[name][k]]).filter(([, y]) => y > 0),
    }));
    const picture = chart({
      title: "States visited by length of the row",
      x: "values in the row",
      y: "states",
      lines,
    });
    const notes = WAYS.map((name) => html("div", null, html("dt", null, name), html("dd", null, answer.explain[name])));
    this.replaceChildren(picture, html("dl", { class: "notes" }, notes), countTable(answer));
  }
}

function countTable(answer) {
  const rows = answer.n.map((n, k) => [n, ...WAYS.map((name) => countText(answer[name][k]))]);
  return folded("The numbers", scroller("Numbers of states", table(["n", ...WAYS], rows)));
}

function countText(value) {
  return value === null ? "more than 2^53" : grouped(value);
}

// --- a chart -----------------------------------------------------------------------------------------------------------

const WIDTH = 420;
const HEIGHT = 230;
const LEFT = 46;
const RIGHT = 84;
const TOP = 12;
const BOTTOM = 36;

/** A line chart, y logarithmic: `lines` is `[{name, points: [[x, y], ..]}]` with y above 0. */
function chart({ title, x, y, lines }) {
  const points = lines.flatMap((line) => line.points);
  const [least, most] = [Math.min(...points.map(([px]) => px)), Math.max(...points.map(([px]) => px))];
  const decades = Math.max(1, Math.ceil(Math.log10(Math.max(...points.map(([, py]) => py)))));
  const across = (px) => LEFT + ((px - least) / Math.max(1, most - least)) * (WIDTH - LEFT - RIGHT);
  const down = (py) => TOP + (1 - Math.log10(py) / decades) * (HEIGHT - TOP - BOTTOM);
  const shown = lines.filter((line) => line.points.length);
  return html(
    "figure",
    { class: "chart" },
    svg(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": title },
      grid(decades, down),
      [least, most].map((px) =>
        svg("text", { class: "tick", x: across(px), y: HEIGHT - BOTTOM + 15, "text-anchor": "middle" }, px),
      ),
      svg("text", { class: "tick", x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 6, "text-anchor": "middle" }, x),
      shown.map((line) => curve(line, lines.indexOf(line), across, down)),
      lineNames(shown, lines, across, down),
    ),
    html("figcaption", null, `${title} (${y}, logarithmic)`),
  );
}

function grid(decades, down) {
  const step = Math.ceil(decades / 5);
  const marks = [];
  for (let power = 0; power <= decades; power += step) {
    const y = down(10 ** power);
    marks.push(svg("path", { class: "grid", d: `M${LEFT} ${y}H${WIDTH - RIGHT}` }));
    const text = power < 4 ? String(10 ** power) : `1e${power}`;
    marks.push(svg("text", { class: "tick", x: LEFT - 6, y: y + 4, "text-anchor": "end" }, text));
  }
  return marks;
}

function curve(line, number, across, down) {
  const points = line.points.map(([px, py]) => `${across(px)},${down(py)}`).join(" ");
  return svg("polyline", { class: `curve curve-${number}`, points });
}

/** Each line's name beside its end, moved apart where ends are close. */
function lineNames(shown, lines, across, down) {
  const ends = shown.map((line) => ({ line, x: across(line.points.at(-1)[0]), y: down(line.points.at(-1)[1]) }));
  ends.sort((a, b) => a.y - b.y);
  for (let k = 1; k < ends.length; k += 1) ends[k].y = Math.max(ends[k].y, ends[k - 1].y + 15);
  const over = ends.length ? Math.max(0, ends.at(-1).y - (HEIGHT - BOTTOM + 4)) : 0;
  return ends.map(({ line, x, y }) =>
    svg("text", { class: `name curve-${lines.indexOf(line)}`, x: x + 6, y: y + 4 - over }, line.name),
  );
}

define("gc-row-heatmap", RowHeatmap);
define("gc-row-opponents", RowOpponents);
define("gc-row-counts", RowCounts);
