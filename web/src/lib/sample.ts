// Sums over the moves of many games, which the server has no numbers for: made here, of a sample of the games.

import { address, Problem, type Query } from './api';
import { squareIndex } from './board';
import { readPgn, type Text } from './pgn';

export interface Sums {
  games: number;
  /** For each piece, as a FEN writes it, how often it went to each square. */
  visits: Map<string, number[]>;
  /** Seconds and moves by half-move, of the games that have clocks. */
  times: { seconds: number; moves: number }[];
}

/** Games of a sample at most. */
export const MOST = 2000;

export function sums(): Sums {
  return { games: 0, visits: new Map(), times: [] };
}

function visit({ visits }: Sums, piece: string, square: string): void {
  let squares = visits.get(piece);
  if (!squares) visits.set(piece, squares = Array.from({ length: 64 }, () => 0));
  const index = squareIndex(square);
  squares[index] = (squares[index] ?? 0) + 1;
}

/** Adds the moves of a game after its first `from` half-moves. */
export function add(sums: Sums, { tags, lines, clocks }: Text, from: number): void {
  sums.games++;
  const isBlackFirst = tags.FEN?.split(' ')[1] === 'b';
  const [, base, increment] = /^(\d+)(?:\+(\d+))?$/.exec(tags.TimeControl ?? '') ?? [];
  (lines[0] ?? []).forEach((san, index) => {
    const ply = index + 1;
    if (ply <= from) return;
    const isWhite = (index % 2 === 0) !== isBlackFirst;
    const [rank, letter] = isWhite ? ['1', (role: string) => role] : ['8', (role: string) => role.toLowerCase()];
    const [, role, square] = /^([A-Z]?)[a-h]?[1-8]?x?([a-h][1-8])/.exec(san) ?? [];
    const castled = /^O-O(-O)?/.exec(san);
    if (square !== undefined) visit(sums, letter(role || 'P'), square);
    if (castled) {
      visit(sums, letter('K'), `${castled[1] ? 'c' : 'g'}${rank}`);
      visit(sums, letter('R'), `${castled[1] ? 'd' : 'f'}${rank}`);
    }
    const before = ply > 2 ? clocks[ply - 2] : base === undefined ? undefined : Number(base);
    const after = clocks[ply];
    if (before === undefined || after === undefined || base === undefined) return;
    // The first move of each side has no increment before it, and on some servers no clock.
    const seconds = before - after + (ply > 2 ? Number(increment ?? 0) : 0);
    if (seconds < 0) return;
    const time = sums.times[ply] ?? { seconds: 0, moves: 0 };
    sums.times[ply] = { seconds: time.seconds + seconds, moves: time.moves + 1 };
  });
}

/** Sums over a sample of the `total` games that match. Calls back now and then. */
export async function gather(query: Query, total: number, from: number, signal: AbortSignal, heard: (sums: Sums) => void): Promise<void> {
  const share = Math.min(1, MOST / Math.max(1, total)) * (query.sample ? Number.parseFloat(query.sample) / 100 : 1);
  const answer = await fetch(address('games.pgn', share < 1 ? { ...query, sample: `${(100 * share).toFixed(6)}%` } : query), { signal });
  if (!answer.ok || !answer.body) throw new Problem(answer.status, 'the games cannot be read', null, null);
  const all = sums();
  let text = '';
  const take = (end: number): void => {
    for (const game of readPgn(text.slice(0, end))) add(all, game, from);
    text = text.slice(end);
    heard(structuredClone(all));
  };
  const reader = answer.body.pipeThrough(new TextDecoderStream() as unknown as ReadableWritablePair<string, Uint8Array>).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += part.value;
    const end = text.lastIndexOf('\n\n[');
    if (end > 0) take(end + 2);
  }
  take(text.length);
}
