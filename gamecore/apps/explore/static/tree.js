/** The tree of the moves tried: a node a position, a child a move; every node remembers the child visited last. */

function node(view, move, parent) {
  return { view, move, parent, children: [], chosen: null, ply: parent ? parent.ply + 1 : 0 };
}

export class MoveTree {
  constructor(view) {
    this.root = node(view, null, null);
  }

  /** The child of `parent` by this move: the one that is there, or a new one. */
  add(parent, move, view) {
    let child = parent.children.find((one) => one.move === move);
    if (!child) {
      child = node(view, move, parent);
      parent.children.push(child);
    }
    parent.chosen ??= child;
    return child;
  }

  /** Make the path from the root to a node the present one. */
  choose(end) {
    for (let child = end; child.parent; child = child.parent) child.parent.chosen = child;
  }

  /** The nodes from the root to this one. */
  path(end) {
    const nodes = [];
    for (let one = end; one; one = one.parent) nodes.unshift(one);
    return nodes;
  }

  /** The present path: from the root through the chosen children to the end. */
  present() {
    const nodes = [];
    for (let one = this.root; one; one = one.chosen) nodes.push(one);
    return nodes;
  }

  /** The nodes from the root along these moves, as far as they were tried. */
  along(moves) {
    const nodes = [this.root];
    for (const move of moves) {
      const next = nodes.at(-1).children.find((one) => one.move === move);
      if (!next) break;
      nodes.push(next);
    }
    return nodes;
  }

  /** Forget all but the path to a node. */
  prune(end) {
    Object.assign(end, { children: [], chosen: null });
    for (let child = end; child.parent; child = child.parent) child.parent.children = [child];
    this.choose(end);
  }

  /** All nodes without children. */
  leaves(start = this.root) {
    return start.children.length ? start.children.flatMap((child) => this.leaves(child)) : [start];
  }
}
