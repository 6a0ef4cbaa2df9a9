/** A quiz: values are hidden, and each move of a person is judged by what the library proves of it. */

export class Quiz {
  constructor(session) {
    this.session = session;
    this.on = false;
    this.reset();
  }

  /** Hide or show the values. */
  set(on) {
    this.on = on;
    this.reset();
    this.session.emit("settings");
    this.session.emit("analysis", "quiz");
  }

  /** Set the score to zero. */
  reset() {
    Object.assign(this, { asked: 0, right: 0, lost: 0, unknown: 0, text: "", last: null, judging: false });
    this.session.emit("quiz", this);
  }

  get score() {
    return `${this.right} of ${this.asked} best${this.lost > 0 ? `, ${Number(this.lost.toFixed(2))} lost` : ""}`;
  }

  /** Judge a move before it is made. */
  async judge(node, move) {
    if (!this.on) return;
    this.judging = true;
    this.text = "The move is being judged.";
    this.session.emit("quiz", this);
    const { analyst, known } = this.session;
    const entry = await analyst.decided(known, move);
    this.judging = false;
    this.count(entry, this.session.label(move));
    this.last = node;
    this.session.emit("quiz", this);
  }

  count(entry, name) {
    if (!entry || entry.verdict === "open") {
      this.unknown += 1;
      this.text = `${name}: not proven within the time, so it does not count.`;
      return;
    }
    this.asked += 1;
    if (entry.verdict === "best") this.right += 1;
    if (typeof entry.cost === "number") this.lost += entry.cost;
    this.text = entry.verdict === "best" ? `${name} is best: ${entry.words}.` : `${name}: ${entry.cost_text}.`;
  }
}
