/**
 * Hexapawn: the board as a grid of squares, an arrow for every move with its distance. A press on a pawn and then on a
 * square moves; so does dragging, and a press on an arrow's value. On the keyboard the arrow keys go from square to
 * square, Enter chooses, Escape gives up a choice.
 */

import { Part, define, html, svg } from "./dom.js";
import { shortText, tone } from "./values.js";

const PAWN = "M50 20a13 13 0 0 1 9 22h7v7h-8c1 12 6 19 12 25v6H30v-6c6-6 11-13 12-25h-8v-7h7a13 13 0 0 1 9-22z";
const UNIT = 100; // a square's side in the picture of the arrows

/** A pawn of 100 by 100. */
export function pawn(color) {
  return svg(
    "svg",
    { class: `pawn ${color}`, viewBox: "0 0 100 100", "aria-hidden": "true" },
    svg("path", { d: PAWN }),
  );
}

class PawnBoard extends Part {
  build() {
    this.grid = html("div", { role: "grid", class: "squares", "aria-label": "Board" });
    this.arrows = svg("svg", { class: "arrows", "aria-hidden": "true" });
    this.frame = html("div", { class: "pawns" }, this.grid, this.arrows);
    this.append(html("div", { class: "scroller" }, this.frame));
    this.grid.addEventListener("keydown", (event) => this.key(event));
    this.grid.addEventListener("pointerdown", (event) => this.press(event));
    this.addEventListener("pointerup", (event) => this.release(event));
    this.on("position", () => this.rebuild());
    this.on("analysis", () => this.draw());
    this.on("point", () => this.draw());
    this.sizes = new ResizeObserver(() => this.draw());
    this.sizes.observe(this.frame);
    this.rebuild();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.sizes.disconnect();
  }

  rebuild() {
    const { view } = this.session;
    const { state } = view;
    const focused = this.grid.contains(document.activeElement);
    this.chosen = this.drawn = null;
    this.frame.style.setProperty("--columns", state.columns);
    this.frame.style.setProperty("--rows", state.rows);
    this.squares = new Map();
    const rows = state.board.map((pawns, k) => this.row(state, pawns, state.rows - 1 - k));
    const files = state.files.map((file) => html("span", { class: "file" }, file));
    this.grid.replaceChildren(...rows, html("div", { class: "files", "aria-hidden": "true" }, html("span"), files));
    const start =
      this.squares.get(this.cursor) ?? this.squares.get(view.moves[0]?.from.square) ?? [...this.squares.values()][0];
    this.moveCursor(start, focused);
    this.arrows.setAttribute("viewBox", `0 0 ${state.columns * UNIT} ${state.rows * UNIT}`);
    this.mark();
    this.draw();
  }

  row(state, pawns, row) {
    const cells = [...pawns].map((pawn, column) => this.square(state, pawn, column, row));
    return html(
      "div",
      { role: "row", class: "rank-row" },
      html("span", { class: "rank", "aria-hidden": "true" }, row + 1),
      cells,
    );
  }

  square(state, letter, column, row) {
    const square = `${state.files[column]}${row + 1}`;
    const color = { P: "white", p: "black" }[letter];
    const shade = (column + row) % 2 ? "light" : "dark";
    const attributes = { role: "gridcell", class: `square ${shade}`, tabindex: -1, "data-square": square };
    attributes["aria-label"] = `${square} ${color ? `${color} pawn` : "empty"}`;
    const element = html("div", attributes, color && pawn(color));
    Object.assign(element, { column, row });
    this.squares.set(square, element);
    return element;
  }

  // --- choosing a move -----------------------------------------------------------------------------------------------

  /** The moves from the chosen pawn, or all of them. */
  get open() {
    const { moves } = this.session.view;
    return this.chosen ? moves.filter((one) => one.from.square === this.chosen) : moves;
  }

  /** A square was chosen: play what ends there, or choose the pawn that stands there. */
  choose(square) {
    const ending = this.open.filter((one) => one.to.square === square);
    const starting = this.session.view.moves.filter((one) => one.from.square === square);
    if (ending.length === 1) {
      this.session.play(ending[0].move);
      return;
    }
    this.chosen = starting.length && this.chosen !== square ? square : null;
    this.session.point(this.chosen && starting.length === 1 ? starting[0].move : null);
    this.mark();
    this.draw();
  }

  /** Show which pawns can move, and where the chosen one can go. */
  mark() {
    const { moves } = this.session.view;
    const from = new Set(moves.map((one) => one.from.square));
    const to = new Set(this.chosen ? this.open.map((one) => one.to.square) : []);
    for (const [name, element] of this.squares) {
      element.classList.toggle("movable", from.has(name));
      element.classList.toggle("goal", to.has(name));
      element.setAttribute("aria-selected", String(name === this.chosen));
    }
  }

