/** The whole of the page in one element: a board, what is known of its moves, and everything around them. */

import "./analysis-panel.js";
import "./board.js";
import "./controls.js";
import "./copy-panel.js";
import "./editor.js";
import "./game-panels.js";
import "./mistake.js";
import "./move-list.js";
import "./move-tree-view.js";
import "./players-panel.js";
import "./position-panel.js";
import { readAddress, writeAddress } from "./address.js";
import { button, folded, html, part } from "./dom.js";
import { showNewGame, showRules } from "./new-game.js";
import { panelsOf } from "./panel.js";
import { Session } from "./session.js";
import { tabs } from "./tabs.js";

/** The application: `onToken()` is called when the server does not know the token of the transport. */
export class App {
  constructor(element, transport, onToken) {
    Object.assign(this, { element, transport, onToken, session: null, visited: new Map(), isEntered: false });
  }

  /** Show the position of an address, or what comes nearest to it. */
  async begin(address) {
    const hello = await this.transport.call("/api/hello").catch((error) => this.fail(error));
    if (!hello) return;
    const session = new Session(this.transport, hello);
    this.session = session;
    session.kept = history.state;
    this.tab = history.state?.tab; // the title of the open one
    session.addEventListener("position", ({ detail }) => this.positionChanged(detail));
    session.addEventListener("settings", () => this.writeAddress(true));
    session.addEventListener("analysis", ({ detail }) => detail === "end" && this.announce());
    session.addEventListener("message", ({ detail }) => this.message(detail));
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("hashchange", () => this.addressChanged());
    const whole = this.completed(address) ?? this.completed({});
    const { game, position, seat } = whole;
    const start = { game, position: session.rulesOf(game).start, seat };
    for (const attempt of [whole, { game, position }, start]) if (await session.open(attempt)) break;
  }

  /** An address with what it leaves out: the first game, the start of a game. Says so and gives null if there is no such game. */
  completed(address) {
    const { session } = this;
    const about = address.game ? session.rulesOf(address.game) : session.hello.games[0];
    if (about) return { ...address, game: about.game, position: address.position || about.start };
    session.say(`There is no game ${address.game} here.`, { code: "game" });
    return null;
  }

  /**
   * Write the address. Each position is an entry of the history, except the first and those to be replaced. An entry
   * keeps who plays, what is hidden and a match's score, for a reload; a link does not.
   */
  writeAddress(replaces) {
    const { address, game, players, quiz, totals } = this.session;
    const fragment = writeAddress(address);
    const write = replaces || !this.isEntered ? "replaceState" : "pushState";
    this.isEntered = true;
    const state = { game, players: { ...players }, hides: quiz.hides && !quiz.on, totals, tab: this.tab };
    if (replaces || location.hash !== fragment) history[write](state, "", fragment);
    document.title = `${game} – gamecore explore`;
  }

  /** Somebody typed another address, or went back. */
  addressChanged() {
    const address = readAddress(location.hash);
    if (address.token) location.reload();
    const whole = !address.token && (address.game || address.position) && this.completed(address);
    if (whole && !this.session.revisit(whole)) this.session.open(whole);
    else if (!whole) this.writeAddress(true);
  }

  // --- what is shown -------------------------------------------------------------------------------------------------

  positionChanged({ replaces }) {
    const { session } = this;
    if (!this.body) this.build();
    if (this.shown !== session.game) this.showGame();
    const { view } = session;
    this.turn.textContent = view.is_over ? view.result : view.to_move_text;
    this.turn.classList.toggle("over", view.is_over);
    this.played.textContent = this.lastMove();
    this.label.textContent = view.label;
    this.notation.textContent = session.seat === null ? view.position : "The notation would tell the other hands.";
    this.told.hidden = true;
    if (this.early) this.message(this.early);
    this.early = null;
    this.announced.textContent = "";
    this.visited.set(session.game, session.address);
    this.writeAddress(replaces);
  }

