// The tree of a game's moves and variations, as sent by the server. Nodes are identified by their numbers.

export const ROOT = 0;

export class Tree {
  /** @param {TreeMessage} message */
  constructor({ begins, nodes }) {
    /** @type {Map<number, TreeNode>} */
    this.nodes = new Map();
    for (const [at, parent, move, noted, closed] of nodes) {
      const before = parent === null ? undefined : this.nodes.get(parent);
      const number = (before?.number ?? 0) + (move === null ? 0 : 1);
      const player = (begins + number + 1) % 2; // the player who made the last move
      this.nodes.set(at, { at, parent, move, noted, closed, number, player, children: [] });
      before?.children.push(at);
    }
    this.main = new Set([ROOT, ...this.ahead(ROOT)]);
  }

  /** @param {number} at @returns {TreeNode} */
  get(at) {
    return /** @type {TreeNode} */ (this.nodes.get(at));
  }

  /** @param {number} at */
  back(at) {
    return this.get(at).parent;
  }

  /** @param {number} at */
  forward(at) {
    return this.get(at).children[0] ?? null;
  }

  /**
   * Return the nodes that follow a node if the first child is taken each time.
   * @param {number} at
   */
  ahead(at) {
    const found = [];
    for (let next = this.forward(at); next !== null; next = this.forward(next)) found.push(next);
    return found;
  }

  /**
   * Return the nodes after one node up to a later one, or null if the later one does not follow it.
   * @param {number} at
   * @param {number} later
   */
  from(at, later) {
    const found = [];
    /** @type {number | null} */
    let here = later;
    for (; here !== at; here = this.back(here)) {
      if (here === null || here === ROOT || !this.nodes.has(here)) return null;
      found.unshift(this.get(here));
    }
    return found;
  }

  /**
   * Return the alternatives to a node: the other children of its parent.
   * @param {number} at
   */
  others(at) {
    const parent = this.back(at);
    return parent === null ? [] : this.get(parent).children.filter((each) => each !== at);
  }

  /**
   * Return the next variation (`step` 1) or the previous one (`step` -1) at the last branching before a node, or null.
   * @param {number} at
   * @param {number} step
   */
  beside(at, step) {
    let here = at;
    for (let parent = this.back(at); parent !== null; parent = this.back(here)) {
      const all = this.get(parent).children;
      if (all.length > 1) return all[all.indexOf(here) + step] ?? null;
      here = parent;
    }
    return null;
  }

  /**
   * Return the number of nodes that are deleted with a node, including the node itself.
   * @param {number} at
   */
  count(at) {
    const waiting = [at];
    for (let index = 0; index < waiting.length; index++) waiting.push(...this.get(waiting[index]).children);
    return waiting.length;
  }
}
