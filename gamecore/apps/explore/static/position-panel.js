/** Other positions: a random one by its seed, and any text that the library reads. */

import { readAddress } from "./address.js";
import { Part, button, choice, html, labelled, optionInput, optionValues } from "./dom.js";

class PositionPanel extends Part {
  build() {
    this.options = html("div", { class: "row" });
    this.seed = html("input", { type: "number", min: 0, step: 1, placeholder: "any", class: "seed" });
    const make = button("Random position", () => this.random());
    this.text = html("textarea", { rows: 3, spellcheck: false });
    const read = button("Read this", () => this.read());
    this.error = html("p", { class: "error", role: "alert", hidden: true });
    this.found = html("div", { class: "row" });
    this.accepted = html("ul", { class: "muted" });
    this.append(
      html("h3", null, "At random"),
      html("div", { class: "row" }, this.options, labelled("Seed", this.seed), make),
      html("h3", null, "From text"),
      labelled("Paste a position, a deal or a link", this.text),
      this.error,
      html("div", { class: "row" }, read, this.found),
      this.accepted,
    );
    this.follow("position", () => this.rebuild());
  }

  rebuild() {
    const { session } = this;
    if (this.shown === session.game) return;
    this.shown = session.game;
    this.inputs = session.rules.random.map((option) => [option, optionInput(option)]);
    this.options.replaceChildren(...this.inputs.map(([option, input]) => labelled(option.title, input)));
    this.accepted.replaceChildren(...session.rules.accepts.map((text) => html("li", null, text)));
  }

  async random() {
    const { session } = this;
    const seed = this.seed.value === "" ? null : Number(this.seed.value);
    const answer = await session.askAnew("/api/random", { game: session.game, seed, options: optionValues(this.inputs) });
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
    const ask = (game) => session.transport.call("/api/parse", { game, text });
    const answer = ask(null).catch(() => ask(session.game)); // of what no game reads, this game says what is wrong
    answer.then((found) => this.take(found), (error) => this.refuse(error));
  }

  take(answer) {
    const open = (position) => this.session.open({ game: answer.game, position });
    if (answer.positions.length > 1) {
      const pairs = answer.positions.map((position, k) => [position, `${k + 1}: ${position.slice(0, 40)}`]);
      this.found.replaceChildren(
        labelled(`${pairs.length} positions`, choice(pairs, pairs[0][0], (event) => open(event.target.value))),
      );
    }
    open(answer.positions[0]);
  }

  refuse(error) {
    this.error.textContent = error.message;
    this.error.hidden = false;
    this.text.setAttribute("aria-invalid", "true");
    if (!error.column) return;
    const before = this.text.value.split("\n").slice(0, (error.line ?? 1) - 1);
    const start = before.reduce((sum, line) => sum + line.length + 1, error.column - 1);
    this.text.focus();
    this.text.setSelectionRange(start, start + 1);
  }
}

customElements.define("gc-position", PositionPanel);
