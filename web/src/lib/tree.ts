// A game as a flat list of nodes, each with the index of its parent.

export interface Linked { parent: number | null }

/** The nodes from the first move to this one. */
export function path<T extends Linked>(nodes: readonly T[], index: number): T[] {
  const line: T[] = [];
  for (let node = nodes[index]; node && node.parent !== null; node = nodes[node.parent]) line.push(node);
  return line.reverse();
}

/** The children of each node, in the order of the text. */
export function children(nodes: readonly Linked[]): number[][] {
  const all: number[][] = nodes.map(() => []);
  nodes.forEach(({ parent }, index) => {
    if (parent !== null) all[parent]?.push(index);
  });
  return all;
}

/** The node after this one in its line, or the node itself at the end. */
export function next(nodes: readonly Linked[], index: number): number {
  const after = nodes.findIndex(({ parent }) => parent === index);
  return after < 0 ? index : after;
}

export function previous(nodes: readonly Linked[], index: number): number {
  return nodes[index]?.parent ?? index;
}

/** The last node of the line that goes on from this one. */
export function end(nodes: readonly Linked[], index: number): number {
  for (;;) {
    const after = next(nodes, index);
    if (after === index) return index;
    index = after;
  }
}

/** The other continuation of the same position, upwards or downwards. */
export function sibling(nodes: readonly Linked[], index: number, step: number): number {
  const parent = nodes[index]?.parent;
  if (parent === null || parent === undefined) return index;
  const all = children(nodes)[parent] ?? [];
  return all[all.indexOf(index) + step] ?? index;
}

/** The node at which the variation of this one leaves the line above it. */
export function leave(nodes: readonly Linked[], index: number): number {
  for (let at = index; ; ) {
    const parent = nodes[at]?.parent;
    if (parent === null || parent === undefined) return index;
    if (next(nodes, parent) !== at) return parent;
    at = parent;
  }
}

/** The node of the main line after a number of half-moves, or the last one before it. */
export function atPly(nodes: readonly Linked[], ply: number): number {
  let index = 0;
  for (let played = 0; played < ply; played++) index = next(nodes, index);
  return index;
}

/** A text of moves: a line, and variations that begin before the move that they follow. */
export type Word = { node: number; isLineStart: boolean } | { variation: Word[] };

/** The words of a game, variations nested. Iterative along a line: only variations nest. */
export function words(nodes: readonly Linked[], all = children(nodes), from = 0): Word[] {
  const text: Word[] = [];
  let isLineStart = true;
  for (let at = from; ; ) {
    const [main, ...others] = all[at] ?? [];
    if (main === undefined) return text;
    text.push({ node: main, isLineStart });
    isLineStart = false;
    for (const other of others) {
      text.push({ variation: [{ node: other, isLineStart: true }, ...continued(words(nodes, all, other))] });
      isLineStart = true;
    }
    at = main;
  }
}

function continued(text: Word[]): Word[] {
  const [first, ...rest] = text;
  return first && 'node' in first ? [{ ...first, isLineStart: false }, ...rest] : text;
}
