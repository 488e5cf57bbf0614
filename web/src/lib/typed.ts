// Moves as people type them: the move that is meant, or the reason why there is none.

import type { LegalMove } from './api';

function bare(san: string): string {
  return san.replace(/[+#!?]+$/, '');
}

/** The legal move that a text means, in SAN or UCI notation; squares of departure that SAN leaves out may be there. */
export function meant(text: string, legal: readonly LegalMove[]): LegalMove | undefined {
  const typed = bare(text.trim());
  const exact = legal.find(({ san, uci }) => bare(san) === typed || uci === typed)
    ?? legal.find(({ san }) => bare(san).toLowerCase() === typed.toLowerCase().replaceAll('0', 'o'));
  if (exact) return exact;
  const found = candidates(typed, legal);
  return found?.length === 1 ? found[0] : undefined;
}

/** The legal moves that agree with a text of the form of SAN; null for a text of another form. */
function candidates(typed: string, legal: readonly LegalMove[]): LegalMove[] | null {
  const [whole, role = '', file = '', rank = '', to = '', promotion = ''] = /^([A-Z]?)([a-h]?)([1-8]?)[x:-]?([a-h][1-8])(?:=?([A-Z]))?$/.exec(typed) ?? [];
  if (whole === undefined) return null;
  return legal.filter((move) => move.to === to && roleOf(move) === role && move.from.includes(file) && move.from.includes(rank)
    && (promotion === '' ? move.promotion === null : bare(move.san).endsWith(promotion)));
}

/** The letter of the piece that moves; '' for a pawn. */
function roleOf({ san, castling }: LegalMove): string {
  return castling ? 'K' : (/^[A-Z]/.exec(san)?.[0] ?? '');
}

/** What was expected in place of a text that means no legal move. */
export function expected(text: string, legal: readonly LegalMove[]): string {
  const typed = bare(text.trim());
  const list = (moves: readonly LegalMove[]): string => moves.map(({ san }) => san).join(', ');
  const found = candidates(typed, legal);
  if (found !== null && found.length > 1) return `${typed} may be ${list(found)}`;
  const to = /([a-h][1-8])(?:=?[A-Z])?$/.exec(typed)?.[1];
  const role = /^[A-Z]/.exec(typed)?.[0] ?? '';
  if (found === null) return `${typed} is not a move: expected one like ${list(legal.slice(0, 1)) || 'e4'}`;
  const there = legal.filter((move) => move.to === to);
  if (there.length > 0) return `${typed} is not a legal move; to ${to}: ${list(there)}`;
  const others = legal.filter((move) => roleOf(move) === role);
  return `${typed} is not a legal move${others.length > 0 && others.length <= 14 && role !== '' ? `; legal: ${list(others)}` : ''}`;
}
