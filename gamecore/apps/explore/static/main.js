/** The page: the token of this run, kept for bookmarks, and the application behind it. */

import { readAddress } from "./address.js";
import { App } from "./app.js";
import { button, html, labelled } from "./dom.js";
import { HttpTransport } from "./http.js";

const KEPT = "gamecore.token"; // in localStorage, so that a bookmark opens in another tab
const FOREIGN = "This page belongs to another run of the program.";
const WITHOUT = "This link comes without the token of the running program.";
const PASTE = " Paste the address that gamecore explore printed when it was started; the position is kept.";
const element = document.getElementById("app");

/** The token of the last run, or this one, which is kept from now on. */
function keptToken(token) {
  try {
    if (token) localStorage.setItem(KEPT, token);
    return localStorage.getItem(KEPT) ?? "";
  } catch {
    return token ?? ""; // a browser that keeps nothing: this tab still has it
  }
}

/** The server does not know this token: keep the address and ask for the right one. */
function askForToken() {
  const field = html("input", { type: "text", class: "wide", autocomplete: "off", spellcheck: false });
  const use = (event) => {
    event.preventDefault();
    const token = readAddress(field.value.trim()).token ?? field.value.trim();
    history.replaceState(null, "", `#token=${token}&${location.hash.slice(1)}`);
    location.reload();
  };
  const form = html("form", { onsubmit: use }, labelled("Address", field), button("Open", null, { type: "submit" }));
  const alert = html("p", { role: "alert" }, (app.transport.token ? FOREIGN : WITHOUT) + PASTE);
  element.replaceChildren(html("main", { class: "page" }, html("h1", null, "gamecore explore"), alert, form));
  field.focus();
}

const { token } = readAddress(location.hash);
if (token) {
  const rest = location.hash.replace(/token=[^&]*&?/, "");
  history.replaceState(null, "", rest === "#" ? location.pathname : rest);
}
const app = new App(element, new HttpTransport(keptToken(token)), askForToken);
app.begin(readAddress(location.hash));
