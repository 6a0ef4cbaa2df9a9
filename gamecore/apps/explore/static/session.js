/** What the page shows: a game, a tree of moves tried, where in it we are, who plays which side. Parts listen to it.
 *
 * Events: `position` (another position, or another tree), `analysis` (more is known of the position shown), `settings`
 * (players, time, quiz, seat), `quiz` (an answer was judged), `point` (a move is pointed at), `message` (to be shown).
 */

import { Analyst, NOTHING } from "./analyst.js";
import { Opponents } from "./opponents.js";
import { Quiz } from "./quiz.js";
import { MoveTree } from "./tree.js";

export class Session extends EventTarget {
  constructor(transport, hello) {
    super();
    this.transport = transport;
    this.hello = hello;
    this.tree = null;
    this.node = null;
    this.seat = null; // whose hand is seen; null: all hands, or a game without seats
    this.settings = { seconds: hello.limits.default_seconds };
    this.players = {};
    this.totals = null; // each side's points in the rounds of a match before this one
    this.kept = null; // `{game, players, hides, totals}` of the page before a reload
    this.pointed = null;
    this.playing = null; // the node in which a move is being made
    this.asked = 0; // counts questions to the server, so that a late answer is known as such
    this.analyst = new Analyst(transport);
    this.opponents = new Opponents(this);
    this.quiz = new Quiz(this);
    this.analyst.addEventListener("change", ({ detail }) => {
      if (detail.known === this.known) this.emit("analysis", detail.what);
      if (detail.known.error) this.say(detail.known.error.message, detail.known.error);
    });
  }

  get view() {
    return this.node.view;
  }

  get game() {
    return this.node?.view.game ?? null;
  }

  /** What the server says of the game: sides, players, options. */
  get rules() {
    return this.rulesOf(this.game);
  }

  /** The same of any game; undefined for an unknown one. */
  rulesOf(game) {
    return this.hello.games.find((one) => one.game === game);
  }

  /** What is known of the position shown. */
  get known() {
    return this.node ? this.analyst.of(this.view, this.seat) : null;
  }

  /** The same as far as it may be seen: nothing while the values are hidden. */
  get visible() {
    return this.quiz.hides ? NOTHING : this.known;
  }

  /** The address of what is shown: what `readAddress` gives. */
  get address() {
    const present = this.tree.present();
    return {
      game: this.game,
      position: this.tree.root.view.position,
      moves: present.slice(1).map((one) => one.move),
      at: this.node.ply,
      seat: this.rules.seats ? this.seat : undefined,
    };
  }

  /** A move as people read it: cards with their symbols, everything else as it is written. */
  label(move) {
    if (move.startsWith("hidden.")) return "a hidden move"; // of another seat
    const cards = move.split("-").map((code) => this.hello.cards[code]);
    return cards.every(Boolean) ? cards.join(" ") : move;
  }

  emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  /** Show a sentence to the person; with the error that it comes from, if it comes from one. */
  say(text, error = null) {
    this.emit("message", { text, error });
  }

  /** Ask the server; what it refuses is shown and gives null. */
  async ask(path, body, signal) {
    const seen = this.rulesOf(body.game)?.seats ? { seat: this.seat, ...body } : body;
    return this.transport.call(path, seen, signal).catch((error) => {
      if (!signal?.aborted) this.say(error.message, error);
      return null;
    });
  }

  /** Ask for something to be shown; null also if something else was asked for or shown meanwhile. */
  async askAnew(path, body) {
    this.asked += 1;
    const turn = this.asked;
    const answer = await this.ask(path, body);
    return turn === this.asked ? answer : null;
  }

  // --- positions -----------------------------------------------------------------------------------------------------

