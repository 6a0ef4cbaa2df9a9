/** What the server has found of positions so far: one running analysis, and a memory of earlier ones. */

const REMEMBERED = 400;

function record(key) {
  return {
    key, //             the position, and for whose eyes
    moves: [], //       entries as the server sends them, best first
    byMove: new Map(), // the same by move
    lines: new Map(), // a move's line of best play
    value: null, //     of the whole position
    estimates: null, // shares of playouts won, by move
    note: null, //      why there is nothing to search for
    progress: null, //  nodes, seconds, table
    seconds: 0, //      the time it was given
    running: false,
    ended: null, //     the reason, once it has ended
    error: null,
  };
}

/** Whether no more is to be learnt of a record with this much time. */
function finished(known, seconds) {
  return known.ended === "exact" || (known.ended === "limit" && known.seconds >= seconds);
}

export class Analyst extends EventTarget {
  constructor(transport) {
    super();
    this.transport = transport;
    this.records = new Map();
    this.current = null;
    this.stopper = null;
  }

  /** The record of a position; empty when nothing is known. */
  of(view, seat) {
    const key = `${view.game} ${view.position} ${seat ?? "all"}`;
    let known = this.records.get(key);
    if (!known) {
      known = record(key);
      if (seat !== null) known.note = "one seat cannot know what its moves are worth";
      this.records.set(key, known);
      if (this.records.size > REMEMBERED) this.records.delete(this.records.keys().next().value);
    }
    return known;
  }

  /** Analyse a position, unless as much is known of it already; whatever ran before ends. */
  async start(view, seat, settings) {
    this.stop();
    const known = this.of(view, seat);
    this.current = known;
    if (seat !== null || view.is_over || finished(known, settings.seconds)) return;
    const stopper = new AbortController();
    this.stopper = stopper;
    Object.assign(known, { running: true, ended: null, error: null, seconds: settings.seconds });
    this.tell("change", known, "start");
    const body = { game: view.game, position: view.position, seconds: settings.seconds };
    if (settings.table) body.table_mb = settings.table;
    const take = (name, data) => this.stopper === stopper && this.take(known, name, data);
    let failure = null;
    try {
      await this.transport.stream("/api/analyse", body, take, stopper.signal);
    } catch (error) {
      failure = error;
    }
    if (this.stopper !== stopper) return; // stop() has said so already
    this.stopper = null;
    known.error ??= failure;
    this.settle(known);
  }

  take(known, name, data) {
    if (name === "values") {
      known.moves = data.moves;
      known.byMove = new Map(data.moves.map((entry) => [entry.move, entry]));
      known.value = data.position_value ?? null;
    } else if (name === "line") known.lines.set(data.move, data.line);
    else if (name === "estimates") known.estimates = data;
    else if (name === "note") known.note = data.message;
    else if (name === "progress") known.progress = data;
    else if (name === "end") {
      known.ended = data.reason;
      known.progress = { ...known.progress, ...data };
    } else if (name === "error") known.error = data;
    else return;
    if (name !== "end") this.tell("change", known, name);
  }

  settle(known) {
    known.running = false;
    known.ended ??= "stopped";
    this.tell("change", known, "end");
  }

  tell(type, known, what) {
    this.dispatchEvent(new CustomEvent(type, { detail: { known, what } }));
  }

  /** End the running analysis; what it found stays. */
  stop() {
    const stopper = this.stopper;
    if (!stopper) return;
    this.stopper = null;
    stopper.abort();
    this.settle(this.current);
  }

  /** Settles when a move's verdict is known, or when no more will be. Resolves to the move's entry or undefined. */
  decided(known, move) {
    const ready = () => {
      const entry = known.byMove.get(move);
      const judged = entry && entry.verdict !== "open";
      const measured =
        judged && (entry.verdict === "best" || entry.cost != null || (entry.exact && known.value?.exact));
      return measured || !known.running;
    };
    return new Promise((resolve) => {
      const look = () => {
        if (!ready()) return;
        this.removeEventListener("change", look);
        resolve(known.byMove.get(move));
      };
      this.addEventListener("change", look);
      look();
    });
  }
}
