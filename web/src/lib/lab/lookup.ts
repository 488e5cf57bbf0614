// Line by line, from tables: the pieces of a line become a small number.

import { squareName } from '../board';
import techniques from '../techniques.json';
import {
  A1_H8, A_FILE, ALL, along, attacks, B_FILE, bit, FIRST_RANK, fileOf, forEachSubset, H_FILE, lineOf, lines, number, part, rankOf, relevantOf, squaresOf, table,
  type Line, type Part, type Slider, type Step,
} from './sets';

/** The diagonal from c2 to h7. */
const C2_H7 = 0x0080402010080400n;

/** The attacks on the first rank by its six inner squares. */
const inner = (file: number, index: bigint): bigint => along(file, 'rank', (index & 63n) << 1n);

/** The pieces of a line as a number, by shifts or by a product: `bits` is 8 for all squares of the line, 6 for the inner ones. */
function lineIndex(square: number, line: Line, occupied: bigint, bits: 6 | 8): [steps: Step[], index: bigint] {
  if (line === 'rank') {
    const shift = BigInt(8 * rankOf(square));
    const index = bits === 8 ? (occupied >> shift) & 255n : (occupied >> shift >> 1n) & 63n;
    return [[{ text: 'o on the rank', set: occupied & (FIRST_RANK << shift) }, number(bits === 8 ? 'o >> 8·rank & 255' : 'o >> 8·rank >> 1 & 63', index)], index];
  }
  const [name, factor] = line === 'file' ? (bits === 8 ? ['diagonal a1–h8', A1_H8] as const : ['diagonal c2–h7', C2_H7] as const) : (bits === 8 ? ['a-file', A_FILE] as const : ['b-file', B_FILE] as const);
  const o = line === 'file' ? (occupied >> BigInt(fileOf(square))) & A_FILE : occupied & lineOf(square, line);
  const product = (o * factor) & ALL;
  const index = product >> BigInt(64 - bits);
  return [[{ text: line === 'file' ? 'o >> file & a-file' : 'o & line', set: o }, { text: `× the ${name}`, set: product }, number(`>> ${64 - bits}`, index)], index];
}

/** A line brought to the first rank and back. */
function onFirstRank(name: Line, square: number, occupied: bigint, bits: 6 | 8): Part {
  const [file, rank] = [fileOf(square), rankOf(square)];
  const [steps, index] = lineIndex(square, name, occupied, bits);
  const found = inner(name === 'file' ? 7 - rank : file, bits === 8 ? index >> 1n : index);
  if (name === 'rank') return part(name, [...steps, { text: 'table[index][file]', set: found }, { text: '<< 8·rank', set: found << BigInt(8 * rank) }]);
  if (name === 'file') {
    const back = (found * A1_H8) & ALL;
    return part(name, [
      ...steps, { text: 'table[index][7 − rank]', set: found }, { text: '× the diagonal a1–h8', set: back }, { text: '& h-file', set: back & H_FILE }, { text: '>> 7 − file', set: (back & H_FILE) >> BigInt(7 - file) },
    ]);
  }
  return part(name, [
    ...steps, { text: 'table[index][file]', set: found }, { text: '× the a-file', set: found * A_FILE }, { text: '& line', set: (found * A_FILE) & lineOf(square, name) },
  ]);
}

/** A rank by its six inner squares, from a table of 64 occupancies and eight files; `name` is that of the part. */
export function rankByTable(name: string, square: number, occupied: bigint): Part {
  return { ...onFirstRank('rank', square, occupied, 6), name };
}

export function firstRank256(slider: Slider, square: number, occupied: bigint): Part[] {
  return lines(slider).map((line) => onFirstRank(line, square, occupied, 8));
}

export function firstRank64(slider: Slider, square: number, occupied: bigint): Part[] {
  return lines(slider).map((line) => onFirstRank(line, square, occupied, 6));
}

/** The squares of a line, the lowest rank, or file, first. */
const inOrder = (square: number, line: Line): number[] => squaresOf(lineOf(square, line) | bit(square));

