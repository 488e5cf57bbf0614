// Ways to compute the attacks of a sliding piece, step by step, as crate `techniques` does: sets of squares are 64 bits, a1 the lowest.

import techniques from './techniques.json';

export type Slider = 'R' | 'B' | 'Q';
/** A set of squares on the way to the result; `index` if it is a number in which a table is looked up. */
export interface Step { text: string; set: bigint; index?: number }
/** Steps for a direction, a line or a product. */
export interface Part { name: string; steps: Step[]; attacks: bigint }

const ALL = (1n << 64n) - 1n;
const A_FILE = 0x0101010101010101n;
const B_FILE = A_FILE << 1n;
/** The diagonal from c2 to h7. */
const C2_H7 = 0x0080402010080400n;

const DIRECTIONS = {
  north: [0, 1], east: [1, 0], south: [0, -1], west: [-1, 0],
  'north-east': [1, 1], 'south-east': [1, -1], 'south-west': [-1, -1], 'north-west': [-1, 1],
} as const;
type Direction = keyof typeof DIRECTIONS;
const LINES = { file: ['north', 'south'], rank: ['east', 'west'], diagonal: ['north-east', 'south-west'], antidiagonal: ['north-west', 'south-east'] } as const;
type Line = keyof typeof LINES;

export const bit = (square: number): bigint => 1n << BigInt(square);

/** The squares of a set, the lowest first. */
export function squaresOf(set: bigint): number[] {
  return Array.from({ length: 64 }, (_, square) => square).filter((square) => (set >> BigInt(square)) & 1n);
}

/** The squares in a direction up to and including the first piece. */
function walk(square: number, occupied: bigint, direction: Direction): bigint {
  const [right, up] = DIRECTIONS[direction];
  let set = 0n;
  for (let file = (square % 8) + right, rank = Math.floor(square / 8) + up; file >= 0 && file < 8 && rank >= 0 && rank < 8; file += right, rank += up) {
    set |= bit(file + 8 * rank);
    if (occupied & bit(file + 8 * rank)) break;
  }
  return set;
}

function lines(slider: Slider): Line[] {
  return (['file', 'rank', 'diagonal', 'antidiagonal'] as const).filter((_, index) => slider === 'Q' || (index < 2) === (slider === 'R'));
}

function directions(slider: Slider): Direction[] {
  return lines(slider).flatMap((line) => LINES[line]);
}

/** The line through a square, without the square. */
function lineOf(square: number, line: Line): bigint {
  return LINES[line].reduce((set, direction) => set | walk(square, 0n, direction), 0n);
}

/** The attacks by the rule itself: the oracle of the others. */
export function attacks(slider: Slider, square: number, occupied: bigint): bigint {
  return directions(slider).reduce((set, direction) => set | walk(square, occupied, direction), 0n);
}

function reversed(set: bigint): bigint {
  return squaresOf(set).reduce((other, square) => other | bit(63 - square), 0n);
}

function rayWalk(slider: Slider, square: number, occupied: bigint): Part[] {
  return directions(slider).map((direction) => {
    const set = walk(square, occupied, direction);
    return { name: direction, steps: [{ text: 'step until a piece stands there', set }], attacks: set };
  });
}

function classicalRays(slider: Slider, square: number, occupied: bigint): Part[] {
  return directions(slider).map((direction) => {
    const ray = walk(square, 0n, direction);
    const pieces = squaresOf(ray & occupied);
    const [right, up] = DIRECTIONS[direction];
    const first = right + 8 * up > 0 ? pieces[0] : pieces.at(-1);
    const behind = first === undefined ? 0n : walk(first, 0n, direction);
    return {
      name: direction, attacks: ray ^ behind,
      steps: [
        { text: 'ray', set: ray }, { text: 'ray & o', set: ray & occupied },
        { text: right + 8 * up > 0 ? 'first: the lowest bit' : 'first: the highest bit', set: first === undefined ? 0n : bit(first) },
        { text: 'ray of first', set: behind }, { text: 'ray ^ ray of first', set: ray ^ behind },
      ],
    };
  });
}

