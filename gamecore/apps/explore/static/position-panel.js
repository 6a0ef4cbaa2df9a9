/** Other positions: a random one by its seed, and any text that the library reads. */

import { readAddress } from "./address.js";
import { Part, choice, define, html, labelled } from "./dom.js";

class PositionPanel extends Part {
  build() {
    this.options = html("div", { class: "row" });
    this.seed = html("input", { type: "number", min: 0, step: 1, placeholder: "any", class: "seed" });
    const make = html("button", { type: "button", class: "random", onclick: () => this.random() }, "Random position");
    this.text = html("textarea", { rows: 3, spellcheck: false, class: "paste" });
    this.text.addEventListener(
      "keydown",
      (event) => event.key === "Enter" && (event.ctrlKey || event.metaKey) && this.read(),
    );
    const read = html("button", { type: "button", class: "read", onclick: () => this.read() }, "Read this");
    this.error = html("p", { class: "error", role: "alert", hidden: true });
    this.found = html("div", { class: "row" });
    this.accepted = html("ul", { class: "muted accepts" });
    this.append(
      html("h3", null, "At random"),
      html("div", { class: "row" }, this.options, labelled("Seed", this.seed), make),
      html("h3", null, "From text"),
      labelled("Paste a position, a deal or a link", this.text),
      this.error,
      html("div", { class: "row" }, read, this.found),
      this.accepted,
    );
    this.on("position", () => this.rebuild());
    this.rebuild();
  }

  rebuild() {
    const { session } = this;
    if (this.shown === session.game) return;
    this.shown = session.game;
    this.inputs = session.rules.random.map((option) => [option, this.input(option)]);
    this.options.replaceChildren(...this.inputs.map(([option, input]) => labelled(option.title, input)));
    this.accepted.replaceChildren(...session.rules.accepts.map((text) => html("li", null, text)));
  }

  input(option) {
    if (option.type === "choice")
      return choice(option.choices.map((one) => [one, one]), option.default);
    const { least, most } = option;
    return html("input", { type: "number", min: least, max: most, step: 1, value: option.default });
  }

  async random() {
    const { session } = this;
    const options = {};
    for (const [option, input] of this.inputs) {
      options[option.name] = option.type === "choice" ? input.value : Number(input.value);
    }
    const seed = this.seed.value === "" ? null : Number(this.seed.value);
    const answer = await session.ask("/api/random", { game: session.game, seed, options });
    if (!answer) return;
    this.seed.placeholder = String(answer.seed ?? "any"); // a seed would tell the hands that one seat does not see
    session.start(answer.view);
    session.say(`A random position${answer.seed === null ? "" : `, seed ${answer.seed}`}.`);
  }

  /** Read the text: a link of this page, or anything that the library reads. What cannot be read changes nothing. */
  async read() {
    const { session } = this;
    const text = this.text.value;
    this.error.hidden = true;
    this.found.replaceChildren();
    const link = /#|^game=/.test(text.trim()) ? readAddress(text.trim()) : null;
    if (link?.game && link.position) {
      await session.open(link);
      return;
    }
    try {
      this.take(await session.transport.call("/api/parse", { game: null, text }));
    } catch (error) {
      this.refuse(error);
    }
  }

  take(answer) {
    const { session } = this;
    const open = (position) => session.open({ game: answer.game, position });
    if (answer.positions.length > 1) {
      const pairs = answer.positions.map((position, k) => [position, `${k + 1}: ${position.slice(0, 40)}`]);
      this.found.replaceChildren(
        labelled(`${pairs.length} positions`, choice(pairs, pairs[0][0], (event) => open(event.target.value))),
      );
    }
    open(answer.positions[0]);
  }

  refuse(error) {
    const place = error.column ? ` (line ${error.line ?? 1}, column ${error.column})` : "";
    this.error.textContent = error.message.includes(`column ${error.column}`) ? error.message : error.message + place;
    this.error.hidden = false;
    this.text.setAttribute("aria-invalid", "true");
    if (!error.column) return;
    const before = this.text.value
      .split("\n")
      .slice(0, (error.line ?? 1) - 1)
      .join("\n");
    const start = before.length + (before ? 1 : 0) + error.column - 1;
    this.text.focus();
    this.text.setSelectionRange(start, start + 1);
  }
}

define("gc-position", PositionPanel);
