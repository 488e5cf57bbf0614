// Both lines of a rook or bishop at once: a product, or an instruction, gathers the relevant squares into an index.

import { squareName } from '../board';
import techniques from '../techniques.json';
import { ALL, attacks, bit, directions, forEachSubset, gathered, number, part, relevantOf, squaresOf, table, walk, type Part, type Slider, type Step } from './sets';

type One = 'R' | 'B';
type Kind = 'PlainMagics' | 'FancyMagics' | 'BlackMagics' | 'SharedMagics';
export interface Magic { relevant: bigint; factor: bigint; shift: number; offset: number; isBlack: boolean }

const NAMES: Record<One, string> = { R: 'file and rank', B: 'both diagonals' };
const ones = (slider: Slider): One[] => (slider === 'Q' ? ['R', 'B'] : [slider]);
const hex = (factor: bigint): string => `0x${factor.toString(16).padStart(16, '0')}`;

/** The first slots of the squares if each has a slot for each subset of its relevant squares, those of rooks first. */
function offsets(): Record<One, number[]> {
  return table('offsets', () => {
    let next = 0;
    const of = (slider: One): number[] => Array.from({ length: 64 }, (_, square) => {
      const first = next;
      next += 2 ** squaresOf(relevantOf(slider, square)).length;
      return first;
    });
    return { R: of('R'), B: of('B') };
  });
}

/** The constants of a square, as they are in the crate. */
export function magic(kind: Kind, slider: One, square: number): Magic {
  return table(`${kind} ${slider} ${square}`, () => {
    const relevant = relevantOf(slider, square);
    const [factor = '', shift, offset] = (techniques.factors[kind][slider][square] ?? '').split(',');
    const found = { relevant, factor: BigInt(`0x${factor}`) };
    if (kind === 'PlainMagics') {
      const bits = slider === 'R' ? 12 : 9;
      return { ...found, shift: 64 - bits, offset: square << bits, isBlack: false };
    }
    if (kind === 'FancyMagics') return { ...found, shift: 64 - squaresOf(relevant).length, offset: offsets()[slider][square] ?? 0, isBlack: false };
    return { ...found, shift: kind === 'SharedMagics' ? Number(shift) : slider === 'R' ? 52 : 55, offset: Number(offset), isBlack: true };
  });
}

/** The slot of an occupancy without the offset of the square. */
export const slotOf = ({ relevant, factor, shift, isBlack }: Magic, occupied: bigint): number =>
  Number((((isBlack ? occupied | (ALL & ~relevant) : occupied & relevant) * factor) & ALL) >> BigInt(shift));

/** The entries of a square by slot. */
function entries(kind: Kind, slider: One, square: number): Map<number, bigint> {
  return table(`entries ${kind} ${slider} ${square}`, () => {
    const constants = magic(kind, slider, square);
    const found = new Map<number, bigint>();
    forEachSubset(constants.relevant, (subset) => found.set(slotOf(constants, subset), attacks(slider, square, subset)));
    return found;
  });
}

/** The steps from the pieces to the slot in the table of all squares. */
function toSlot({ relevant, factor, shift, offset, isBlack }: Magic, occupied: bigint): Step[] {
  const o = isBlack ? occupied | (ALL & ~relevant) : occupied & relevant;
  const product = (o * factor) & ALL;
  const index = product >> BigInt(shift);
  return [
    { text: 'relevant', set: relevant }, { text: isBlack ? 'o, and all irrelevant squares' : 'o & relevant', set: o }, { text: `× ${hex(factor)}`, set: product },
    number(`>> ${shift}`, index), ...(offset > 0 ? [number(`+ ${offset}`, Number(index) + offset)] : []),
  ];
}

function byMagic(kind: Kind, slider: Slider, square: number, occupied: bigint): Part[] {
  return ones(slider).map((one) => {
    const constants = magic(kind, one, square);
    const found = entries(kind, one, square);
    return part(NAMES[one], [...toSlot(constants, occupied), { text: `table[slot], ${found.size} in use`, set: found.get(slotOf(constants, occupied)) ?? 0n }]);
  });
}

export function plainMagics(slider: Slider, square: number, occupied: bigint): Part[] {
  return byMagic('PlainMagics', slider, square, occupied);
}

export function fancyMagics(slider: Slider, square: number, occupied: bigint): Part[] {
  return byMagic('FancyMagics', slider, square, occupied);
}

export function blackMagics(slider: Slider, square: number, occupied: bigint): Part[] {
  return byMagic('BlackMagics', slider, square, occupied);
}

