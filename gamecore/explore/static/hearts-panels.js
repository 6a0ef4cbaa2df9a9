/** Hearts: points that each card leads to, who may hold the unseen cards, a round in review, which cards to pass. */

import { histogram } from "./chart.js";
import { Part, define, html, scroller, table } from "./dom.js";
import { named } from "./values.js";

/** The base of parts that show what an analysis says, or why there is nothing to show. */
class Known extends Part {
  build() {
    this.on("position", () => this.refresh());
    this.on("analysis", () => this.refresh());
    this.refresh();
  }

  refresh() {
    const why = "Shown when one hand is seen and that seat is to play a card; values are hidden in a quiz.";
    this.replaceChildren(this.content(this.session.known) ?? html("p", { class: "muted" }, why));
  }
}

class HeartsOutlook extends Known {
  content({ moves }) {
    const entries = this.session.quiz.on ? [] : moves.filter((entry) => entry.histogram);
    if (!entries.length) return null;
    const points = entries.flatMap((entry) => entry.histogram.map(([value]) => value));
    const range = [Math.min(0, ...points), Math.max(26, ...points)];
    const figures = entries.map((entry) => this.figure(entry, range));
    return html("div", { class: "outlooks" }, figures);
  }

  figure({ move, text, stderr, histogram: bars, playouts, words }, range) {
    const card = this.session.label(move);
    const value = `${text} ± ${(stderr ?? 0).toFixed(2)}`;
    const caption = html("figcaption", null, html("strong", null, named(this.session, move)), html("span", null, value));
    const label = `${card}: points over ${playouts} playouts, ${words}`;
    return html("figure", { class: "outlook" }, caption, histogram(bars, ...range, label));
  }
}

class HeartsMarginals extends Known {
  content({ marginals }) {
    if (!marginals || marginals === this.shown) return marginals && this.firstChild;
    this.shown = marginals;
    const seats = [0, 1, 2, 3].filter((seat) => seat !== marginals.seat);
    const average = seats.map((seat) => mean(marginals.cards.map((one) => one.seats[seat])));
    const isEven = (one) => seats.every((seat, k) => Math.abs(one.seats[seat] - average[k]) < EVEN);
    const even = marginals.cards.filter(isEven);
    const rows = marginals.cards.filter((one) => !isEven(one)).map((one) => {
      const cells = seats.map((seat) => share(one, seat));
      return html("tr", null, html("th", { scope: "row" }, named(this.session, one.card)), cells);
    });
    const text = `Of ${marginals.worlds} deals that agree with what this seat has seen.`;
    const names = ["Card", ...seats.map((seat) => `Seat ${seat}`)];
    const rest = even.map((one) => html("span", null, named(this.session, one.card), " "));
    return html(
      "div",
      null,
      html("p", { class: "muted" }, text),
      rows.length > 0 && table(names, rows, "marginals"),
      even.length > 0 && html("p", { class: "even" }, "About as likely with each seat: ", rest),
    );
  }
}

const EVEN = 0.08; // less than this from a seat's average

function mean(numbers) {
  return numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
}

function share({ seats, stderr, known }, seat) {
  const text = known === seat ? "certain" : seats[seat] === 0 ? "–" : `${Math.round(100 * seats[seat])} %`;
  const title = known === null ? `± ${(100 * stderr[seat]).toFixed(1)} %` : null;
  const cell = html("td", { title }, html("span", null, text));
  cell.style.setProperty("--share", seats[seat]);
  return cell;
}

/** The base of parts that start a stream by a button and show what comes. */
class Asked extends Part {
  build() {
    this.button = html("button", { type: "button", onclick: () => this.toggle() });
    this.state = html("p", { class: "muted", role: "status" });
    this.results = html("div");
    this.append(html("div", { class: "row" }, this.button, this.state), this.results);
    this.stopper = null;
    this.eyes = this.session.seat;
    this.on("position", () => {
      if (!this.stays || this.eyes !== this.session.seat) this.stopper?.abort();
      if (this.eyes !== this.session.seat) this.forget();
      this.refresh();
    });
    this.refresh();
  }