  press(event) {
    this.pressed = event.target.closest("[data-square]")?.dataset.square ?? null;
    this.draggedFrom = this.chosen;
    event.target.releasePointerCapture?.(event.pointerId);
  }

  /** The end of a press: on the same square it chooses, on another it is the end of dragging. */
  release(event) {
    const square = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-square]");
    if (!this.pressed || !square || !this.contains(square)) return;
    this.moveCursor(square, true);
    if (square.dataset.square !== this.pressed) {
      this.chosen = this.pressed;
    }
    this.pressed = null;
    this.choose(square.dataset.square);
  }

  key(event) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    const here = this.squares.get(this.cursor);
    if (step) {
      const { state } = this.session.view;
      const next = this.squares.get(`${state.files[here.column + step[0]]}${here.row + step[1] + 1}`);
      if (next) this.moveCursor(next, true);
    } else if (event.key === "Enter" || event.key === " ") this.choose(this.cursor);
    else if (event.key === "Escape") {
      this.chosen = null;
      this.mark();
      this.draw();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  moveCursor(element, focus) {
    const before = this.squares.get(this.cursor);
    if (before) before.tabIndex = -1;
    this.cursor = element.dataset.square;
    element.tabIndex = 0;
    if (focus) element.focus({ preventScroll: true });
  }

  // --- arrows --------------------------------------------------------------------------------------------------------

  draw() {
    const { session } = this;
    const { view, known, quiz } = session;
    const scale = this.frame.clientWidth / view.state.columns || 60; // pixels a square
    const size = Math.min(26, Math.max(16, (12 / scale) * UNIT));
    const entries = view.moves.map((one) => ({
      move: one,
      entry: quiz.on ? undefined : known.byMove.get(one.move),
    }));
    const drawn = quiz.on ? entries.filter(({ move }) => move.from.square === this.chosen) : entries;
    const looks = drawn.map(({ move, entry }) => [
      move.move,
      this.look(move, entry),
      entry && shortText(entry),
      entry?.verdict,
    ]);
    const picture = JSON.stringify([view.position, size, looks]);
    if (picture === this.drawn) return; // what is pressed must not be replaced while a search goes on
    this.drawn = picture;
    const place = ({ column, row }) => [(column + 0.5) * UNIT, (view.state.rows - row - 0.5) * UNIT];
    const shafts = drawn.map(({ move, entry }) => arrow(place(move.from), place(move.to), this.look(move, entry)));
    const labels = drawn.filter(({ entry }) => entry).map(({ move, entry }) => this.label(move, entry, place, size));
    this.arrows.replaceChildren(...shafts, ...labels);
  }

  look(move, entry) {
    const { pointed } = this.session;
    const faint = this.chosen && this.chosen !== move.from.square ? "faint" : "";
    return `arrow ${entry ? tone(entry) : "open"} ${faint} ${pointed === move.move ? "pointed" : ""}`;
  }

  /**
   * The value of a move, on its arrow. Arrows to the left carry it nearer to their beginning than all others do: so two
   * values are at least a third of a square apart in height or most of one in width, whatever crosses.
   */
  label(move, entry, place, size) {
    const { session } = this;
    const leftward = move.to.column < move.from.column;
    const [[x1, y1], [x2, y2]] = [place(move.from), place(move.to)];
    const along = leftward ? 0.38 : 0.73;
    const [x, y] = [x1 + along * (x2 - x1), y1 + along * (y2 - y1)];
    const text = shortText(entry);
    const width = size * (0.62 * text.length + 0.5);
    const height = size * 1.25;
    const listeners = { onclick: () => session.play(move.move), onpointerenter: () => session.point(move.move) };
    const box = { x: x - width / 2, y: y - height / 2, width, height, rx: height / 3 };
    return svg(
      "g",
      {
        class: `label ${tone(entry)}${entry.verdict === "best" ? " best" : ""}`,
        "data-move": move.move,
        ...listeners,
      },
      svg("rect", box),
      svg("text", { x, y: y + size * 0.36, "font-size": size, "text-anchor": "middle" }, text),
    );
  }
}

function arrow([x1, y1], [x2, y2], look) {
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const [sx, sy] = [x1 + 24 * ux, y1 + 24 * uy];
  const [hx, hy] = [x2 - 16 * ux, y2 - 16 * uy];
  const head = `M${x2} ${y2}L${hx - 10 * uy} ${hy + 10 * ux}L${hx + 10 * uy} ${hy - 10 * ux}z`;
  return svg(
    "g",
    { class: look },
    svg("path", { class: "shaft", d: `M${sx} ${sy}L${hx} ${hy}` }),
    svg("path", { class: "head", d: head }),
  );
}

define("gc-hexapawn", PawnBoard);
