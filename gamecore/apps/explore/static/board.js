/**
 * The board: the game's own picture. Its parts carry in `data-move` the moves that begin or end there. A part with one
 * move makes it; else further parts choose among the moves that all of them share. Dragging chooses both ends. The
 * values of moves are written into the groups with `data-value`, which stay in place while a search goes on.
 */

import { Part, button, html } from "./dom.js";
import { likelihood, shortText, tone } from "./values.js";

const WIDE = 720; //   pixels that a picture is laid out for,
const NARROW = 320; // and for less than
const BETWEEN = 520;
const MOST_HIGH = 640;
const SCALES = [0.56, 1.45]; // least and most; what is then too wide scrolls
const FAR = 30; // pixels: a card dragged so far is played
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const partOf = (element) => element?.closest?.("[data-move]") ?? null;

class Board extends Part {
  build() {
    Object.assign(this, { wanted: null, parts: new Map(), values: [], chosen: new Set(), pressed: null });
    this.frame = html("div", { class: "scroller" });
    this.confirm = button("", () => this.makeChosen(), { class: "go", hidden: true });
    this.append(this.frame, this.confirm);
    this.frame.addEventListener("click", ({ target }) => this.press(target));
    this.frame.addEventListener("keydown", (event) => this.key(event));
    this.frame.addEventListener("pointerdown", (event) => (this.pressed = event));
    this.frame.addEventListener("pointerup", (event) => this.drop(event));
    this.frame.addEventListener("pointerover", ({ target }) => this.point(target));
    this.frame.addEventListener("focusin", ({ target }) => target.matches(":focus-visible") && this.point(target));
    this.follow("analysis point", () => this.paint());
    const sizes = new ResizeObserver(() => this.load());
    sizes.observe(this);
    this.leaving.signal.addEventListener("abort", () => sizes.disconnect());
    this.follow("position", () => this.load());
  }

  /** Ask for the picture of the position, laid out for a wide or a narrow column. */
  async load() {
    const { session } = this;
    const { game, position } = session.view;
    const width = this.clientWidth < BETWEEN ? NARROW : WIDE;
    const wanted = `${game} ${position} ${session.seat} ${width}`;
    if (wanted === this.wanted) return;
    this.wanted = wanted;
    this.ariaBusy = "true";
    const answer = await session.ask("/api/picture", { game, position, width });
    if (answer && wanted === this.wanted) this.show(answer.svg);
  }

  show(svg) {
    const focused = this.frame.querySelector(":focus-visible") !== null;
    const picture = pictureOf(svg);
    const { width, height } = picture.viewBox.baseVal;
    for (const side of ["width", "height"]) picture.removeAttribute(side);
    name(picture, "group");
    this.parts = new Map();
    this.values = [...picture.querySelectorAll("[data-value]")];
    picture.append(...picture.querySelectorAll("[data-move] [data-value]")); // a lifted card covers none
    for (const part of picture.querySelectorAll("[data-move]")) {
      this.parts.set(part, { moves: part.dataset.move.split(" "), label: name(part, "button") });
      part.setAttribute("tabindex", 0);
    }
    this.frame.replaceChildren(picture);
    for (const place of (this.session.node.move ?? "").split(/-|(?<=\d)x/)) {
      picture.querySelector(`[data-place="${CSS.escape(place)}"]`)?.classList.add("last");
    }
    const [least, most] = SCALES;
    picture.style.minWidth = `${least * width}px`;
    picture.style.maxWidth = `${Math.min(most * width, Math.max(width, (MOST_HIGH * width) / height))}px`;
    this.choose([]);
    this.paint();
    this.ariaBusy = "false";
    if (focused) this.focusMove();
  }

  // --- choosing a move -----------------------------------------------------------------------------------------------

  /** The moves that all of these parts share. */
  shared(parts) {
    const lists = [...parts].map((part) => this.parts.get(part).moves);
    return lists.length ? lists.reduce((left, moves) => left.filter((move) => moves.includes(move))) : [];
  }

  press(target) {
    const part = partOf(target);
    const value = target.closest("[data-value]");
    if (part) this.add(part);
    else if (value) this.session.play(value.dataset.value);
  }

  /** Choose one part more, or no longer; two parts, or one, that share a single move make it. */
  add(part) {
    const { chosen } = this;
    if (chosen.has(part)) this.choose([...chosen].filter((one) => one !== part));
    else if (this.confirm.hidden) this.choose(this.shared([...chosen, part]).length ? [...chosen, part] : [part]);
    if (chosen.size < 3 && this.shared(chosen).length === 1) this.makeChosen();
  }

  makeChosen() {
    const [move] = this.shared(this.chosen);
    this.choose([]);
    this.session.play(move);
  }

