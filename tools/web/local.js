/** The page without a server: the same page, answered by a worker. */

import { readAddress, writeAddress } from "./address.js";
import { mount } from "./app.js";
import { html } from "./dom.js";
import { start } from "./python.js";
import { MessageTransport } from "./widget.js";

const element = document.getElementById("app");
const status = html("p", { class: "message loading", role: "status" });
let state = null;
element.before(status);

function tell(text, kind) {
  if (kind === "kept") navigator.serviceWorker?.register("../offline.js"); // it finds what was fetched in the cache
  if (state === "ready") return; // what no first answer needs
  state = kind;
  status.textContent = text;
  status.hidden = kind === "ready";
  if (kind === "failed") {
    status.setAttribute("role", "alert");
    element.replaceChildren();
  }
}

function changed(now) {
  const fragment = writeAddress(now);
  if (location.hash !== fragment) history.replaceState(null, "", fragment);
  document.title = `${now.game} – gamecore explore`;
}

const model = start(tell);
if (state !== "failed") {
  const linkBase = location.origin + location.pathname;
  const options = { keys: document, linkBase, onChange: changed };
  const shown = mount(element, new MessageTransport(model), { ...readAddress(location.hash), ...options });
  window.addEventListener("hashchange", () => {
    const next = readAddress(location.hash);
    if (next.game && next.position) shown.open(next);
  });
}
