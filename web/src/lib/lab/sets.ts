// Sets of squares as 64 bits, a1 the lowest, and the attacks by the rule itself, with which every technique of the lab is compared.

export type Slider = 'R' | 'B' | 'Q';
/** A set of squares on the way to the result; `index` if it is a number in which a table is looked up. */
export interface Step { text: string; set: bigint; index?: number }
/** Steps for a direction, a line or a product; the last one has the attacks. */
export interface Part { name: string; steps: Step[]; attacks: bigint }
/** The steps of a technique for a slider on a square, whose own square is not occupied. */
export type Technique = (slider: Slider, square: number, occupied: bigint) => Part[];

export const ALL = (1n << 64n) - 1n;
export const A_FILE = 0x0101010101010101n;
export const B_FILE = A_FILE << 1n;
export const H_FILE = A_FILE << 7n;
export const FIRST_RANK = 0xffn;
/** The diagonal from a1 to h8. */
export const A1_H8 = 0x8040201008040201n;

const DIRECTIONS = {
  north: [0, 1], east: [1, 0], south: [0, -1], west: [-1, 0],
  'north-east': [1, 1], 'south-east': [1, -1], 'south-west': [-1, -1], 'north-west': [-1, 1],
} as const;
export type Direction = keyof typeof DIRECTIONS;
/** The directions of a line, the one in which the numbers of squares rise first. */
export const LINES = { file: ['north', 'south'], rank: ['east', 'west'], diagonal: ['north-east', 'south-west'], antidiagonal: ['north-west', 'south-east'] } as const;
export type Line = keyof typeof LINES;

export const bit = (square: number): bigint => 1n << BigInt(square);
export const fileOf = (square: number): number => square % 8;
export const rankOf = (square: number): number => Math.floor(square / 8);

/** The squares of a set, the lowest first. */
export function squaresOf(set: bigint): number[] {
  return Array.from({ length: 64 }, (_, square) => square).filter((square) => (set >> BigInt(square)) & 1n);
}

/** The bits of a set at the squares of another one, next to each other: PEXT. */
export const gathered = (set: bigint, at: bigint): bigint =>
  squaresOf(at).reduce((bits, square, index) => bits | (((set >> BigInt(square)) & 1n) << BigInt(index)), 0n);

/** The board turned half around: h8 becomes a1. */
export const turned = (set: bigint): bigint => squaresOf(set).reduce((other, square) => other | bit(63 - square), 0n);
/** The board mirrored top to bottom: the bytes of the word in reverse order. */
export const swapped = (set: bigint): bigint => squaresOf(set).reduce((other, square) => other | bit(square ^ 56), 0n);

/** A set that is shifted by a difference of squares, whatever the edges. */
export const shifted = (set: bigint, by: number): bigint => (by > 0 ? (set << BigInt(by)) & ALL : set >> BigInt(-by));

/** The lowest bit of a set; nothing of an empty one. */
export const lowest = (set: bigint): bigint => set & -set;
/** The highest bit of a set; nothing of an empty one. */
export const highest = (set: bigint): bigint => (set === 0n ? 0n : bit(set.toString(2).length - 1));

/** The difference in squares of a step in a direction. */
export function stepOf(direction: Direction): number {
  const [right, up] = DIRECTIONS[direction];
  return right + 8 * up;
}

/** A direction as a difference of squares, and the squares that a step in it may reach. */
export function reachOf(direction: Direction): { by: number; reach: bigint } {
  const [right] = DIRECTIONS[direction];
  return { by: stepOf(direction), reach: ALL & ~(right === 1 ? A_FILE : right === -1 ? H_FILE : 0n) };
}

/** The squares in a direction up to and including the first piece. */
export function walk(square: number, occupied: bigint, direction: Direction): bigint {
  const [right, up] = DIRECTIONS[direction];
  let set = 0n;
  for (let file = fileOf(square) + right, rank = rankOf(square) + up; file >= 0 && file < 8 && rank >= 0 && rank < 8; file += right, rank += up) {
    set |= bit(file + 8 * rank);
    if (occupied & bit(file + 8 * rank)) break;
  }
  return set;
}

/** The lines of a slider; those of a queen are all. */
export function lines(slider: Slider): Line[] {
  return (['file', 'rank', 'diagonal', 'antidiagonal'] as const).filter((_, index) => slider === 'Q' || (index < 2) === (slider === 'R'));
}

export function directions(slider: Slider): Direction[] {
  return lines(slider).flatMap((line) => LINES[line]);
}

/** The attacks on one line, by the rule itself; on an empty board the line through a square, without the square. */
export function along(square: number, line: Line, occupied: bigint): bigint {
  return LINES[line].reduce((set, direction) => set | walk(square, occupied, direction), 0n);
}

export const lineOf = (square: number, line: Line): bigint => along(square, line, 0n);

/** The attacks by the rule itself: the oracle of all techniques. */
export function attacks(slider: Slider, square: number, occupied: bigint): bigint {
  return directions(slider).reduce((set, direction) => set | walk(square, occupied, direction), 0n);
}

/** The relevant squares: a piece on the last square of a ray changes nothing. */
export function relevantOf(slider: Slider, square: number): bigint {
  return directions(slider).reduce((set, direction) => {
    const ray = walk(square, 0n, direction);
    return set | squaresOf(ray).filter((at) => walk(at, 0n, direction) !== 0n).reduce((inner, at) => inner | bit(at), 0n);
  }, 0n);
}

/** Calls a function with each subset of a set, the empty one first. */
export function forEachSubset(set: bigint, visit: (subset: bigint) => void): void {
  let subset = 0n;
  do {
    visit(subset);
    subset = (subset - set) & set;
  } while (subset !== 0n);
}

const tables = new Map<string, unknown>();
/** A table, made when it is first asked for. */
export function table<Table>(name: string, make: () => Table): Table {
  if (!tables.has(name)) tables.set(name, make());
  return tables.get(name) as Table;
}

/** A step that is a number. */
export const number = (text: string, index: number | bigint): Step => ({ text, set: BigInt(index), index: Number(index) });
/** A part whose last step has the attacks. */
export const part = (name: string, steps: Step[]): Part => ({ name, steps, attacks: steps.at(-1)?.set ?? 0n });