  /** Open a position with its history; what cannot be opened is said, and what is shown stays. True if it is shown. */
  async open({ game, position, moves = [], at, seat }) {
    const eyes = this.rulesOf(game)?.seats && { seat: seat ?? null, mover: seat === undefined };
    const answer = await this.askAnew("/api/position", { game, position, moves, ...eyes });
    if (!answer) return false;
    this.plant(answer.views[0], answer.seat);
    const nodes = [this.tree.root];
    answer.moves.forEach((move, k) => nodes.push(this.tree.add(nodes[k], move, answer.views[k + 1])));
    this.show(nodes[Math.min(at ?? moves.length, moves.length)], { start: true });
    return true;
  }

  /** Begin a new tree with a view that the server has made; `totals`: it is the next round of a match. */
  start(view, seat = this.seat, totals = null) {
    this.asked += 1;
    this.plant(view, seat);
    this.totals = totals;
    this.show(this.tree.root, { start: true });
  }

  plant(view, seat) {
    const another = this.game !== view.game;
    this.tree = new MoveTree(view);
    this.node = this.tree.root;
    this.seat = this.rulesOf(view.game).seats ? seat : null;
    const kept = this.kept?.game === view.game ? this.kept : {};
    if (another) {
      this.players = Object.fromEntries(this.rules.sides.map((side) => [side, kept.players?.[side] ?? "you"]));
      this.quiz.hides = this.quiz.on || Boolean(kept.hides);
    }
    this.totals = kept.totals ?? null;
    this.kept = null;
    this.seatPlayers();
  }

  /** Who sees one hand only cannot play the others: they are played by the first simple player. */
  seatPlayers() {
    if (this.seat === null) return;
    const names = this.rules.players.map(({ player }) => player);
    const simple = names.includes("greedy") ? "greedy" : names.at(-1);
    for (const side of this.rules.sides) {
      if (side === String(this.seat)) this.players[side] = "you";
      else if (this.players[side] === "you") this.players[side] = simple;
    }
  }

  /** Start a new game: its options, the side of the person (null: every side), and who plays the others. */
  async newGame(options, side, player) {
    const { game, rules } = this;
    const seat = rules.seats ? (side === null ? null : Number(side)) : undefined;
    const answer = await this.askAnew("/api/random", { game, seat, options: { plies: 0, ...options } });
    if (!answer) return;
    for (const one of rules.sides) this.players[one] = side === null || one === side ? "you" : player;
    this.quiz.set(false, side !== null);
    this.start(answer.view, seat ?? null);
  }

  /** Show a position where one move is best, with its values hidden. */
  async puzzle() {
    const answer = await this.askAnew("/api/puzzle", { game: this.game });
    if (!answer) return;
    for (const side of this.rules.sides) this.players[side] = "you";
    this.quiz.set(true);
    this.start(answer.view);
    this.say(`Puzzle: ${answer.task}.`);
  }

  /** The name of a side as a sentence has it. */
  sideName(side) {
    const { seat_names: ofSeats, side_names: ofAll, sides } = this.rules;
    return (this.seat === null ? ofAll : ofSeats[this.seat])[sides.indexOf(String(side))];
  }

  /** Show the node of an address if it is in the tree, as the browser's Back asks for; true if it is. */
  revisit({ game, position, moves = [], at, seat }) {
    if (this.game !== game || this.tree.root.view.position !== position || (seat ?? null) !== this.seat) return false;
    const nodes = this.tree.along(moves);
    if (nodes.length <= moves.length) return false;
    this.tree.choose(nodes.at(-1));
    this.show(nodes[at ?? moves.length], { replaces: true });
    return true;
  }

  /**
   * Show a node. `start`: computer players go on from here; after stepping through the tree they wait. `replaces`: the
   * browser's Back skips the position shown before.
   */
  show(node, { start = false, replaces = false } = {}) {
    this.node = node;
    this.pointed = null;
    this.tree.choose(node);
    this.emit("position", { replaces });
    this.analyse();
    this.opponents.consider(start);
  }

  /** A person's move; in a quiz it is judged first. */
  async play(move) {
    const from = this.node;
    if (this.playing === from || !from.view.legal_moves.includes(move)) return; // a second press of a double one
    this.playing = from;
    this.opponents.cancel();
    const next = this.child(from, move);
    await this.quiz.judge(from, move);
    const child = await next;
    if (this.playing === from) this.playing = null;
    if (child && this.node === from) this.show(child, { start: true });
  }

