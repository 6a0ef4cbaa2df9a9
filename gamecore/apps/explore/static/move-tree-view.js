/** The moves tried, as a tree: the first line runs on, others stand indented below the move where they branch off. */

import { Part, html } from "./dom.js";
import { named } from "./values.js";

class MoveTreeView extends Part {
  build() {
    this.tree = html("div", { role: "tree", class: "tree", "aria-label": "Moves tried" });
    this.append(this.tree);
    this.tree.addEventListener("keydown", (event) => this.key(event));
    this.follow("position", () => this.rebuild());
    this.follow("analysis settings", () => this.mark());
  }

  rebuild() {
    const { session } = this;
    const focused = this.tree.contains(document.activeElement);
    this.items = new Map();
    this.hidden = !session.tree.root.children.length;
    this.tree.replaceChildren(...this.run(session.tree.root, 1));
    const current = this.items.get(session.node);
    for (const item of this.items.values()) item.tabIndex = -1;
    current.tabIndex = 0;
    current.setAttribute("aria-selected", "true");
    if (focused) current.focus();
    this.reveal(current);
    this.mark();
  }

  /** Scroll the tree itself, never the page. */
  reveal(item) {
    const top = item.offsetTop - this.tree.offsetTop;
    if (top < this.tree.scrollTop || top + item.offsetHeight > this.tree.scrollTop + this.tree.clientHeight) {
      this.tree.scrollTop = top - this.tree.clientHeight / 2;
    }
  }

  /** A node and what follows it: the first children on the same line, the others as groups of their own. */
  run(start, level) {
    const content = [this.item(start, level)];
    for (let node = start; node.children.length; node = node.children[0]) {
      const [next, ...others] = node.children;
      content.push(this.item(next, level));
      for (const other of others) {
        content.push(html("div", { role: "group", class: "branch" }, this.run(other, level + 1)));
      }
    }
    return content;
  }

  item(node, level) {
    const text = node.move ? named(this.session, node.move) : "start";
    const number = node.ply || null; // before the move, by the style sheet
    const attributes = { role: "treeitem", class: "node", "aria-level": level, "aria-selected": "false", "data-number": number };
    const element = html("span", { ...attributes, onclick: () => this.session.show(node) }, text);
    this.items.set(node, element);
    return element;
  }

  /** A mark after each move that is proven wrong; none in a quiz. */
  mark() {
    const { session } = this;
    for (const [node, item] of this.items) {
      const parent = node.parent && session.analyst.of(node.parent.view, session.seat);
      const wrong = !session.quiz.on && parent?.byMove.get(node.move)?.verdict === "wrong";
      item.classList.toggle("wrong", Boolean(wrong));
    }
  }

  key(event) {
    const { session } = this;
    const { node } = session;
    const step = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" }[event.key];
    const across = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!step && !across) return;
    event.preventDefault();
    event.stopPropagation();
    const siblings = node.parent?.children ?? [node];
    const goal = step ? session.steps[step] : siblings[siblings.indexOf(node) + across];
    if (goal) session.show(goal);
  }
}

customElements.define("gc-move-tree", MoveTreeView);
