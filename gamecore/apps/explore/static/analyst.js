/** What the server has found of positions so far: one running analysis, and a memory of earlier ones. */

const REMEMBERED = 400;

function record() {
  return {
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

/** The record of a position of which nothing is known. */
export const NOTHING = record();

const keyOf = ({ game, position }) => `${game} ${position}`;

export class Analyst extends EventTarget {
  constructor(transport) {
    super();
    Object.assign(this, { transport, records: new Map(), current: null, stopper: null });
  }

  /** The record of a position; an empty one, which is not kept, when nothing is known. */
  of(view, seat) {
    if (seat !== null) return { ...NOTHING, note: "one seat cannot know what its moves are worth" };
    return this.records.get(keyOf(view)) ?? record();
  }

  /** Analyse a position, unless as much is known of it already; whatever ran before ends. */
  async start(view, seat, seconds) {
    this.stop();
    const known = this.of(view, seat);
    const isDone = known.ended === "exact" || (known.ended === "limit" && known.seconds >= seconds);
    if (seat !== null || view.is_over || isDone) return;
    this.records.delete(keyOf(view)); // the record used last is the last one
    this.records.set(keyOf(view), known);
    if (this.records.size > REMEMBERED) this.records.delete(this.records.keys().next().value);
    const stopper = new AbortController();
    Object.assign(this, { current: known, stopper });
    Object.assign(known, { running: true, ended: null, error: null, seconds });
    this.tell(known, "start");
    const body = { game: view.game, position: view.position, seconds };
    const take = (name, data) => this.stopper === stopper && this.take(known, name, data);
    await this.transport.stream("/api/analyse", body, take, stopper.signal).catch((error) => (known.error ??= error));
    if (this.stopper === stopper) this.settle(); // else stop() has done it
  }

  take(known, name, data) {
    if (name === "values") {
      known.moves = data.moves;
      known.byMove = new Map(data.moves.map((entry) => [entry.move, entry]));
      known.value = data.position_value;
    } else if (name === "line") known.lines.set(data.move, data.line);
    else if (name === "note") known.note = data.message;
    else if (name === "end") Object.assign(known, { ended: data.reason, progress: data });
    else if (name in known) known[name] = data; // estimates, progress, error
    if (name !== "end" && name !== "start") this.tell(known, name);
  }

  settle() {
    const known = this.current;
    this.stopper = null;
    known.running = false;
    known.ended ??= "stopped";
    this.tell(known, "end");
  }

  tell(known, what) {
    this.dispatchEvent(new CustomEvent("change", { detail: { known, what } }));
  }

  /** End the running analysis; what it found stays. */
  stop() {
    if (!this.stopper) return;
    this.stopper.abort();
    this.settle();
  }

  /** Settles when a move's verdict is known, or when no more will be. Resolves to the move's entry or undefined. */
  decided(known, move) {
    const isReady = () => {
      const entry = known.byMove.get(move);
      const isJudged = entry && entry.verdict !== "open";
      const isExact = entry?.exact && known.value?.exact;
      return !known.running || (isJudged && (entry.verdict === "best" || entry.cost !== null || isExact));
    };
    return new Promise((resolve) => {
      const look = () => {
        if (!isReady()) return;
        this.removeEventListener("change", look);
        resolve(known.byMove.get(move));
      };
      this.addEventListener("change", look);
      look();
    });
  }
}
