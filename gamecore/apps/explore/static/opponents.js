/** The sides that are not played by a person: they move by themselves, after a pause in which one sees the position. */

const PAUSE = 450; // milliseconds

const LEVELS = [
  ["solver/0.3/careful", "Club player: mostly the best move"],
  ["solver", "Solver: perfect"],
  ["solver/0.25", "Solver, fair: 1 move in 4 at random"],
  ["solver/0.5", "Solver, easy: 1 in 2 at random"],
];

/** The players of a game as `[value, text]` pairs; a value is a name, for solvers with the share and the kind of other moves. */
export function strengths(rules) {
  return rules.players.flatMap(({ player, title }) => (player === "solver" && !rules.seats ? LEVELS : [[player, title]]));
}

export class Opponents {
  constructor(session) {
    this.session = session;
    this.waiting = false; // a computer player is to move and waits for the button
    this.stopper = null;
  }

  /** Whether a rule of the game decides the moves of a side. */
  isAutomatic(side) {
    const { automatic } = this.session.view;
    return automatic !== null && String(automatic) === String(side);
  }

  /** Whether a person made the move that led to a node. */
  isPersons(node) {
    const side = String(node.parent.view.to_move);
    return (this.session.players[side] ?? "you") === "you" && !this.isAutomatic(side);
  }

  /** The player to move if it is none of the persons, or null. */
  get player() {
    const { view, players } = this.session;
    if (view.is_over) return null;
    const player = players[String(view.to_move)] ?? "you";
    if (player === "you") return this.isAutomatic(view.to_move) ? this.session.rules.players[0].player : null;
    return player;
  }

  /** Let the player to move play, or note that it waits for `go`. */
  consider(go) {
    this.cancel();
    const player = this.player;
    this.waiting = player !== null && !go;
    if (player !== null && go) this.move(player);
    this.session.emit("waiting", this.waiting);
  }

  cancel() {
    this.stopper?.abort();
    this.stopper = null;
  }

  async move(player) {
    const stopper = new AbortController();
    const { session } = this;
    const { node, view } = session;
    this.stopper = stopper;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    if (stopper.signal.aborted) return;
    const [name, slips, careful] = player.split("/");
    const { game, position } = view;
    const seconds = Math.min(session.settings.seconds, 10);
    const body = { game, position, player: name, slips: Number(slips ?? 0), careful: Boolean(careful), seconds };
    const answer = await session.ask("/api/move", body, stopper.signal);
    if (!answer || stopper.signal.aborted || session.node !== node) return;
    session.show(session.tree.add(node, answer.move, answer.view), { start: true, replaces: true });
  }
}