  choose(parts) {
    this.chosen.clear();
    for (const part of parts) this.chosen.add(part);
    for (const [part, { moves }] of this.parts) {
      const isChosen = this.chosen.has(part);
      const isGoal = parts.length === 1 && !isChosen && this.shared([parts[0], part]).length === 1;
      part.classList.toggle("chosen", isChosen);
      part.classList.toggle("goal", isGoal);
      if (moves.length > 1) part.setAttribute("aria-pressed", String(isChosen));
    }
    const moves = this.shared(parts);
    this.confirm.hidden = parts.length < 3 || moves.length !== 1;
    if (!this.confirm.hidden) {
      this.confirm.textContent = this.session.view.moves.find(({ move }) => move === moves[0]).text;
    }
  }

  /** The end of dragging: on another part, or, with a part of one move, far from where it began. */
  drop({ target, clientX, clientY }) {
    const [from, to] = [partOf(this.pressed?.target), partOf(target)];
    if (!from || from === to || !this.parts.has(from)) return;
    const far = Math.hypot(clientX - this.pressed.clientX, clientY - this.pressed.clientY) > FAR;
    if (to && this.shared([from, to]).length === 1) this.choose([from, to]);
    else if (far && !to && this.parts.get(from).moves.length === 1) this.choose([from]);
    else return;
    this.makeChosen();
  }

  key(event) {
    const part = partOf(event.target);
    if (!part || this.ariaBusy === "true") return; // the picture is that of the position before
    if (event.key in STEPS) this.beside(part, STEPS[event.key])?.focus();
    else if (event.key === "Enter" || event.key === " ") this.add(part);
    else if (event.key === "Escape") this.choose([]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** The nearest part in a direction. */
  beside(part, [right, down]) {
    const middle = (one) => {
      const box = one.getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];
    };
    const [x, y] = middle(part);
    const distances = [...this.parts.keys()].map((one) => {
      const [dx, dy] = [middle(one)[0] - x, middle(one)[1] - y];
      const ahead = dx * right + dy * down;
      return [ahead > 1 ? ahead + 2 * Math.abs(dx * down + dy * right) : Infinity, one];
    });
    const [distance, nearest] = distances.reduce((one, other) => (other[0] < one[0] ? other : one));
    return distance < Infinity ? nearest : null;
  }

  // --- values --------------------------------------------------------------------------------------------------------

  point(target) {
    const [move, ...others] = partOf(target)?.dataset.move.split(" ") ?? [];
    const value = target.closest("[data-value]")?.dataset.value;
    if (value || (move && !others.length)) this.session.point(value ?? move);
  }

  /** Write the values known onto the picture, and what they say into the names of its parts. */
  paint() {
    const { visible, pointed } = this.session;
    for (const group of this.values) {
      const move = group.dataset.value;
      const entry = visible.byMove.get(move);
      if (!entry) {
        group.setAttribute("display", "none");
        continue;
      }
      group.removeAttribute("display");
      const best = entry.verdict === "best" ? "best" : "";
      const likely = likelihood(visible, entry);
      const kind = likely?.sign ? "likely" : tone(entry);
      group.setAttribute("class", `${kind} ${best} ${move === pointed ? "pointed" : ""}`);
      writeValue(group, likely?.sign ? `~${likely.sign}` : shortText(entry));
    }
    for (const [part, { moves, label }] of this.parts) {
      const entry = moves.length === 1 ? visible.byMove.get(moves[0]) : undefined;
      part.setAttribute("aria-label", entry ? `${label}: ${entry.words}` : label);
    }
  }
}

/** An SVG as an element. */
export function pictureOf(svg) {
  const markup = svg.replace(/ style="[^"]*"/, ""); // the page's policy takes none
  return new DOMParser().parseFromString(markup, "image/svg+xml").documentElement;
}

/** Move the title of an element, a tooltip, into its name, to which a button adds the text seen on it; gives it. */
function name(element, role) {
  const title = element.querySelector(":scope > title");
  title.remove();
  const seen = role === "button" ? element.textContent.trim() : "";
  const label = title.textContent.includes(seen) ? title.textContent : `${title.textContent} (${seen})`;
  element.setAttribute("role", role);
  element.setAttribute("aria-label", label);
  return label;
}

/** Write a text on a pill and make that as wide as the text. */
function writeValue(group, words) {
  const [pill, text] = [group.querySelector("rect"), group.querySelector("text")];
  if (!text || text.textContent === words) return;
  const width = 7.2 * words.length + 9;
  text.textContent = words;
  pill.setAttribute("width", width);
  pill.setAttribute("x", text.getAttribute("x") - width / 2);
}

customElements.define("gc-board", Board);
