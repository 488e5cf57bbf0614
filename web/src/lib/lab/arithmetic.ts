// Line by line, by subtraction: a borrow runs from the slider through empty squares to the first piece.

import { rankByTable } from './lookup';
import {
  A1_H8, A_FILE, ALL, bit, FIRST_RANK, fileOf, H_FILE, highest, LINES, lineOf, lines, lowest, part, rankOf, shifted, squaresOf, stepOf, swapped, turned,
  type Line, type Part, type Slider, type Step,
} from './sets';

export function subtraction(slider: Slider, square: number, occupied: bigint): Part[] {
  return lines(slider).flatMap((line) => LINES[line].map((direction) => {
    const isUp = stepOf(direction) > 0;
    // Down the board is up the board that is turned half around, where the same line has the same name.
    const [at, pieces] = isUp ? [square, occupied] : [63 - square, turned(occupied)];
    const s = bit(at);
    const ray = lineOf(at, line) & -s;
    const m = pieces & ray;
    const difference = (m - s) & ALL;
    const up = (m ^ difference) & ray;
    return part(direction, [
      ...(isUp ? [] : [{ text: 'o turned half around', set: pieces }]),
      { text: isUp ? 'ray' : 'ray on that board', set: ray }, { text: 'm = o & ray', set: m }, { text: 'm − s', set: difference },
      { text: 'm ^ (m − s)', set: m ^ difference }, { text: '& ray', set: up }, ...(isUp ? [] : [{ text: 'turned back', set: turned(up) }]),
    ]);
  }));
}

type Mirror = (set: bigint) => bigint;

/** Both halves of a line in one expression; `names` are those of a set that is mirrored, and mirrored back. */
function bothHalves(name: string, line: bigint, square: number, occupied: bigint, mirror: Mirror, names: [there: string, back: string]): Part {
  const [o, s] = [occupied & line, bit(square)];
  const up = (o - s) & ALL;
  const down = (mirror(o) - mirror(s)) & ALL;
  return part(name, [
    { text: 'line', set: line }, { text: 'o & line', set: o }, { text: 'up: − s', set: up }, { text: `o & line, ${names[0]}`, set: mirror(o) }, { text: 'down: − s, so mirrored', set: down },
    { text: `down, ${names[1]}`, set: mirror(down) }, { text: 'up ^ down', set: up ^ mirror(down) }, { text: '& line', set: (up ^ mirror(down)) & line },
  ]);
}

export function hyperbola(slider: Slider, square: number, occupied: bigint): Part[] {
  return lines(slider).map((line) => (line === 'rank'
    ? rankByTable('rank, from a table', square, occupied)
    : bothHalves(line, lineOf(square, line), square, occupied, swapped, ['bytes swapped', 'swapped back'])));
}

export function hyperbolaReversed(slider: Slider, square: number, occupied: bigint): Part[] {
  return lines(slider).map((line) => bothHalves(line, lineOf(square, line), square, occupied, turned, ['turned', 'turned back']));
}

/** The lanes of the register of 256 bits, the lowest first. */
const DUAL: readonly Line[] = ['diagonal', 'antidiagonal', 'file'];

export function dualHyperbola(slider: Slider, square: number, occupied: bigint): Part[] {
  const used = lines(slider);
  const wide = DUAL.flatMap((line, lane) => (used.includes(line)
    ? [bothHalves(`lane ${lane}: ${line}`, lineOf(square, line), square, occupied, swapped, ['bytes shuffled', 'shuffled back'])] : []));
  return used.includes('rank') ? [...wide, rankByTable('rank, from a table, meanwhile', square, occupied)] : wide;
}

export function gfniHyperbola(slider: Slider, square: number, occupied: bigint): Part[] {
  const used = lines(slider);
  return lines('Q').flatMap((line, lane) => {
    if (!used.includes(line)) return [];
    const { steps, ...whole } = bothHalves(`lane ${lane}: ${line}`, lineOf(square, line), square, occupied, turned, ['each byte reversed', 'both again']);
    return [{ ...whole, steps: steps.flatMap((step, index) => (index === 3 ? [{ text: 'o & line, bytes shuffled', set: swapped(occupied & lineOf(square, line)) }, step] : [step])) }];
  });
}

export function obstructionDifference(slider: Slider, square: number, occupied: bigint): Part[] {
  return lines(slider).map((name) => {
    const line = lineOf(square, name);
    const up = line & ~(bit(square) - 1n);
    const above = occupied & up;
    const below = (occupied & line & (bit(square) - 1n)) | 1n;
    const difference = (above - highest(below)) & ALL;
    return part(name, [
      { text: 'u = o & up', set: above }, { text: 'o & down, and a1', set: below }, { text: 'd = the highest of these', set: highest(below) },
      { text: 'u − d', set: difference }, { text: 'u ^ (u − d)', set: above ^ difference }, { text: '(u ^ (u − d)) & line', set: (above ^ difference) & line },
    ]);
  });
}

