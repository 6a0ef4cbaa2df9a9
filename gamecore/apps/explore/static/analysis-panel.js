/** The search itself: whether it goes on, how long it may take, and what it has done. */

import { Part, button, facts, html, labelled } from "./dom.js";

const STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60]; // seconds on the slider
const STATES = { exact: "Search", limit: "time is up", stopped: "stopped", replaced: "stopped" };

/** A field's value as one line: three digits of a fraction, the items of a list, a dash for nothing. */
function fieldText(value) {
  if (Number.isFinite(value)) return String(Number.isInteger(value) ? value : Number(value.toPrecision(3)));
  if (Array.isArray(value)) return value.map(fieldText).join(" ") || "–";
  return value === null ? "–" : typeof value === "object" ? JSON.stringify(value) : String(value);
}

class AnalysisPanel extends Part {
  build() {
    const { session } = this;
    this.steps = STEPS.filter((seconds) => seconds <= session.hello.limits.seconds);
    const value = this.steps.findLastIndex((seconds) => seconds <= session.settings.seconds);
    const range = { type: "range", min: 0, max: this.steps.length - 1, step: 1, value };
    this.slider = html("input", { ...range, oninput: () => this.slide(), onchange: () => session.setSeconds(this.seconds) });
    this.time = html("output");
    this.again = button("", () => (session.known.running ? session.analyst.stop() : session.analyse(true)));
    this.state = html("summary", { class: "state muted" });
    this.facts = html("dl", { class: "facts" });
    this.fields = html("dl", { class: "fields" });
    const summary = html("summary", { class: "muted" }, "Every field");
    this.solution = html("details", { ontoggle: () => this.load() }, summary, this.fields);
    const details = html("details", null, this.state, this.facts, labelled("Time", this.slider), this.time, this.solution);
    this.append(html("div", { class: "effort" }, details, this.again));
    this.slide();
    this.follow("position analysis settings", () => this.refresh());
  }

  get seconds() {
    return this.steps[this.slider.value];
  }

  slide() {
    this.time.textContent = `${this.seconds} s`;
    this.slider.setAttribute("aria-valuetext", `${this.seconds} seconds`);
  }

  refresh() {
    const { known, view } = this.session;
    const { progress, running, note, ended } = known;
    this.hidden = view.is_over;
    this.dataset.state = running ? "searching" : note ? "note" : (ended ?? "none");
    this.state.textContent = running ? "searching" : (note ?? STATES[ended] ?? "not searched");
    this.again.textContent = running ? "Stop" : "Search again";
    this.again.hidden = note !== null || (!running && ended === "exact");
    const grouped = (number) => Math.round(number).toLocaleString("en"); // 1,234,567
    const effort = progress ? [["Nodes", grouped(progress.nodes)], ["Seconds", progress.seconds.toFixed(2)]] : [];
    if (progress) effort.push(["Rate", `${grouped(progress.nodes_per_second)}/s`]);
    if (progress?.table_bytes) effort.push(["Table", `${(progress.table_bytes / 2 ** 20).toFixed(1)} MiB`]);
    this.facts.replaceChildren(...facts(effort));
    this.load();
  }

  /** Every field of the position's solution, once the search has ended and if somebody looks. */
  async load() {
    const { known, quiz, view } = this.session;
    const { game, position } = view;
    const asked = this.solution.open && known.ended && known.note === null && !view.is_over && !quiz.hides ? position : null;
    if (this.asked === asked) return;
    this.asked = asked;
    this.asking?.abort();
    this.asking = new AbortController();
    const body = { game, position, seconds: this.seconds };
    const answer = asked && (await this.session.ask("/api/solution", body, this.asking.signal));
    if (this.asked !== asked) return;
    const fields = Object.entries(answer?.fields ?? {}).map(([name, value]) => [name.replaceAll("_", " "), fieldText(value)]);
    this.fields.replaceChildren(...facts(fields));
  }
}

customElements.define("gc-analysis", AnalysisPanel);
