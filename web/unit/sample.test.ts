import { describe, expect, it } from 'vitest';
import { squareIndex } from '../src/lib/board';
import { readPgn } from '../src/lib/pgn';
import { add, sums } from '../src/lib/sample';

function summed(text: string, from = 0) {
  const all = sums();
  for (const game of readPgn(text)) add(all, game, from);
  return all;
}

const visits = (text: string, piece: string, square: string, from = 0): number => summed(text, from).visits.get(piece)?.[squareIndex(square)] ?? 0;

describe('sums over games', () => {
  const text = '1. e4 e5 2. Nf3 (2. Nc3 Nc6) 2... Ng8f6 3. Bc4 Nbxd7 4. O-O O-O-O+ 5. exd8=Q# Raxb8 *\n\n[FEN "8/8/8/8/8/8/8/K1k5 b - - 0 1"]\n\n1... Kd2 2. Ka2 *\n';

  it('count where pieces go, castling as two moves, without variations', () => {
    expect(summed(text).games).toBe(2);
    const all: [string, string][] = [['P', 'e4'], ['p', 'e5'], ['N', 'f3'], ['n', 'f6'], ['B', 'c4'], ['n', 'd7'], ['K', 'g1'], ['R', 'f1'], ['k', 'c8'], ['r', 'd8'], ['P', 'd8'], ['r', 'b8'], ['k', 'd2'], ['K', 'a2']];
    for (const [piece, square] of all) expect(visits(text, piece, square), piece + square).toBe(1);
    const total = [...summed(text).visits.values()].flat().reduce((sum, number) => sum + number, 0);
    expect(total).toBe(all.length);
    expect(visits(text, 'N', 'c3')).toBe(0);
    expect(visits(text, 'P', 'e4', 1)).toBe(0);
  });

  it('know the time of a move by clock, increment and base', () => {
    const clocks = '[TimeControl "60+2"]\n\n1. e4 {[%clk 0:01:00]} e5 { [%clk 0:00:58.5] } 2. Nf3 {fine [%clk 0:00:50]} (2. d4 {[%clk 0:00:01]}) 2... Nc6 3. Bb5 {[%clk 0:00:51]} *';
    const { times } = summed(clocks);
    expect(times[1]).toEqual({ seconds: 0, moves: 1 });
    expect(times[2]).toEqual({ seconds: 1.5, moves: 1 });
    expect(times[3]).toEqual({ seconds: 12, moves: 1 });
    expect(times[4]).toBeUndefined();
    expect(times[5]).toEqual({ seconds: 1, moves: 1 });
    expect(summed(clocks.replace('60+2', '-')).times).toEqual([]);
  });
});