function hyperbola(slider: Slider, square: number, occupied: bigint): Part[] {
  const [s, mirrored] = [bit(square), bit(63 - square)];
  return lines(slider).map((name) => {
    const line = lineOf(square, name);
    const o = (occupied & line) | s;
    const up = (o - 2n * s) & ALL;
    const down = (reversed(o) - 2n * mirrored) & ALL;
    const set = (up ^ reversed(down)) & line;
    return {
      name, attacks: set,
      steps: [
        { text: 'line', set: line }, { text: 'o = pieces & line, and s', set: o }, { text: 'o − 2s', set: up }, { text: 'o ^ (o − 2s)', set: o ^ up },
        { text: 'o′ − 2s′, mirrored back', set: reversed(down) }, { text: '((o − 2s) ^ (o′ − 2s′)′) & line', set },
      ],
    };
  });
}

/** The highest bit of a set that is not empty. */
const highest = (set: bigint): bigint => bit(squaresOf(set).at(-1) ?? 0);

function obstructionDifference(slider: Slider, square: number, occupied: bigint): Part[] {
  return lines(slider).map((name) => {
    const line = lineOf(square, name);
    const up = line & ~(bit(square) - 1n);
    const above = occupied & up;
    const below = (occupied & line & (bit(square) - 1n)) | 1n;
    const difference = (above - highest(below)) & ALL;
    const set = (above ^ difference) & line;
    return {
      name, attacks: set,
      steps: [
        { text: 'u = o & up', set: above }, { text: 'o & down, and a1', set: below }, { text: 'd = the highest of these', set: highest(below) },
        { text: 'u − d', set: difference }, { text: 'u ^ (u − d)', set: above ^ difference }, { text: '(u ^ (u − d)) & line', set },
      ],
    };
  });
}

function sbamg(slider: Slider, square: number, occupied: bigint): Part[] {
  return lines(slider).map((name) => {
    const line = lineOf(square, name);
    const whole = line | bit(square);
    const pieces = (occupied & line) | bit(squaresOf(whole)[0] ?? 0);
    const below = pieces & (2n * bit(square) - 1n);
    const closest = highest(below);
    const difference = (pieces - 3n * closest) & ALL;
    const set = (pieces ^ difference) & line;
    return {
      name, attacks: set,
      steps: [
        { text: 'm = o & line, and its lowest square', set: pieces }, { text: 'm below s', set: below }, { text: 'c = the highest of these', set: closest },
        { text: 'm − 3c', set: difference }, { text: 'm ^ (m − 3c)', set: pieces ^ difference }, { text: '(m ^ (m − 3c)) & line', set },
      ],
    };
  });
}

/** A set that is moved by a difference of squares, whatever the edges. */
const moved = (set: bigint, by: number): bigint => (by > 0 ? (set << BigInt(by)) & ALL : set >> BigInt(-by));

/** A direction as a difference of squares, and the squares that a step in it may reach. */
function stepsOf(direction: Direction): { by: number; reach: bigint } {
  const [right, up] = DIRECTIONS[direction];
  return { by: right + 8 * up, reach: ALL & ~(right === 1 ? A_FILE : right === -1 ? A_FILE << 7n : 0n) };
}

function dumb7Fill(slider: Slider, square: number, occupied: bigint): Part[] {
  return directions(slider).map((name) => {
    const { by, reach } = stepsOf(name);
    const open = reach & ~occupied;
    let fill = bit(square);
    const rounds = Array.from({ length: 6 }, (_, round): Step => {
      fill |= open & moved(fill, by);
      return { text: `step ${round + 1}`, set: fill };
    });
    const set = moved(fill, by) & reach;
    return { name, attacks: set, steps: [{ text: 'empty', set: open }, ...rounds, { text: 'one step more, onto a piece, too', set }] };
  });
}

