// Boards as text: the placement of a FEN, and patterns, which are placements with squares of any content.

import { isMakruk } from './pieces';

/** The 64 squares from a1 to h8; '' is an empty square. */
export type Placement = string[];

export function squareName(square: number): string {
  return 'abcdefgh'.charAt(square % 8) + String(Math.floor(square / 8) + 1);
}

export function squareIndex(name: string): number {
  return name.charCodeAt(0) - 97 + 8 * (name.charCodeAt(1) - 49);
}

/** Reads the placement of a FEN; what does not fit is left empty, for the server judges FENs. */
export function placement(fen: string): Placement {
  const squares: Placement = Array.from({ length: 64 }, () => '');
  const ranks = (fen.trim().split(/\s+/)[0] ?? '').split('/');
  ranks.slice(0, 8).forEach((rank, row) => {
    let file = 0;
    for (const [piece] of rank.matchAll(/\d|[A-Za-z]~?/g)) {
      if (/\d/.test(piece)) file += Number(piece);
      else if (file < 8) squares[8 * (7 - row) + file++] = piece;
    }
  });
  return squares;
}

/** The marks of a pattern beside pieces: an empty square, any piece of a color, any piece. */
export const MARKS = ['_', 'A', 'a', '[Aa]'] as const;

/** The mark of a square of chess without a pawn: empty, or any other piece. */
export const NO_PAWN = '[_NBRQKnbrqk]';

/** Writes squares as a pattern: '' is any content, and the pieces and marks as they are. */
export function patternText(squares: Placement): string {
  const ranks = [];
  for (let rank = 7; rank >= 0; rank--) {
    let text = '';
    let any = 0;
    for (const content of squares.slice(8 * rank, 8 * rank + 8)) {
      if (content === '') {
        any++;
        continue;
      }
      text += (any > 0 ? String(any) : '') + content;
      any = 0;
    }
    ranks.push(text + (any > 0 ? String(any) : ''));
  }
  return ranks.join('/');
}

/** Reads a pattern; the opposite of `patternText`. */
export function patternSquares(text: string): Placement {
  const squares: Placement = Array.from({ length: 64 }, () => '');
  text.split('/').slice(0, 8).forEach((rank, row) => {
    let file = 0;
    for (const [content] of rank.matchAll(/\d|\[[^\]]*\]|[A-Za-z]~?|_|\?/g)) {
      if (/\d/.test(content)) file += Number(content);
      else if (file < 8) squares[8 * (7 - row) + file++] = content === '?' ? '' : content;
    }
  });
  return squares;
}

export const EMPTY_PATTERN = patternText(Array.from({ length: 64 }, () => ''));

/** The usual start of a variant. */
export function start(variant: string): string {
  if (isMakruk(variant)) {
    return variant === 'asean'
      ? 'rnbqkbnr/8/pppppppp/8/8/PPPPPPPP/8/RNBQKBNR w - - 0 1'
      : 'rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1';
  }
  return 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
}

/** Center of a square in units of a square, as seen by White or, flipped, by Black. */
export function center(square: number, isFlipped: boolean): [x: number, y: number] {
  const file = square % 8;
  const rank = Math.floor(square / 8);
  return isFlipped ? [7.5 - file, rank + 0.5] : [file + 0.5, 7.5 - rank];
}

/** The square at a place of the board, or -1 outside. */
export function squareAt(x: number, y: number, isFlipped: boolean): number {
  const column = Math.floor(x);
  const row = Math.floor(y);
  if (column < 0 || column > 7 || row < 0 || row > 7) return -1;
  return isFlipped ? 7 - column + 8 * row : column + 8 * (7 - row);
}

/** "1." or "1…" before a move that is the half-move `ply` (1 is the first), counted from the FEN of the start. */
export function moveNumber(fen: string, ply: number): { number: number; isWhite: boolean } {
  const fields = fen.split(/\s+/);
  const first = 2 * (Number(fields[5] ?? 1) || 1) - (fields[1] === 'b' ? 0 : 1);
  const index = first + ply - 1;
  return { number: Math.ceil(index / 2), isWhite: index % 2 === 1 };
}
