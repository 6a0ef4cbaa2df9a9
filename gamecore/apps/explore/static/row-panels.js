/** Rows: the three opponents side by side, and how many states each way of computing visits as rows grow. */

import { chart } from "./chart.js";
import { Part, define, folded, html, scroller, table } from "./dom.js";
import { grouped } from "./values.js";

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
  const rows = answer.n.map((n, k) => [n, ...WAYS.map((name) => number(answer[name][k]))]);
  return folded("The numbers", scroller("Numbers of states", table(["n", ...WAYS], rows)));
}

function number(value) {
  return value === null ? "more than 2^53" : grouped(value);
}

define("gc-row-opponents", RowOpponents);
define("gc-row-counts", RowCounts);
