// The tree of a game's moves and variations, as sent by the server. Nodes are identified by their numbers.

import { PASS } from "../board/geometry.js";

export const ROOT = 0;

export class Tree {
  /** @param {TreeMessage} message */
  constructor({ begins, nodes }) {
    /** @type {Map<number, TreeNode>} */
    this.nodes = new Map();
    for (const [node, parent, move, noted, closed] of nodes) {
      const before = parent === null ? undefined : this.nodes.get(parent);
      const number = (before?.number ?? 0) + (move === null ? 0 : 1);
      const player = (begins + number + 1) % 2; // the player who made the last move
      this.nodes.set(node, { node, parent, move, noted, closed, number, player, children: [] });
      before?.children.push(node);
    }
    this.main = new Set([ROOT, ...this.ahead(ROOT)]);
  }

  /** @param {number} node @returns {TreeNode} */
  get(node) {
    return /** @type {TreeNode} */ (this.nodes.get(node));
  }

  /** @param {number} node */
  back(node) {
    return this.get(node).parent;
  }

  /** @param {number} node */
  forward(node) {
    return this.get(node).children[0] ?? null;
  }

  /**
   * Return the nodes that follow a node if the first child is taken each time.
   * @param {number} node
   */
  ahead(node) {
    const found = [];
    for (let next = this.forward(node); next !== null; next = this.forward(next)) found.push(next);
    return found;
  }

  /**
   * Return the nodes after one node up to a later one, or null if the later one does not follow it.
   * @param {number} node
   * @param {number} later
   */
  from(node, later) {
    const found = [];
    /** @type {number | null} */
    let here = later;
    for (; here !== node; here = this.back(here)) {
      if (here === null || here === ROOT || !this.nodes.has(here)) return null;
      found.unshift(this.get(here));
    }
    return found;
  }

  /**
   * Return the number of the latest move at each point, on the way to a node.
   * @param {number} node
   */
  numbers(node) {
    /** @type {Map<number, number>} */
    const found = new Map();
    for (const { move, number } of this.from(ROOT, node) ?? []) {
      if (move !== null && move !== PASS) found.set(move, number);
    }
    return found;
  }

  /**
   * Return the alternatives to a node: the other children of its parent.
   * @param {number} node
   */
  others(node) {
    const parent = this.back(node);
    return parent === null ? [] : this.get(parent).children.filter((each) => each !== node);
  }

  /**
   * Return the next variation (`step` 1) or the previous one (`step` -1) at the last branching before a node, or null.
   * @param {number} node
   * @param {number} step
   */
  beside(node, step) {
    let here = node;
    for (let parent = this.back(node); parent !== null; parent = this.back(here)) {
      const all = this.get(parent).children;
      if (all.length > 1) return all[all.indexOf(here) + step] ?? null;
      here = parent;
    }
    return null;
  }

  /**
   * Return the number of nodes that are deleted with a node, including the node itself.
   * @param {number} node
   */
  count(node) {
    const waiting = [node];
    for (let index = 0; index < waiting.length; index++) waiting.push(...this.get(waiting[index]).children);
    return waiting.length;
  }
}
