/** Whether values are hidden; and a quiz, in which each move of a person is judged by what the library proves of it. */

export class Quiz {
  constructor(session) {
    this.session = session;
    this.set(false);
  }

  /** Begin or end a quiz; hide the values in one, or in a game against the computer, or show them. */
  set(on, hides = on) {
    Object.assign(this, { on, hides });
    this.reset();
    this.session.emit("settings");
    this.session.emit("analysis", "quiz");
  }

  /** Set the score to zero. */
  reset() {
    Object.assign(this, { asked: 0, right: 0, lost: 0, text: "", last: null, judging: false, tried: new Set() });
    this.session.emit("quiz");
  }

  get score() {
    return `${this.right} of ${this.asked} best${this.lost > 0 ? `, ${Number(this.lost.toFixed(2))} lost` : ""}`;
  }

  /** Judge a move before it is made; one without a choice does not count. */
  async judge(node, move) {
    if (!this.on || node.view.legal_moves.length < 2) return;
    this.judging = true;
    this.text = "The move is being judged.";
    this.session.emit("quiz");
    const { analyst, known } = this.session;
    const entry = await analyst.decided(known, move);
    const name = this.session.label(move);
    const isBest = entry?.verdict === "best";
    this.judging = false;
    this.last = node;
    if (isBest || entry?.verdict === "wrong") {
      if (!this.tried.has(node)) {
        this.asked += 1;
        this.right += Number(isBest);
        this.lost += entry.cost ?? 0;
      }
      this.tried.add(node); // another try does not count
      this.text = isBest ? `${name} is best: ${entry.words}.` : ""; // what a mistake costs is said elsewhere
    } else this.text = `${name}: not proven within the time, so it does not count.`;
    this.session.emit("quiz");
  }
}
