import { describe, expect, it } from 'vitest';
import { chosen, common, played, sibling, type Lines } from '../src/lib/lines';

const moves = (text: string): string[] => text.split(' ');
const play = (lines: Lines, text: string): Lines => moves(text).reduce(played, lines);
const START: Lines = { moves: [], ply: 0, others: [] };

describe('lines', () => {
  it('keep what is left for another move', () => {
    const italian = play(START, 'e2e4 e7e5 g1f3 b8c6 f1c4');
    expect(italian.others).toEqual([]);
    const spanish = played({ ...italian, ply: 4 }, 'f1b5');
    expect(spanish).toEqual({ moves: moves('e2e4 e7e5 g1f3 b8c6 f1b5'), ply: 5, others: [italian.moves] });
    // The move of a line that is known is a step into it.
    expect(played({ ...spanish, ply: 4 }, 'f1c4')).toEqual({ moves: italian.moves, ply: 5, others: [spanish.moves] });
    const sicilian = played({ ...spanish, ply: 1 }, 'c7c5');
    expect(sicilian.others).toEqual([italian.moves, spanish.moves]);
    expect(played({ ...sicilian, ply: 1 }, 'e7e5')).toEqual({ moves: italian.moves, ply: 2, others: [spanish.moves, sicilian.moves] });
  });

  it('keep none that another one goes on from', () => {
    const line = play(START, 'e2e4 e7e5');
    expect(played(line, 'g1f3').others).toEqual([]);
    expect(played({ ...line, ply: 0 }, 'e2e4')).toEqual({ ...line, ply: 1 });
  });

  it('are chosen at the move with which they leave the one on the board', () => {
    const lines: Lines = { moves: moves('e2e4 c7c5 g1f3'), ply: 3, others: [moves('e2e4 e7e5 g1f3 b8c6')] };
    expect(common(lines.moves, lines.others[0] ?? [])).toBe(1);
    const other = chosen(lines, lines.others[0] ?? []);
    expect(other).toEqual({ moves: moves('e2e4 e7e5 g1f3 b8c6'), ply: 2, others: [lines.moves] });
    expect(chosen(other, other.others[0] ?? [])).toEqual({ ...lines, ply: 2 });
  });

  it('are walked from move to move, each once', () => {
    let lines: Lines | null = [moves('e2e4 d7d6'), moves('e2e4 c7c5 g1f3'), moves('e2e4 e7e5')].reduce((all, line) => line.reduce(played, { ...all, ply: 0 }), START);
    const seen: string[] = [];
    while (lines) {
      seen.push(lines.moves[1] ?? '');
      lines = sibling(lines, -1);
    }
    expect(seen).toEqual(['e7e5', 'd7d6', 'c7c5']);
    expect(sibling({ moves: ['e2e4'], ply: 1, others: [] }, 1)).toBeNull();
    expect(sibling(START, 1)).toBeNull();
  });
});