  async child(from, move) {
    const there = from.children.find((one) => one.move === move);
    if (there) return there;
    const { game, position } = from.view;
    const answer = await this.ask("/api/position", { game, position, moves: [move] });
    return answer && this.tree.add(from, move, answer.views[1]);
  }

  /** Put a line of moves into the tree after `from`, and show the position after the first `count` of them. */
  async playLine(from, line, count) {
    const { game, position } = from.view;
    const answer = await this.ask("/api/position", { game, position, moves: line });
    if (!answer) return;
    const nodes = [from];
    line.forEach((move, k) => nodes.push(this.tree.add(nodes[k], move, answer.views[k + 1])));
    this.tree.choose(nodes.at(-1));
    this.show(nodes[count]);
  }

  /** The cost of the move that led to a node: `{verdict, cost, cost_text, best, line}`; undefined: not known yet. */
  costOf(node) {
    const known = this.analyst.of(node.parent.view, this.seat);
    const entry = known.byMove.get(node.move);
    if (!entry || entry.verdict === "open") return node.judged;
    const best = known.moves.find(({ verdict }) => verdict === "best");
    return { ...entry, best, line: known.lines.get(node.move) ?? node.judged?.line };
  }

  /** Ask the server for the cost of a node's move, once even if several parts want it; `asked` is null after a refusal. */
  async judge(node, seconds = 2) {
    const { game, position } = node.parent.view;
    node.asked ??= this.ask("/api/refute", { game, position, move: node.move, seconds });
    const found = await node.asked;
    if (found) node.judged = { ...found, best: found.best && { move: found.best.move, ...found.best.value } };
    else node.asked = null;
    return this.costOf(node);
  }

  /** The nodes that buttons and keys lead to, by the names of steps; null where there is nothing to go to. */
  get steps() {
    const { node, tree } = this;
    const last = node.chosen && tree.present().at(-1);
    return { first: node.parent && tree.root, back: node.parent, forward: node.chosen, last };
  }

  go(step) {
    const goal = this.steps[step];
    if (goal) this.show(goal);
  }

  // --- settings ------------------------------------------------------------------------------------------------------

  /** Point at a legal move, or at none: its value and line are shown. */
  point(move) {
    if (this.pointed === move) return;
    this.pointed = move;
    this.emit("point", move);
  }

  /** Let somebody else play a side; the values are hidden once the computer plays against a person. */
  setPlayer(side, player) {
    this.players[side] = player;
    const isGame = player !== "you" && Object.values(this.players).includes("you");
    if (isGame && !this.quiz.hides) this.quiz.set(false, true);
    this.emit("settings");
    this.opponents.consider(true);
  }

  /** Time for an analysis in seconds; the present one is restarted if it had less. */
  setSeconds(seconds) {
    this.settings.seconds = seconds;
    this.emit("settings");
    this.analyse();
  }

  /** Analyse the position shown unless as much is known of it already; `again`: even then. */
  analyse(again = false) {
    if (again) this.known.ended = null;
    this.analyst.start(this.view, this.seat, this.settings.seconds);
  }

  /** See one hand, and of the tree what led here, or see all of them and all of it (null). */
  async setSeat(seat) {
    this.seat = seat;
    this.opponents.cancel();
    if (seat !== null) this.tree.prune(this.node);
    for (const leaf of this.tree.leaves()) {
      const nodes = this.tree.path(leaf);
      const moves = nodes.slice(1).map((one) => one.move);
      const answer = await this.ask("/api/position", { game: this.game, position: nodes[0].view.position, moves });
      if (!answer || this.seat !== seat) return;
      nodes.forEach((one, k) => {
        one.view = answer.views[k];
        if (k) one.move = answer.moves[k - 1];
      });
    }
    this.seatPlayers();
    this.emit("settings");
    this.show(this.node, { start: true });
  }
}
