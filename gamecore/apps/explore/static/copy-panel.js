/** Copies of the position: as a link, as text, as a picture, as Python that gives the same answer. */

import { writeAddress } from "./address.js";
import { Part, define, html } from "./dom.js";

const KINDS = [
  ["notation", "Notation"],
  ["text", "Text"],
  ["judge", "Judge's text"],
  ["python", "Python"],
  ["command", "Command"],
  ["svg", "SVG"],
];

const LINK =
  "The link holds the game, the position and the moves. It opens on this machine while the server runs; for other people, " +
  "copy the notation or the text. The link of a round seen by one seat holds an id, which only this run of the server " +
  "knows.";

class CopyPanel extends Part {
  build() {
    this.values = html("input", { type: "checkbox", checked: true });
    const check = html("label", { class: "brush" }, this.values, " with values");
    const link = this.session.linkBase !== undefined && this.button("link", "Link", () => this.link());
    const texts = KINDS.map(([name, title]) => this.button(name, title, () => this.copy(name)));
    const picture = this.button("png", "PNG", () => this.png());
    this.state = html("p", { class: "muted", role: "status" });
    this.preview = html("textarea", {
      class: "preview",
      rows: 5,
      readonly: true,
      hidden: true,
      "aria-label": "what was copied",
    });
    this.save = html("a", { class: "save", hidden: true });
    this.append(html("div", { class: "row" }, link, texts, picture, check), this.state, this.preview, this.save);
    if (link) this.append(html("p", { class: "muted" }, LINK));
    this.on("position", () => this.clear());
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.clear();
  }

  button(name, title, onclick) {
    return html("button", { type: "button", "data-copy": name, onclick }, title);
  }

  clear() {
    this.preview.hidden = this.save.hidden = true;
    this.preview.value = "";
    this.state.textContent = "";
    if (this.save.href) URL.revokeObjectURL(this.save.href);
  }

  ask() {
    const { session } = this;
    const { game, position } = session.view;
    return session.ask("/api/copy", { game, position, moves: this.values.checked && !session.quiz.on });
  }

  link() {
    const { session } = this;
    return this.give("The link", session.linkBase + writeAddress(session.address));
  }

  async copy(name) {
    this.clear();
    const answer = await this.ask();
    if (!answer) return;
    const title = KINDS.find(([kind]) => kind === name)[1];
    if (answer[name] === null) {
      this.state.textContent =
        name === "judge" ? "The judge's text cannot say this position." : `${title}: it would tell the other hands.`;
      return;
    }
    await this.give(title, answer[name]);
    if (name === "svg") this.offer(new Blob([answer.svg], { type: "image/svg+xml" }), "svg");
  }

  /** Text into the clipboard, and on the page for who has none. */
  async give(title, text) {
    this.preview.value = text;
    this.preview.hidden = false;
    await this.clipboard(title, () => navigator.clipboard.writeText(text));
  }

  async clipboard(title, write) {
    try {
      await write();
      this.state.textContent = `${title}: copied.`;
    } catch {
      this.state.textContent = `${title}: this browser gives no clipboard; take it from here.`;
    }
  }

  async png() {
    this.clear();
    const answer = await this.ask();
    if (!answer) return;
    const picture = await pngOf(answer.svg);
    this.offer(picture, "png");
    await this.clipboard("PNG", () => navigator.clipboard.write([new ClipboardItem({ "image/png": picture })]));
  }

  offer(blob, ending) {
    this.save.href = URL.createObjectURL(blob);
    this.save.download = `${this.session.game}.${ending}`;
    this.save.textContent = `Save as ${this.save.download}`;
    this.save.hidden = false;
  }
}

/** An SVG drawn at twice its size, as a PNG. */
async function pngOf(markup) {
  const url = URL.createObjectURL(new Blob([markup], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = html("canvas", { width: 2 * image.naturalWidth, height: 2 * image.naturalHeight });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  } finally {
    URL.revokeObjectURL(url);
  }
}

define("gc-copy", CopyPanel);
