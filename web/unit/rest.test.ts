import { describe, expect, it } from 'vitest';
import type { Game, Node } from '../src/lib/api';
import { restOfGame } from '../src/lib/rest';

const node = (parent: number | null, ply: number, san: string | null, fen: string, more: Partial<Node> = {}): Node => ({
  parent, ply, main: true, uci: null, san, fen, check: false, nags: [], comments: [], clock: null, elapsed: null, evaluation: null,
  arrows: [], squares: [], counting: null, words: [], ...more,
});

describe('the rest of a game', () => {
  const after = 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2';
  const game = {
    id: 1, variant: 'chess', tags: { Event: '?', White: 'A "B"', Black: 'C', Result: '1-0' }, result: '1-0', plies: 4, fault: null, opening: null,
    fen: 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1', after: [],
    nodes: [
      node(null, 0, null, 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'), node(0, 1, 'e4', 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'), node(1, 2, 'e5', after),
      node(2, 3, 'Nf3', '', { nags: [{ number: 1, symbol: '!' }], comments: ['best'], clock: 65, evaluation: { cp: 31 } }),
      node(2, 3, 'f4', '', { before: ['or'], arrows: [{ color: 'G', from: 'f2', to: 'f4' }] }), node(4, 4, 'exf4', ''), node(3, 4, 'Nc6', ''),
    ],
  } as unknown as Game;

  it('has its position in tags, and its variations, glyphs and comments', () => {
    const text = restOfGame(game, 2);
    expect(text).toContain('[White "A \\"B\\""]');
    expect(text).toContain(`[SetUp "1"]\n[FEN "${after}"]\n\n`);
    expect(text.split('\n\n')[1]?.replace(/\s+/g, ' ')).toBe('2. Nf3 $1 {[%eval 0.31] [%clk 0:01:05] best} (2. f4 {[%cal Gf2f4] or} 2... exf4) 2... Nc6 1-0 ');
    expect(restOfGame(game, 1)).toMatch(/\n\n1\.\.\. e5 2\. Nf3 /);
  });

  it('is the whole game at its start', () => {
    expect(restOfGame(game, 0)).not.toContain('FEN');
    expect(restOfGame(game, 0)).toMatch(/\n\n1\. e4 e5 2\. Nf3 /);
  });
});