export function sbamg(slider: Slider, square: number, occupied: bigint): Part[] {
  return lines(slider).map((name) => {
    const line = lineOf(square, name);
    const whole = line | bit(square);
    const pieces = (occupied & line) | lowest(whole);
    const below = pieces & (2n * bit(square) - 1n);
    const closest = highest(below);
    const difference = (pieces - 3n * closest) & ALL;
    return part(name, [
      { text: 'm = o & line, and its lowest square', set: pieces }, { text: 'm below s', set: below }, { text: 'c = the highest of these', set: closest },
      { text: 'm − 3c', set: difference }, { text: 'm ^ (m − 3c)', set: pieces ^ difference }, { text: '(m ^ (m − 3c)) & line', set: (pieces ^ difference) & line },
    ]);
  });
}

/** From the piece below to the piece above: the bits up to this one, without those short of that one. */
function lowBits(line: bigint, square: number, occupied: bigint): Step[] {
  const low = bit(square) - 1n;
  const m = occupied & line;
  const above = m & ~low;
  const upToAbove = (above ^ (above - 1n)) & ALL;
  const shortOfBelow = highest((m & low) | 1n) - 1n;
  return [
    { text: 'm = o & line', set: m }, { text: 'a = m above s', set: above }, { text: 'a ^ (a − 1)', set: upToAbove }, { text: 'b = m below s', set: m & low },
    { text: 'all bits short of the highest of b', set: shortOfBelow }, { text: '^ of both', set: upToAbove ^ shortOfBelow }, { text: '& line', set: (upToAbove ^ shortOfBelow) & line },
  ];
}

export function slideArithmetic(slider: Slider, square: number, occupied: bigint): Part[] {
  return lines(slider).map((name) => {
    const line = lineOf(square, name);
    return part(name, [{ text: 'line, from a table', set: line }, ...lowBits(line, square, occupied)]);
  });
}

/** The diagonal from a8 to h1. */
const A8_H1 = 0x0102040810204080n;

/** One of four constants, and by how many squares it is shifted up to become the line. */
function shiftedLine(name: Line, square: number): [text: string, constant: bigint, by: number] {
  const [file, rank] = [fileOf(square), rankOf(square)];
  if (name === 'file') return ['the a-file', A_FILE, file];
  if (name === 'rank') return ['the first rank', FIRST_RANK, 8 * rank];
  return name === 'diagonal' ? ['a1–h8', A1_H8, 8 * (rank - file)] : ['a8–h1', A8_H1, 8 * (rank + file - 7)];
}

export function leorik(slider: Slider, square: number, occupied: bigint): Part[] {
  return lines(slider).map((name) => {
    const [text, constant, by] = shiftedLine(name, square);
    const line = shifted(constant, by) ^ bit(square);
    return part(name, [{ text, set: constant }, { text: `line = ${by < 0 ? `>> ${-by}` : `<< ${by}`}, without s`, set: line }, ...lowBits(line, square, occupied)]);
  });
}

/** The squares that steps from a1 reach, wrapped or not, and the edges at which steps up and down the numbers end. */
const PATTERNS: Record<Line, [fromA1: bigint, upper: bigint, lower: bigint]> = {
  file: [A_FILE, FIRST_RANK << 56n, FIRST_RANK],
  rank: [FIRST_RANK, H_FILE, A_FILE],
  diagonal: [A1_H8, (FIRST_RANK << 56n) | H_FILE, FIRST_RANK | A_FILE],
  antidiagonal: [[0, 7, 14, 21, 28, 35, 42, 49, 56, 63].reduce((set, square) => set | bit(square), 0n), (FIRST_RANK << 56n) | A_FILE, FIRST_RANK | H_FILE],
};

export function qbb(slider: Slider, square: number, occupied: bigint): Part[] {
  return lines(slider).map((name) => {
    const [pattern, upper, lower] = PATTERNS[name];
    const hung = turned(pattern);
    const others = occupied & ~bit(square);
    const up = (pattern << BigInt(square)) & ALL;
    const down = hung >> BigInt(63 - square);
    const above = up & (others | upper);
    const below = down & (others | lower);
    const fromAbove = hung >> BigInt(63 - (squaresOf(above)[0] ?? 63));
    const fromBelow = (pattern << BigInt(squaresOf(below).at(-1) ?? 0)) & ALL;
    return part(name, [
      { text: 'pattern, stood on s', set: up }, { text: 'pieces and the edge on it', set: above }, { text: 'pattern, hung from s', set: down }, { text: 'pieces and the edge on it', set: below },
      { text: 'hung from the first above', set: fromAbove }, { text: 'stood on the first below', set: fromBelow }, { text: 'both', set: fromAbove & fromBelow }, { text: 'without s', set: (fromAbove & fromBelow) ^ bit(square) },
    ]);
  });
}
