/** A button beside each block of Python of a tutorial: runs it, after the blocks above it. */

import { start } from "./python.js";

let model = null;
let asked = 0;
const answers = new Map();
const blocks = [...document.querySelectorAll(".language-pycon, .language-python")].map((block) => ({ block, run: null }));

function run(code, tell) {
  if (!model) {
    model = start((text, kind) => tell(kind === "loading" ? text : "Running."));
    model.on("", (message) => answers.get(message.id)?.(message));
  }
  asked += 1;
  const id = asked;
  return new Promise((resolve) => {
    answers.set(id, resolve);
    model.send({ id, op: "run", code });
  });
}

function once(one) {
  one.run ??= run(one.block.querySelector("code").textContent, (text) => {
    const waiting = document.querySelector(".gamecore-run[aria-busy=true]");
    if (waiting) waiting.textContent = text;
  });
  return one.run;
}

for (const [number, one] of blocks.entries()) {
  const output = document.createElement("pre");
  output.className = "gamecore-run";
  output.hidden = true;
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "md-button", textContent: "Run" });
  button.onclick = async () => {
    output.hidden = false;
    output.setAttribute("aria-busy", "true");
    output.textContent = "Running.";
    for (const before of blocks.slice(0, number)) await once(before);
    one.run = null;
    const found = await once(one);
    output.setAttribute("aria-busy", "false");
    output.textContent = found.text || "It prints nothing.";
    for (const svg of found.svg) output.insertAdjacentHTML("beforeend", svg);
  };
  one.block.after(button, output);
}