/** The attacks on a line by an index of six bits; `squares` are those that the bits stand for, -1 for none. */
function bySixBits(square: number, line: Line, squares: readonly number[], index: bigint): bigint {
  const occupied = squares.reduce((set, at, position) => (at >= 0 && (index >> BigInt(position)) & 1n ? set | bit(at) : set), 0n);
  return along(square, line, occupied & ~bit(square));
}

/** The bits of each square in a word in which the lines of a kind lie side by side. */
function numbers(line: Line): number[] {
  return table(`numbers ${line}`, () => {
    const found = new Array<number>(64).fill(-1);
    let next = 0;
    for (let square = 0; square < 64; square++) {
      const squares = inOrder(square, line);
      if (squares[0] === square) for (const at of squares) found[at] = next++;
    }
    return found;
  });
}

const ROTATED: Record<Line, string> = { rank: 'o, rank by rank', file: 'o by 90°, file by file', diagonal: 'o by 45°, diagonal by diagonal', antidiagonal: 'o by −45°, antidiagonal by antidiagonal' };

export function rotated(slider: Slider, square: number, occupied: bigint): Part[] {
  return lines(slider).map((line) => {
    const bits = numbers(line);
    const squares = inOrder(square, line);
    const word = squaresOf(occupied).reduce((set, at) => set | bit(bits[at] ?? 0), 0n);
    const shift = (bits[squares[0] ?? 0] ?? 0) + 1;
    const index = (word >> BigInt(shift)) & 63n;
    return part(line, [
      { text: ROTATED[line], set: word }, number(`>> ${shift} & 63`, index),
      { text: 'table[square][index]', set: bySixBits(square, line, [1, 2, 3, 4, 5, 6].map((at) => squares[at] ?? -1), index) },
    ]);
  });
}

/** The bits of an index by files, or by ranks from above. */
function byFileOrRank(square: number, line: Line): number[] {
  return [1, 2, 3, 4, 5, 6].map((at) => inOrder(square, line).find((each) => (line === 'file' ? 7 - rankOf(each) : fileOf(each)) === at) ?? -1);
}

export function kindergarten(slider: Slider, square: number, occupied: bigint): Part[] {
  return lines(slider).map((line) => {
    const [steps, index] = lineIndex(square, line, occupied, 6);
    const file = fileOf(square);
    if (line === 'file') {
      const onAFile = square - file;
      const found = bySixBits(onAFile, line, byFileOrRank(onAFile, line), index);
      return part(line, [...steps, { text: 'table[rank][index]', set: found }, { text: '<< file', set: found << BigInt(file) }]);
    }
    const found = inner(file, index) * A_FILE;
    return part(line, [...steps, { text: 'table[file][index]', set: found }, { text: '& line', set: found & lineOf(square, line) }]);
  });
}

export function kindergartenSuperSissy(slider: Slider, square: number, occupied: bigint): Part[] {
  return lines(slider).map((line) => {
    const [steps, index] = lineIndex(square, line, occupied, 6);
    return part(line, [...steps, { text: 'table[square][index]', set: bySixBits(square, line, byFileOrRank(square, line), index) }]);
  });
}

/** Attacks on a line by the remainder of its pieces; `shift` brings a file to the a-file first. */
export function remainders(square: number, line: Line, looked: bigint, modulus: number, shift: bigint): (bigint | undefined)[] {
  return table(`modulo ${square} ${line} ${modulus}`, () => {
    const entries: (bigint | undefined)[] = new Array<undefined>(modulus).fill(undefined);
    forEachSubset(looked, (subset) => {
      entries[Number((subset >> shift) % BigInt(modulus))] = along(square, line, subset & ~bit(square));
    });
    return entries;
  });
}

const MODULI: Partial<Record<Line, number>> = { diagonal: 514, antidiagonal: 257, file: 258 };
const INNER_MODULI: Partial<Record<Line, number>> = { diagonal: 85, antidiagonal: 65, file: 73 };

/** What is looked at on a line, all squares or the inner ones, and the remainder of which number. */
export function modulo(square: number, line: Line, isInner: boolean): { looked: bigint; modulus: number; shift: bigint } {
  const whole = lineOf(square, line);
  const modulus = (isInner ? INNER_MODULI : MODULI)[line] ?? 0;
  if (isInner) return { looked: whole & relevantOf(line === 'file' ? 'R' : 'B', square), modulus, shift: 0n };
  return line === 'file' ? { looked: whole | bit(square), modulus, shift: BigInt(fileOf(square)) } : { looked: whole, modulus, shift: 0n };
}