  /** The move that led here, in words. */
  lastMove() {
    const { node } = this.session;
    if (!node.parent) return "";
    const move = node.parent.view.moves.find((one) => one.move === node.move);
    return `${this.session.sideName(node.parent.view.to_move)}: ${move?.text ?? this.session.label(node.move)}`;
  }

  build() {
    this.turn = html("h2", { class: "turn-text" });
    this.played = html("p", { class: "muted" });
    this.label = html("p", { class: "unseen" });
    this.announced = html("p", { class: "unseen", role: "status" });
    this.notation = html("code", { class: "notation" });
    this.told = html("p", { class: "message", role: "status", hidden: true });
    this.beside = html("div", { class: "beside" });
    const turn = html("div", { role: "status", class: "turn" }, this.turn, this.played);
    const names = ["gc-board", "gc-bar", "gc-controls", "gc-mistake", "gc-match", "gc-summary"];
    const parts = [turn, this.label, ...names.map((name) => part(name, this.session))];
    const position = html("section", { class: "position", "aria-label": "Position" }, parts);
    this.body = html("main", { class: "columns" }, position, this.beside);
    this.page = html("div", { class: "page" }, this.header(), this.told, this.announced, this.body);
    this.element.replaceChildren(this.page);
  }

  header() {
    const { session } = this;
    this.tabs = session.hello.games.map(({ game, title, summary, start }) => {
      const open = () => session.open(this.visited.get(game) ?? { game, position: start });
      return button(title, open, { "data-game": game, title: summary });
    });
    const name = html("h1", null, "gamecore explore");
    const begin = button("New game", () => showNewGame(session, this.page), { class: "go" });
    const rules = button("Rules", () => showRules(session, this.page));
    const nav = html("nav", { "aria-label": "Games" }, this.tabs);
    return html("header", { class: "top" }, name, nav, html("div", { class: "row" }, begin, rules));
  }

  showGame() {
    const { session } = this;
    this.shown = session.game;
    for (const tab of this.tabs) tab.setAttribute("aria-current", tab.dataset.game === session.game ? "page" : "false");
    const make = (name) => part(name, session);
    const analyse = session.rules.panels.length ? [["Analyse", () => panelsOf(session)]] : [];
    const entries = [
      ["Play", () => [make("gc-players")]],
      ...analyse,
      ["Set up", () => [make("gc-position"), folded("Editor", make("gc-editor"))]],
      ["Share", [make("gc-copy"), this.notation]],
    ];
    const moves = ["gc-move-list", "gc-analysis", "gc-move-tree"].map(make);
    const section = html("section", { class: "panel", "aria-label": "Moves" }, moves);
    const keep = (title) => {
      this.tab = title;
      this.writeAddress(true);
    };
    this.beside.replaceChildren(section, tabs("Tools", entries, this.tab, keep));
  }

  // --- what is said --------------------------------------------------------------------------------------------------

  /** Once an analysis has ended, one sentence for screen readers. */
  announce() {
    const [best] = this.session.visible.moves;
    if (!best) return;
    const proven = best.verdict === "best" ? "is best" : "looks best so far";
    this.announced.textContent = `${this.session.label(best.move)} ${proven}: ${best.words}.`;
  }

  message({ text, error }) {
    if (error?.code === "token") {
      this.fail(error);
      return;
    }
    if (!this.told) {
      this.early ??= { text, error }; // shown with the first position
      return;
    }
    this.told.textContent = text;
    this.told.classList.toggle("error", Boolean(error));
    this.told.setAttribute("role", error ? "alert" : "status");
    this.told.hidden = false;
  }

  fail(error) {
    if (error.code === "token") this.onToken();
    else this.element.replaceChildren(html("p", { class: "message error", role: "alert" }, error.message));
  }

  // --- keys ----------------------------------------------------------------------------------------------------------

  key(event) {
    const step = { ArrowLeft: "back", ArrowRight: "forward" }[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented) return;
    if (event.target.closest?.("dialog, input, select, textarea, .scroller[tabindex]")) return;
    event.preventDefault();
    this.session.go(step);
  }
}
