// Ray by ray: walked, or taken from a table and cut behind the first piece.

import { ALL, bit, directions, highest, lowest, part, squaresOf, stepOf, walk, type Direction, type Part, type Slider } from './sets';

export function rayWalk(slider: Slider, square: number, occupied: bigint): Part[] {
  return directions(slider).map((direction) => part(direction, [{ text: 'step until a piece stands there', set: walk(square, occupied, direction) }]));
}

const isRising = (direction: Direction): boolean => stepOf(direction) > 0;
const rayOf = (set: bigint, direction: Direction): bigint => squaresOf(set).reduce((ray, square) => ray | walk(square, 0n, direction), 0n);

/** Each ray without the ray of its first piece; a sentinel in the last corner spares the question whether there is one. */
function cutRays(slider: Slider, square: number, occupied: bigint, withSentinel: boolean): Part[] {
  return directions(slider).map((direction) => {
    const ray = walk(square, 0n, direction);
    const [corner, name] = isRising(direction) ? [bit(63), 'h8'] : [bit(0), 'a1'];
    const pieces = (ray & occupied) | (withSentinel ? corner : 0n);
    const first = isRising(direction) ? lowest(pieces) : highest(pieces);
    const behind = rayOf(first, direction);
    return part(direction, [
      { text: 'ray', set: ray }, { text: withSentinel ? `ray & o, and ${name}` : 'ray & o', set: pieces },
      { text: isRising(direction) ? 'first: the lowest bit' : 'first: the highest bit', set: first }, { text: 'ray of first', set: behind }, { text: 'ray ^ ray of first', set: ray ^ behind },
    ]);
  });
}

export function classicalRays(slider: Slider, square: number, occupied: bigint): Part[] {
  return cutRays(slider, square, occupied, false);
}

export function bobMike(slider: Slider, square: number, occupied: bigint): Part[] {
  return cutRays(slider, square, occupied, true);
}

/** The lanes of the register, the lowest first. */
const LANES: readonly Direction[] = ['north', 'east', 'south', 'west', 'north-east', 'north-west', 'south-east', 'south-west'];

export function raysInLanes(slider: Slider, square: number, occupied: bigint): Part[] {
  const used = directions(slider);
  return LANES.flatMap((direction, lane) => {
    if (!used.includes(direction)) return [];
    const ray = walk(square, 0n, direction);
    const t = ray & occupied;
    // An arithmetic shift of the sign bit by the number of leading zeros: everything from the highest bit up, or all.
    const free = isRising(direction) ? (t ^ (t - 1n)) & ALL : t === 0n ? ALL : ALL & ~(highest(t) - 1n);
    return [part(`lane ${lane}: ${direction}`, [
      { text: 'ray', set: ray }, { text: 't = ray & o', set: t }, { text: isRising(direction) ? 't ^ (t − 1)' : 'MIN >> lzcnt(t)', set: free }, { text: '& ray', set: free & ray },
    ])];
  });
}