function byRemainder(slider: Slider, square: number, occupied: bigint, isInner: boolean): Part[] {
  return lines(slider).map((line) => {
    if (line === 'rank') return rankByTable(line, square, occupied);
    const { looked, modulus, shift } = modulo(square, line, isInner);
    const o = (occupied & looked) >> shift;
    const index = o % BigInt(modulus);
    return part(line, [
      ...(isInner ? [{ text: 'inner squares', set: looked }] : []), { text: isInner ? 'o & inner' : line === 'file' ? 'o >> file & a-file' : 'o & line', set: o },
      number(`% ${modulus}`, index), { text: 'table[square][remainder]', set: remainders(square, line, looked, modulus, shift)[Number(index)] ?? 0n },
    ]);
  });
}

export function congruentModulo(slider: Slider, square: number, occupied: bigint): Part[] {
  return byRemainder(slider, square, occupied, false);
}

export function congruentModuloInner(slider: Slider, square: number, occupied: bigint): Part[] {
  return byRemainder(slider, square, occupied, true);
}

const FOLDED: readonly Line[] = ['rank', 'file', 'diagonal', 'antidiagonal'];

/** The relevant squares of a line; its factor, the bits of its index, and its place in the table of all lines. */
export function folding(square: number, line: Line): { looked: bigint; factor: bigint; bits: number; offset: number } {
  const [factor = '', bits, offset] = (techniques.factors.FoldingHash[square]?.[FOLDED.indexOf(line)] ?? '').split(',');
  const looked = lineOf(square, line) & relevantOf(line === 'rank' || line === 'file' ? 'R' : 'B', square);
  return { looked, factor: BigInt(`0x${factor}`), bits: Number(bits), offset: Number(offset) };
}

const LOW = (1n << 32n) - 1n;
const folded = (o: bigint): bigint => (o >> 32n) ^ ((o * 3n) & LOW);
export function foldingSlot({ factor, bits, offset }: ReturnType<typeof folding>, o: bigint): number {
  return offset + Number(((folded(o) * factor) & LOW) >> BigInt(32 - bits));
}

export function foldingHash(slider: Slider, square: number, occupied: bigint): Part[] {
  return lines(slider).map((line) => {
    const hash = folding(square, line);
    const o = occupied & hash.looked;
    const product = (folded(o) * hash.factor) & LOW;
    const slots = table(`folding ${square} ${line}`, () => {
      const found = new Map<number, bigint>();
      forEachSubset(hash.looked, (subset) => found.set(foldingSlot(hash, subset), along(square, line, subset)));
      return found;
    });
    return part(line, [
      { text: 'inner squares', set: hash.looked }, { text: 'o & inner', set: o }, { text: 'upper half ^ 3 × lower half', set: folded(o) },
      { text: `× 0x${hash.factor.toString(16).padStart(8, '0')}`, set: product }, number(`>> ${32 - hash.bits}`, product >> BigInt(32 - hash.bits)),
      number(`+ ${hash.offset}`, foldingSlot(hash, o)), { text: 'table[slot], of 5288 sets', set: slots.get(foldingSlot(hash, o)) ?? 0n },
    ]);
  });
}

export function sissy(slider: Slider, square: number, occupied: bigint): Part[] {
  const supersets = [0, 1, 2, 3, 4, 5, 6, 7].map((rank): Step => {
    const byte = occupied & (FIRST_RANK << BigInt(8 * rank));
    return { text: `table[rank ${rank + 1}][${squareName(square)}][${byte >> BigInt(8 * rank)}]`, set: attacks('Q', square, byte) };
  });
  const all = supersets.reduce((set, step) => set & step.set, ALL);
  return [part('all lines at once', [
    ...supersets, { text: 'in all eight', set: all }, ...(slider === 'Q' ? [] : [{ text: slider === 'R' ? '& lines of a rook' : '& lines of a bishop', set: all & attacks(slider, square, 0n) }]),
  ])];
}
