import { describe, expect, it } from 'vitest';
import type { LegalMove } from '../src/lib/api';
import { expected, meant } from '../src/lib/typed';

/** A legal move as the server describes it. */
function legal(san: string, uci: string, promotion: string | null = null): LegalMove {
  return {
    san, uci, from: uci.slice(0, 2), to: uci.slice(2, 4), promotion, capture: san.includes('x'), castling: san.startsWith('O'), en_passant: false, fen: '',
  };
}

// Rooks on d1, h1 and a3, pawns on d5 and g7, the king on e1.
const MOVES = [
  legal('Rf1', 'h1f1'), legal('R1d3', 'd1d3'), legal('Rad3', 'a3d3'), legal('Rxa7', 'a3a7'), legal('O-O', 'e1g1'), legal('Ke2', 'e1e2'), legal('d6', 'd5d6'),
  legal('g8=Q+', 'g7g8q', 'queen'), legal('g8=N', 'g7g8n', 'knight'),
];

describe('typed moves', () => {
  it('are found in SAN, UCI, and with squares that SAN leaves out', () => {
    for (const [text, uci] of [
      ['Rf1', 'h1f1'], ['Rh1f1', 'h1f1'], ['Rhf1', 'h1f1'], ['R3d3', 'a3d3'], ['Ra3-d3', 'a3d3'], ['Ra3xa7', 'a3a7'], ['Ra7', 'a3a7'], ['e1g1', 'e1g1'],
      ['0-0', 'e1g1'], ['g8=Q', 'g7g8q'], ['g8N', 'g7g8n'], ['d5d6', 'd5d6'], ['rf1', 'h1f1'], ['Ke2!?', 'e1e2'],
    ] as const) expect(meant(text, MOVES)?.uci, text).toBe(uci);
    for (const text of ['Rd3', 'R4vR3', 'Nf3', 'g8', 'Rb8', 'Rh1d3']) expect(meant(text, MOVES), text).toBeUndefined();
  });

  it('are explained where they mean none', () => {
    expect(expected('Rd3', MOVES)).toBe('Rd3 may be R1d3, Rad3');
    expect(expected('R4vR3', MOVES)).toBe('R4vR3 is not a move: expected one like Rf1');
    expect(expected('Nd6', MOVES)).toBe('Nd6 is not a legal move; to d6: d6');
    expect(expected('Rb8', MOVES)).toBe('Rb8 is not a legal move; legal: Rf1, R1d3, Rad3, Rxa7');
    expect(expected('b4', MOVES)).toBe('b4 is not a legal move');
    expect(expected('g8', MOVES)).toBe('g8 is not a legal move; to g8: g8=Q+, g8=N');
  });
});
