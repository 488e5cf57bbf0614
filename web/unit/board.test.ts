import { describe, expect, it } from 'vitest';
import { center, EMPTY_PATTERN, moveNumber, patternSquares, patternText, placement, squareAt, squareIndex, squareName, start } from '../src/lib/board';
import { drawing, ofFen, pieceName, roles } from '../src/lib/pieces';
import { rowsInView, scrollTo } from '../src/lib/scroll';

describe('board', () => {
  it('reads placements, promoted bia, too', () => {
    const squares = placement(start('chess'));
    expect(squares[squareIndex('e1')]).toBe('K');
    expect(squares[squareIndex('d8')]).toBe('q');
    expect(squares[squareIndex('e4')]).toBe('');
    expect(placement('8/8/8/3M~4/8/8/8/8 w - - 0 1')[squareIndex('d5')]).toBe('M~');
    expect(placement('nonsense/9999/////////')).toHaveLength(64);
  });

  it('writes the patterns that it reads', () => {
    const text = '8/2[_A]5/8/3P_3/8/a7/8/7K';
    expect(patternText(patternSquares(text))).toBe(text);
    expect(patternText(patternSquares('8/8/3?4/8/8/8/8/8'))).toBe(EMPTY_PATTERN);
  });

  it('finds the square under each center, from both sides', () => {
    for (let square = 0; square < 64; square++) {
      expect(squareIndex(squareName(square))).toBe(square);
      for (const isFlipped of [false, true]) expect(squareAt(...center(square, isFlipped), isFlipped)).toBe(square);
    }
    expect(squareAt(-0.1, 3, false)).toBe(-1);
    expect(squareAt(8, 3, false)).toBe(-1);
  });

  it('numbers moves from the start of the line', () => {
    expect(moveNumber(start('chess'), 1)).toEqual({ number: 1, isWhite: true });
    expect(moveNumber(start('chess'), 4)).toEqual({ number: 2, isWhite: false });
    expect(moveNumber('8/8/8/8/8/8/8/K1k5 b - - 0 40', 1)).toEqual({ number: 40, isWhite: false });
    expect(moveNumber('8/8/8/8/8/8/8/K1k5 b - - 0 40', 2)).toEqual({ number: 41, isWhite: true });
  });

  it('has a drawing and a name for each piece of each game', () => {
    for (const variant of ['chess', 'makruk', 'asean']) {
      for (const role of roles(variant)) {
        const piece = role === '~' ? 'm~' : role;
        expect(drawing(piece, variant)?.outline).toMatch(/^M/);
        expect(pieceName(piece, variant)).toMatch(/^black /);
      }
    }
    expect(placement(start('asean')).map((piece) => ofFen(piece, 'asean')).join('').slice(0, 8)).toBe('RNSMKSNR');
    expect(drawing('M~', 'makruk', true)).toEqual(drawing('Q', 'chess'));
    expect(drawing('s', 'makruk', true)).toEqual(drawing('b', 'chess'));
    for (const piece of placement(start('asean'))) if (piece !== '') expect(drawing(piece, 'asean')).not.toBeNull();
  });
});

describe('rows in view', () => {
  it('are exact where the browser can scroll them', () => {
    expect(rowsInView(1000, 28, 280, 280)).toEqual({ height: 28000, first: 10, last: 20, top: 280 });
    expect(rowsInView(0, 28, 0, 280)).toMatchObject({ height: 0, first: 0, last: -1 });
  });

  it('reach the first and the last of ten million', () => {
    const count = 10_000_000;
    const { height } = rowsInView(count, 28, 0, 500);
    expect(height).toBeLessThanOrEqual(8_000_000);
    expect(rowsInView(count, 28, 0, 500).first).toBe(0);
    expect(rowsInView(count, 28, height - 500, 500).last).toBe(count - 1);
    for (const row of [0, 17, 123_456, 9_999_999]) {
      const { first, last } = rowsInView(count, 28, scrollTo(row, count, 28, 4_000_000, 500), 500);
      expect(first).toBeLessThanOrEqual(row);
      expect(last).toBeGreaterThanOrEqual(row);
    }
  });
});