  /** Remove results that another seat has seen. */
  forget() {
    this.eyes = this.session.seat;
    this.results.replaceChildren();
    this.state.textContent = "";
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.stopper?.abort();
  }

  refresh() {
    this.button.textContent = this.stopper ? "Stop" : this.caption;
    this.button.disabled = !this.stopper && !this.possible;
    this.button.title = this.button.disabled ? this.why : "";
    if (this.button.disabled && !this.results.childElementCount) this.state.textContent = this.why;
    else if (this.state.textContent === this.why) this.state.textContent = "";
  }

  async toggle() {
    if (this.stopper) {
      this.stopper.abort();
      return;
    }
    this.stopper = new AbortController();
    this.state.textContent = "";
    this.begin();
    this.refresh();
    await this.session.other("/api/panel/events", this.body, (name, data) => this.take(name, data), this.stopper.signal);
    this.stopper = null;
    this.refresh();
  }
}

class HeartsReview extends Asked {
  caption = "Review the round";
  why = "There is nothing to review before a card is played.";

  stays = true; // while one looks at its decisions

  get possible() {
    return this.session.view.panels.includes("review");
  }

  get body() {
    return { game: "hearts", panel: "review", position: this.session.view.position, seat: this.session.seat };
  }

  begin() {
    this.decisions = [];
    this.end = this.session.node;
    this.results.replaceChildren();
  }

  take(name, data) {
    if (name === "decision") this.decisions.push(data);
    else if (name === "error") this.state.textContent = data.message;
    else if (name !== "end") return;
    this.decisions.sort((a, b) => b.cost - a.cost || a.number - b.number);
    this.state.textContent =
      name === "end"
        ? `${this.decisions.length} decisions, the costliest first.`
        : `${this.decisions.length} decisions so far.`;
    this.show();
  }

  show() {
    const { session } = this;
    const names = ["Trick", "Seat", "Played", "Best", "Cost", html("span", { class: "unseen" }, "Go there")];
    const rows = this.decisions.slice(0, 20).map((one) => {
      const show = { type: "button", onclick: () => this.go(one), "aria-label": `Show decision ${one.number}` };
      return [
        one.trick,
        one.seat,
        html("span", null, named(session, one.played)),
        html("span", null, named(session, one.best)),
        html("span", { class: one.cost > 0.3 ? "cost high" : "cost", title: one.cost_text }, `${one.cost.toFixed(2)} ± ${one.stderr.toFixed(2)}`),
        html("button", show, "Show"),
      ];
    });
    this.results.replaceChildren(scroller("Decisions", table(names, rows)));
  }

  /** Go to the position before a decision: in the tree if it is there, else as a position of its own. */
  go(decision) {
    const { session } = this;
    const node = session.tree.path(this.end).find((one) => one.view.position === decision.position);
    if (node) session.show(node);
    else session.open({ game: "hearts", position: decision.position, seat: session.seat });
  }
}

class HeartsPassing extends Asked {
  caption = "Which cards to pass";
  why = "There is advice while cards are passed.";

  get possible() {
    return this.session.view.panels.includes("passing");
  }

  get seat() {
    return this.session.seat ?? this.session.view.to_move ?? 0;
  }

  get body() {
    return { game: "hearts", panel: "passing", position: this.session.view.position, seat: this.seat };
  }

  begin() {
    this.results.replaceChildren();
  }

  take(name, data) {
    if (name === "error") this.state.textContent = data.message;
    if (name === "end") this.state.textContent = "Best first.";
    if (name !== "candidates") return;
    const { session } = this;
    const items = data.candidates.slice(0, 8).map((one) => {
      const points = `${one.text} ± ${(one.stderr ?? 0).toFixed(2)} points`;
      const note = one.move === data.greedy && " (greedy's choice)";
      return html("li", null, html("strong", null, named(session, one.move)), html("span", null, points, note));
    });
    this.results.replaceChildren(html("ol", { class: "candidates" }, items));
  }
}

define("gc-hearts-outlook", HeartsOutlook);
define("gc-hearts-marginals", HeartsMarginals);
define("gc-hearts-review", HeartsReview);
define("gc-hearts-passing", HeartsPassing);