function koggeStone(slider: Slider, square: number, occupied: bigint): Part[] {
  return directions(slider).map((name) => {
    const { by, reach } = stepsOf(name);
    let [fill, open] = [bit(square), reach & ~occupied];
    const steps: Step[] = [];
    for (const length of [1, 2, 4]) {
      steps.push({ text: length === 1 ? 'open: empty' : `open for ${length} steps`, set: open });
      fill |= open & moved(fill, length * by);
      steps.push({ text: `fill by ${length}`, set: fill });
      open &= moved(open, length * by);
    }
    const set = moved(fill, by) & reach;
    return { name, attacks: set, steps: [...steps, { text: 'one step more, onto a piece, too', set }] };
  });
}

/** Attacks on a line of eight squares by the six inner ones. */
function inEight(at: number, inner: number): number {
  return Number(attacks('R', at, BigInt(inner) << 1n) & 0xffn);
}

function kindergarten(slider: Slider, square: number, occupied: bigint): Part[] {
  const [file, rank] = [square % 8, Math.floor(square / 8)];
  return lines(slider).map((name) => {
    const line = lineOf(square, name);
    if (name === 'file') {
      const o = (occupied >> BigInt(file)) & A_FILE;
      const product = (o * C2_H7) & ALL;
      const index = Number(product >> 58n);
      // The product has the second rank at its top: the bits of the index are the file from above.
      const eight = inEight(rank, [0, 1, 2, 3, 4, 5].reduce((bits, at) => bits | (((index >> at) & 1) << (5 - at)), 0));
      const found = squaresOf(BigInt(eight)).reduce((set, at) => set | bit(8 * at), 0n);
      return {
        name, attacks: found << BigInt(file),
        steps: [
          { text: 'o >> file & a-file', set: o }, { text: '× the diagonal c2–h7', set: product }, { text: '>> 58', set: BigInt(index), index },
          { text: 'table[rank][index]', set: found }, { text: '<< file', set: found << BigInt(file) },
        ],
      };
    }
    const o = occupied & line;
    const product = name === 'rank' ? o >> BigInt(8 * rank + 1) : (o * B_FILE) & ALL;
    const index = name === 'rank' ? Number(product & 63n) : Number(product >> 58n);
    const found = BigInt(inEight(file, index)) * A_FILE;
    return {
      name, attacks: found & line,
      steps: [
        { text: 'o & line', set: o }, { text: name === 'rank' ? '>> to the b-file' : '× the b-file', set: product },
        { text: name === 'rank' ? '& 63' : '>> 58', set: BigInt(index), index }, { text: 'table[file][index]', set: found }, { text: '& line', set: found & line },
      ],
    };
  });
}

const FACTORS = { R: techniques.rook, B: techniques.bishop };
export interface Magic { relevant: bigint; factor: bigint; shift: bigint; table: bigint[] }
const magics = new Map<string, Magic>();

/** The factor of a square, and its table, which is made when it is first asked for. */
export function magic(slider: 'R' | 'B', square: number): Magic {
  const known = magics.get(slider + square);
  if (known) return known;
  // A piece on the last square of a ray changes nothing.
  const relevant = directions(slider).reduce((set, direction) => {
    const ray = walk(square, 0n, direction);
    return set | squaresOf(ray).filter((at) => walk(at, 0n, direction) !== 0n).reduce((inner, at) => inner | bit(at), 0n);
  }, 0n);
  const factor = BigInt(`0x${FACTORS[slider][square]}`);
  const shift = BigInt(64 - squaresOf(relevant).length);
  const table: bigint[] = [];
  let subset = 0n;
  do {
    table[Number(((subset * factor) & ALL) >> shift)] = attacks(slider, square, subset);
    subset = (subset - relevant) & relevant;
  } while (subset !== 0n);
  const made = { relevant, factor, shift, table };
  magics.set(slider + square, made);
  return made;
}

