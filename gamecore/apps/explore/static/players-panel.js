/** Who plays which side, whose hand is seen, and the quiz. */

import { Part, button, choice, html, labelled } from "./dom.js";
import { strengths } from "./opponents.js";

const NARROW = 600; // pixels: there many selects are folded at first

class PlayersPanel extends Part {
  build() {
    this.sides = html("div", { class: "row sides" });
    this.hide = html("input", { type: "checkbox", onchange: () => this.session.quiz.set(this.hide.checked) });
    this.score = html("output", { class: "score" });
    this.reset = button("Reset score", () => this.session.quiz.reset());
    this.puzzle = button("Puzzle", () => this.session.puzzle());
    const quiz = labelled("Hide values (quiz)", this.hide);
    quiz.classList.add("check");
    this.fold = html("details", null, html("summary", { class: "muted" }, "Who plays"), this.sides);
    this.append(this.fold, html("div", { class: "row" }, this.puzzle, quiz, this.score, this.reset));
    this.follow("position settings", () => this.rebuild());
    this.follow("quiz", () => this.showQuiz());
  }

  rebuild() {
    const { session } = this;
    const state = JSON.stringify([session.game, session.players, session.seat, session.view.automatic]);
    if (state === this.shown) return;
    this.shown = state;
    const focused = this.sides.contains(document.activeElement) ? document.activeElement.dataset.name : null;
    const { rules } = session;
    this.puzzle.hidden = rules.sides.length !== 2;
    const controls = rules.sides.map((side) => this.player(side, rules));
    if (rules.seats) controls.unshift(this.seats());
    if (this.shownGame !== session.game) this.fold.open = controls.length < 4 || innerWidth > NARROW;
    this.shownGame = session.game;
    this.sides.replaceChildren(...controls);
    if (focused) this.sides.querySelector(`[data-name="${focused}"]`)?.focus();
  }

  player(side, rules) {
    const { session } = this;
    const isAutomatic = session.opponents.isAutomatic(side);
    const seen = session.seat === null || String(session.seat) === side;
    const players = seen ? [["you", "You"], ...strengths(rules)] : strengths(rules);
    const pairs = isAutomatic ? [["", "moves as the rules say"]] : players;
    const select = choice(pairs, session.players[side], (event) => session.setPlayer(side, event.target.value));
    select.dataset.name = `side-${side}`;
    select.disabled = isAutomatic;
    return labelled(session.sideName(side), select);
  }

  seats() {
    const { session } = this;
    const pairs = [["all", "All hands"], ...session.rules.sides.map((side, k) => [side, session.rules.side_names[k]])];
    const set = (event) => session.setSeat(event.target.value === "all" ? null : Number(event.target.value));
    const select = choice(pairs, session.seat ?? "all", set);
    select.dataset.name = "eyes";
    return labelled("Seen by", select);
  }

  showQuiz() {
    const { on, score, asked } = this.session.quiz;
    this.hide.checked = on;
    this.score.textContent = on ? score : "";
    this.reset.hidden = !on || !asked;
  }
}

customElements.define("gc-players", PlayersPanel);
