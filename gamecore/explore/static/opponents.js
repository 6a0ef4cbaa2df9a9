/** The sides that are not played by a person: they move by themselves, after a pause in which one sees the position. */

const PAUSE = 450; // milliseconds

export class Opponents {
  constructor(session) {
    this.session = session;
    this.waiting = false; // a computer player is to move and was not told to go on
    this.stopper = null;
  }

  /** The player to move if it is none of the persons, or null. */
  get player() {
    const { view, players } = this.session;
    const player = view.is_over ? "you" : (players[String(view.to_move)] ?? "you");
    return player === "you" ? null : player;
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
    const body = {
      game: view.game,
      position: view.position,
      player,
      seconds: Math.min(session.settings.seconds, 10),
    };
    const answer = await session.ask("/api/move", body, stopper.signal);
    if (!answer || stopper.signal.aborted || session.node !== node) return;
    session.show(session.tree.add(node, answer.move, answer.view), { start: true });
  }
}
