/** Copies of the position: as a link, as text, as a picture, as Python that gives the same answer. */

import { writeAddress } from "./address.js";
import { pictureOf } from "./board.js";
import { Part, button, html } from "./dom.js";

const TEXTS = { link: "Link", notation: "Notation", judge: "Judge's text", python: "Python", command: "Command" };
const KINDS = { ...TEXTS, svg: "SVG", png: "PNG" };

const LINK =
  "The link holds the game, the position, the moves and the token. It opens in every browser that reaches this server " +
  "while it runs; for other people, copy the notation. The link of a round seen by one seat holds an id, which only " +
  "this run of the server knows.";

class CopyPanel extends Part {
  build() {
    this.values = html("input", { type: "checkbox", checked: true });
    const buttons = Object.entries(KINDS).map(([name, title]) => button(title, () => this.copy(name, title)));
    const check = html("label", null, this.values, " with values");
    this.state = html("p", { class: "muted", role: "status" });
    const area = { class: "preview", rows: 5, readonly: true, hidden: true, "aria-label": "what was copied" };
    this.preview = html("textarea", area);
    this.save = html("a", { hidden: true });
    const link = html("p", { class: "muted" }, LINK);
    const { code } = this.session.hello; // the address of a page for the people in one room
    const scan = code && html("figure", { class: "drawing", role: "img", "aria-label": "The address as a code to scan" }, pictureOf(code));
    const parts = [html("div", { class: "row" }, buttons, check), this.state, this.preview, this.save, link, scan];
    this.append(...parts.filter(Boolean));
    this.on("position", () => this.clear());
    this.leaving.signal.addEventListener("abort", () => this.clear());
  }

  clear() {
    this.preview.hidden = this.save.hidden = true;
    this.preview.value = "";
    this.state.textContent = "";
    if (this.save.href) URL.revokeObjectURL(this.save.href);
  }

  async copy(name, title) {
    this.clear();
    const { session } = this;
    const { game, position } = session.view;
    const fragment = writeAddress(session.address).replace("#", `#token=${session.transport.token}&`);
    const link = location.origin + location.pathname + fragment;
    const values = this.values.checked && !session.quiz.hides;
    const answer = name === "link" ? { link } : await session.ask("/api/copy", { game, position, moves: values });
    if (!answer) return;
    if (name === "png") {
      const picture = await pngOf(answer.svg);
      const file = `${game}.png`;
      Object.assign(this.save, { href: URL.createObjectURL(picture), download: file, textContent: `Save as ${file}`, hidden: false });
      await this.clipboard(title, () => navigator.clipboard.write([new ClipboardItem({ "image/png": picture })]));
    } else if (answer[name] === null) {
      const why = name === "judge" ? "cannot say this position" : "would tell the other hands";
      this.state.textContent = `${title} ${why}.`;
    } else {
      this.preview.value = answer[name];
      this.preview.hidden = false;
      await this.clipboard(title, () => navigator.clipboard.writeText(answer[name]));
    }
  }

  async clipboard(title, write) {
    try {
      await write();
      this.state.textContent = `${title}: copied.`;
    } catch {
      this.state.textContent = `${title}: this browser gives no clipboard; take it from here.`;
    }
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

customElements.define("gc-copy", CopyPanel);