export function sharedMagics(slider: Slider, square: number, occupied: bigint): Part[] {
  return byMagic('SharedMagics', slider, square, occupied);
}

const CLOCKWISE = { R: ['north', 'east', 'south', 'west'], B: ['north-east', 'south-east', 'south-west', 'north-west'] } as const;
const lengths = (slider: One, square: number): number[] => CLOCKWISE[slider].map((direction) => squaresOf(walk(square, 0n, direction)).length).filter((length) => length > 0);
const setsOf = (slider: One, square: number): number => lengths(slider, square).reduce((product, length) => product * length, 1);

/** The number of an attack set: the squares on which its rays end are the digits. */
export function setNumber(slider: One, square: number, set: bigint): number {
  const firsts = table('first sets', () => {
    let next = 0;
    const of = (each: One): number[] => Array.from({ length: 64 }, (_, at) => {
      const first = next;
      next += setsOf(each, at);
      return first;
    });
    return { R: of('R'), B: of('B') };
  });
  let value = 1;
  let found = firsts[slider][square] ?? 0;
  for (const direction of CLOCKWISE[slider]) {
    const ray = walk(square, 0n, direction);
    if (ray === 0n) continue;
    found += value * (squaresOf(ray & set).length - 1);
    value *= squaresOf(ray).length;
  }
  return found;
}

export function indirectMagics(slider: Slider, square: number, occupied: bigint): Part[] {
  return ones(slider).map((one) => {
    const constants = magic('FancyMagics', one, square);
    const sets = table(`sets ${one} ${square}`, () => new Map([...new Set(entries('FancyMagics', one, square).values())].map((set) => [setNumber(one, square, set), set])));
    const found = setNumber(one, square, entries('FancyMagics', one, square).get(slotOf(constants, occupied)) ?? 0n);
    return part(NAMES[one], [...toSlot(constants, occupied), number('numbers[slot], sixteen bits', found), { text: `sets[number], of ${setsOf(one, square)}`, set: sets.get(found) ?? 0n }]);
  });
}

function byNumber(slider: Slider, square: number, occupied: bigint, gather: (relevant: bigint) => Step[], last: (one: One, found: bigint) => Step[]): Part[] {
  return ones(slider).map((one) => {
    const relevant = relevantOf(one, square);
    const steps = gather(relevant);
    const [index, first] = [steps.at(-1)?.index ?? 0, offsets()[one][square] ?? 0];
    // The subset with this number, from which the crate has made the entry.
    const subset = squaresOf(relevant).reduce((set, at, position) => (((index >> position) & 1) === 1 ? set | bit(at) : set), 0n);
    return part(NAMES[one], [
      { text: 'relevant', set: relevant }, { text: 'o & relevant', set: occupied & relevant }, ...steps, ...(first > 0 ? [number(`+ ${first}`, first + index)] : []),
      ...last(one, attacks(one, square, subset)),
    ]);
  });
}

const entry = (found: bigint): Step[] => [{ text: 'table[slot]', set: found }];

export function pext(slider: Slider, square: number, occupied: bigint): Part[] {
  return byNumber(slider, square, occupied, (relevant) => [number('pext(o, relevant)', gathered(occupied, relevant))], (_, found) => entry(found));
}

export function pextEmulated(slider: Slider, square: number, occupied: bigint): Part[] {
  return byNumber(slider, square, occupied, (relevant) => {
    let index = 0;
    return squaresOf(relevant).map((at, position) => {
      const isThere = ((occupied >> BigInt(at)) & 1n) === 1n;
      if (isThere) index |= 1 << position;
      return number(isThere ? `${squareName(at)}: + ${1 << position}` : `${squareName(at)}: nothing`, index);
    });
  }, (_, found) => entry(found));
}

export function pextPdep(slider: Slider, square: number, occupied: bigint): Part[] {
  return byNumber(slider, square, occupied, (relevant) => [number('pext(o, relevant)', gathered(occupied, relevant))], (one, found) => {
    const whole = directions(one).reduce((set, direction) => set | walk(square, 0n, direction), 0n);
    const sixteen = gathered(found, whole);
    return [
      number('table[slot], sixteen bits', sixteen), { text: 'attacks on an empty board', set: whole },
      { text: 'pdep(entry, these)', set: squaresOf(whole).reduce((set, at, position) => ((sixteen >> BigInt(position)) & 1n ? set | bit(at) : set), 0n) },
    ];
  });
}
