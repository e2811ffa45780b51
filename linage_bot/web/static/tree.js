// The moves of a game with its variations, as the server tells them: places by their numbers.

export const ROOT = 0;

export class Tree {
  constructor({ begins, nodes }) {
    this.nodes = new Map();
    for (const [at, parent, move, noted, closed] of nodes) {
      const before = this.nodes.get(parent);
      const number = (before?.number ?? 0) + (move === null ? 0 : 1);
      const player = (begins + number + 1) % 2; // who made the last move
      this.nodes.set(at, { at, parent, move, noted, closed, number, player, children: [] });
      before?.children.push(at);
    }
    this.main = new Set([ROOT, ...this.ahead(ROOT)]);
  }

  get(at) {
    return this.nodes.get(at);
  }

  back(at) {
    return this.get(at).parent;
  }

  forward(at) {
    return this.get(at).children[0] ?? null;
  }

  // The places that follow, as the main line goes.
  ahead(at) {
    const found = [];
    for (let next = this.forward(at); next !== null; next = this.forward(next)) found.push(next);
    return found;
  }

  // The places behind one as far as another, or null if that does not follow it.
  from(at, later) {
    const found = [];
    for (let here = later; here !== at; here = this.back(here)) {
      if (here === ROOT || !this.nodes.has(here)) return null;
      found.unshift(this.get(here));
    }
    return found;
  }

  // What else was played in place of the move that leads here.
  others(at) {
    const parent = this.back(at);
    return parent === null ? [] : this.get(parent).children.filter((each) => each !== at);
  }

  // The next variation, or the one before it, where the moves to here last had any.
  beside(at, step) {
    for (let here = at; this.back(here) !== null; here = this.back(here)) {
      const all = this.get(this.back(here)).children;
      if (all.length > 1) return all[all.indexOf(here) + step] ?? null;
    }
    return null;
  }

  // How many places go when this one does.
  count(at) {
    const waiting = [at];
    for (let index = 0; index < waiting.length; index++) waiting.push(...this.get(waiting[index]).children);
    return waiting.length;
  }
}
