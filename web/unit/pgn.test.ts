import { describe, expect, it } from 'vitest';
import { leaves, readPgn, tree, writePgn, type Move } from '../src/lib/pgn';
import { atPly, children, end, leave, next, path, sibling, words } from '../src/lib/tree';

function moves(text: string): Move[] {
  return text.split(' ').map((san) => ({ san, uci: san }));
}

const ROSTER = { Event: 'R "q"', Result: '*' };
const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

describe('PGN', () => {
  it('reads lines out of comments, glyphs and nested variations', () => {
    const [game, other] = readPgn(`[Event "A \\"b\\""]\n\n1. e4 {a (comment) 1. d4} e5 $1 (1... c5! 2. Nf3 (2. c3 d5) 2... d6) (1...e6) 2. Nf3 ; rest ( of line\n2... Nc6 1-0\n\n[Event "C"]\n\n1.d4 *`);
    expect(game?.tags.Event).toBe('A "b"');
    expect(game?.lines.map((line) => line.join(' ')).sort()).toEqual(['e4 c5 Nf3 d6', 'e4 c5 c3 d5', 'e4 e5 Nf3 Nc6', 'e4 e6']);
    expect(game?.lines[0]).toEqual(['e4', 'e5', 'Nf3', 'Nc6']);
    expect(other?.lines).toEqual([['d4']]);
  });

  it('reads null moves, castling with zeros and every result', () => {
    const lines = readPgn('1. e4 -- 2. 0-0 0-0-0 $3 1/2-1/2 1.d4 Z0 0-1 1. c4').map((game) => game.lines[0]?.join(' '));
    expect(lines).toEqual(['e4 -- 0-0 0-0-0', 'd4 Z0', 'c4']);
  });

  it('survives what is no PGN', () => {
    expect(readPgn('')).toEqual([]);
    expect(readPgn('))) ((( }{ 12')).toEqual([]);
  });

  it('writes lines with variations, numbers and comments, and reads them back', () => {
    const lines = ['e4 c5 Nf3 d6', 'e4 c5 c3', 'e4 e5', 'd4 d5'].map(moves);
    const roots = tree(lines);
    if (roots[0]) roots[0].comment = '10 games: +5 {x}';
    const text = writePgn(ROSTER, roots, START);
    expect(text).toContain('[Event "R \\"q\\""]');
    expect(text.replace(/\s+/g, ' ')).toContain('1. e4 {10 games: +5 {x)} (1. d4 d5) 1... c5 (1... e5) 2. Nf3 (2. c3) 2... d6 *');
    const back = readPgn(text)[0]?.lines.map((line) => line.join(' ')).sort();
    expect(back).toEqual(['d4 d5', 'e4 c5 Nf3 d6', 'e4 c5 c3', 'e4 e5']);
  });

  it('merges lines that continue each other', () => {
    const lines = leaves(tree(['e4 c5', 'd4', 'e4 c5 Nf3', 'e4', 'd4'].map(moves)));
    expect(lines.map((line) => line.map(({ san }) => san).join(' '))).toEqual(['e4 c5 Nf3', 'd4']);
  });

  it('begins with the number of the FEN', () => {
    const text = writePgn(ROSTER, tree([moves('Kb7 Kc3')]), '8/8/8/8/8/8/8/K1k5 b - - 0 40');
    expect(text).toContain('40... Kb7 41. Kc3 *');
  });
});

// 0 ─ 1 e4 ─ 2 e5 ─ 3 Nf3, with 4 c5 ─ 5 Nf3 instead of 2, and 6 c3 instead of 5.
const NODES = [null, 0, 1, 2, 1, 4, 4].map((parent) => ({ parent }));

describe('tree', () => {
  it('steps as the keys do', () => {
    expect(children(NODES)).toEqual([[1], [2, 4], [3], [], [5, 6], [], []]);
    expect([next(NODES, 0), next(NODES, 3), end(NODES, 0), end(NODES, 4)]).toEqual([1, 3, 3, 5]);
    expect([sibling(NODES, 2, 1), sibling(NODES, 4, 1), sibling(NODES, 4, -1), sibling(NODES, 0, 1)]).toEqual([4, 4, 2, 0]);
    expect([leave(NODES, 6), leave(NODES, 5), leave(NODES, 3)]).toEqual([4, 1, 3]);
    expect([atPly(NODES, 2), atPly(NODES, 99)]).toEqual([2, 3]);
    expect(path(NODES, 6)).toEqual([NODES[1], NODES[4], NODES[6]]);
  });

  it('nests variations after the move that they replace', () => {
    const word = (node: number, isLineStart = false) => ({ node, isLineStart });
    expect(words(NODES)).toEqual([
      word(1, true), word(2),
      { variation: [word(4, true), word(5), { variation: [word(6, true)] }] },
      word(3, true),
    ]);
  });
});
