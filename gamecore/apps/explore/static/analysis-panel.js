/** The search itself: how long it may take, what it has done, and what it says of the whole position. */

import { Part, define, html, labelled } from "./dom.js";
import { bytes, grouped } from "./values.js";

const STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60]; // seconds on the slider
const TABLES = [16, 32, 64, 128, 256, 512, 1024]; //      MB

class AnalysisPanel extends Part {
  build() {
    const { session } = this;
    const { limits } = session.hello;
    this.steps = STEPS.filter((seconds) => seconds <= limits.seconds);
    const start = this.steps.findLastIndex((seconds) => seconds <= session.settings.seconds);
    const attributes = { type: "range", min: 0, max: this.steps.length - 1, step: 1, value: Math.max(0, start) };
    this.slider = html("input", { ...attributes, oninput: () => this.slide(), onchange: () => this.set() });
    this.time = html("output");
    this.again = html("button", { type: "button", onclick: () => this.toggle() });
    this.bar = html("div", { class: "searching" });
    this.facts = html("dl", { class: "facts" });
    const slider = labelled("Time", this.slider);
    slider.append(this.time);
    this.state = html("span", { class: "state" });
    this.effort = html("span", { class: "muted" });
    const details = html(
      "details",
      null,
      html("summary", null, this.state, " ", this.effort),
      this.facts,
      html("div", { class: "row" }, slider, this.tables(limits)),
    );
    this.append(this.bar, html("div", { class: "effort" }, details, this.again));
    this.on("position", () => this.refresh());
    this.on("analysis", () => this.refresh());
    this.slide();
    this.refresh();
  }

  tables(limits) {
    const { session } = this;
    const sizes = TABLES.filter((size) => size <= limits.table_mb);
    const change = (event) => session.setTable(Number(event.target.value) || null);
    const options = sizes.map((size) => html("option", { value: size }, `${size} MB`));
    return labelled("Table", html("select", { onchange: change }, html("option", { value: "" }, "automatic"), options));
  }

  slide() {
    const seconds = this.steps[this.slider.value];
    this.time.textContent = `${seconds} s`;
    this.slider.setAttribute("aria-valuetext", `${seconds} seconds`);
  }

  set() {
    this.session.setSeconds(this.steps[this.slider.value]);
  }

  toggle() {
    const { session } = this;
    if (session.known.running) session.analyst.stop();
    else session.analyse();
  }

  refresh() {
    const { known, view } = this.session;
    const { progress } = known;
    this.again.textContent = known.running ? "Stop" : "Search again";
    this.again.hidden = view.is_over || known.note !== null || (!known.running && known.ended === "exact");
    this.bar.classList.toggle("running", known.running);
    this.hidden = view.is_over;
    this.state.textContent = stateText(known, view);
    this.effort.textContent = progress ? `${progress.seconds.toFixed(2)} s` : "";
    const facts = progress
      ? [["Nodes", grouped(progress.nodes)], ["Rate", `${grouped(progress.nodes_per_second)}/s`]]
      : [];
    if (progress?.table_bytes) facts.push(["Table", bytes(progress.table_bytes)]);
    this.facts.replaceChildren(
      ...facts.map(([name, value]) => html("div", null, html("dt", null, name), html("dd", null, value))),
    );
  }
}

const STATES = { exact: "finished", limit: "time is up", stopped: "stopped", replaced: "stopped" };

function stateText(known, view) {
  if (view.is_over) return "game over";
  if (known.running) return "searching";
  return known.note ?? STATES[known.ended] ?? "not searched";
}

define("gc-analysis", AnalysisPanel);
