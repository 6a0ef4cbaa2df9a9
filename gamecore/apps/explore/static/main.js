/** The page: the address in the fragment, the token of this run, and the element that shows the rest. */

import { readAddress, writeAddress } from "./address.js";
import { mount } from "./app.js";
import { html, labelled } from "./dom.js";
import { HttpTransport } from "./http.js";

const KEPT = "gamecore.token"; // in localStorage, so that a bookmark opens in another tab
const element = document.getElementById("app");
const address = readAddress(location.hash);
const FOREIGN =
  "This page belongs to another run of the program. Paste the address that gamecore explore printed when it was " +
  "started; the position is kept.";
let shown = null;
let entered = false; // the first position has been written into the address

function keep(token) {
  try {
    localStorage.setItem(KEPT, token);
  } catch {
    // A browser that keeps nothing: this tab still has it.
  }
}

function kept() {
  try {
    return localStorage.getItem(KEPT) ?? "";
  } catch {
    return "";
  }
}

/** Write the address. Each position is an entry of the browser's history, except the first and those to be replaced. */
function changed(now, replaces = true) {
  const fragment = writeAddress(now);
  const write = replaces || !entered ? "replaceState" : "pushState";
  entered = true;
  if (location.hash !== fragment) history[write](null, "", fragment);
  document.title = `${now.game} – gamecore explore`;
}

/** The server does not know this token: keep the address and ask for the right one. */
function askForToken() {
  shown.destroy();
  const field = html("input", { type: "text", class: "wide", autocomplete: "off", spellcheck: false });
  const use = (event) => {
    event.preventDefault();
    const token = readAddress(field.value.trim()).token ?? field.value.trim();
    keep(token);
    begin(token, readAddress(location.hash));
  };
  element.replaceChildren(
    html(
      "main",
      { class: "page token" },
      html("h1", null, "gamecore explore"),
      html("p", { role: "alert" }, FOREIGN),
      html("form", { onsubmit: use }, labelled("Address", field), html("button", { type: "submit" }, "Open")),
    ),
  );
  field.focus();
}

function begin(token, start) {
  const options = { linkBase: location.origin + location.pathname, onChange: changed, onToken: askForToken };
  shown = mount(element, new HttpTransport(token), { ...start, ...options });
}

if (address.token) {
  keep(address.token);
  const rest = location.hash.replace(/token=[^&]*&?/, "");
  history.replaceState(null, "", rest === "#" ? location.pathname : rest);
}
begin(address.token ?? kept(), address);

window.addEventListener("hashchange", () => {
  const next = readAddress(location.hash);
  if (next.token) {
    location.reload();
  } else if (next.game && next.position) shown.open(next);
});