function fancyMagics(slider: Slider, square: number, occupied: bigint): Part[] {
  const sliders: ('R' | 'B')[] = slider === 'Q' ? ['R', 'B'] : [slider];
  return sliders.map((each) => {
    const { relevant, factor, shift, table } = magic(each, square);
    const o = occupied & relevant;
    const product = (o * factor) & ALL;
    const index = Number(product >> shift);
    return {
      name: each === 'R' ? 'file and rank' : 'both diagonals', attacks: table[index] ?? 0n,
      steps: [
        { text: 'relevant', set: relevant }, { text: 'o & relevant', set: o }, { text: `× 0x${factor.toString(16).padStart(16, '0')}`, set: product },
        { text: `>> ${shift}`, set: BigInt(index), index }, { text: `one of ${table.length} sets`, set: table[index] ?? 0n },
      ],
    };
  });
}

/** The bits of a set at the squares of another one, next to each other. */
const gathered = (set: bigint, at: bigint): bigint =>
  squaresOf(at).reduce((bits, square, index) => bits | (((set >> BigInt(square)) & 1n) << BigInt(index)), 0n);

function pext(slider: Slider, square: number, occupied: bigint): Part[] {
  const sliders: ('R' | 'B')[] = slider === 'Q' ? ['R', 'B'] : [slider];
  return sliders.map((each) => {
    const { relevant } = magic(each, square);
    const index = gathered(occupied, relevant);
    const set = attacks(each, square, occupied & relevant);
    return {
      name: each === 'R' ? 'file and rank' : 'both diagonals', attacks: set,
      steps: [
        { text: 'relevant', set: relevant }, { text: 'o & relevant', set: occupied & relevant }, { text: 'pext(o, relevant)', set: index, index: Number(index) },
        { text: `one of ${2 ** squaresOf(relevant).length} sets`, set },
      ],
    };
  });
}

function pextPdep(slider: Slider, square: number, occupied: bigint): Part[] {
  return pext(slider, square, occupied).map((part, number) => {
    const whole = attacks(slider === 'Q' ? (number === 0 ? 'R' : 'B') : slider, square, 0n);
    const entry = gathered(part.attacks, whole);
    return {
      ...part,
      steps: [
        ...part.steps.slice(0, -1), { text: 'entry of sixteen bits', set: entry, index: Number(entry) },
        { text: 'attacks on an empty board', set: whole }, { text: 'pdep(entry, these)', set: part.attacks },
      ],
    };
  });
}

export type Way = (slider: Slider, square: number, occupied: bigint) => Part[];
/** The ways, by the names of their cards. */
export const WAYS: Record<string, Way> = {
  RayWalk: rayWalk, ClassicalRays: classicalRays, ObstructionDifference: obstructionDifference, Sbamg: sbamg, HyperbolaReversed: hyperbola,
  Dumb7Fill: dumb7Fill, KoggeStone: koggeStone, Kindergarten: kindergarten, FancyMagics: fancyMagics, Pext: pext, PextPdep: pextPdep,
};

export interface Lab { way: string; slider: Slider; square: number; occupied: bigint | null }

/** Reads what an address says of the lab; `occupied` is null if it is that of the board. */
export function readLab(text: string): Lab {
  const [way = '', slider, square, occupied] = text.split(',');
  const at = /^[a-h][1-8]$/.test(square ?? '') ? (square ?? '').charCodeAt(0) - 97 + 8 * Number((square ?? '').charAt(1)) - 8 : 27;
  return {
    way: way in WAYS ? way : 'HyperbolaReversed', slider: slider === 'B' || slider === 'Q' ? slider : 'R', square: at,
    occupied: /^[0-9a-f]{1,16}$/.test(occupied ?? '') ? BigInt(`0x${occupied}`) : null,
  };
}

export function writeLab({ way, slider, square, occupied }: Lab): string {
  const at = 'abcdefgh'.charAt(square % 8) + String(Math.floor(square / 8) + 1);
  return [way, slider, at, ...(occupied === null ? [] : [occupied.toString(16)])].join(',');
}
