// Fills: a set of sliders spreads over empty squares, in one direction at a time.

import { bit, directions, part, reachOf, shifted, type Part, type Slider, type Step } from './sets';

export function dumb7Fill(slider: Slider, square: number, occupied: bigint): Part[] {
  return directions(slider).map((name) => {
    const { by, reach } = reachOf(name);
    const open = reach & ~occupied;
    let fill = bit(square);
    const rounds = Array.from({ length: 6 }, (_, round): Step => {
      fill |= open & shifted(fill, by);
      return { text: `step ${round + 1}`, set: fill };
    });
    return part(name, [{ text: 'empty', set: open }, ...rounds, { text: 'one step more, onto a piece, too', set: shifted(fill, by) & reach }]);
  });
}

export function koggeStone(slider: Slider, square: number, occupied: bigint): Part[] {
  return directions(slider).map((name) => {
    const { by, reach } = reachOf(name);
    let [fill, open] = [bit(square), reach & ~occupied];
    const steps: Step[] = [];
    for (const length of [1, 2, 4]) {
      steps.push({ text: length === 1 ? 'open: empty' : `open for ${length} steps`, set: open });
      fill |= open & shifted(fill, length * by);
      steps.push({ text: `fill by ${length}`, set: fill });
      open &= shifted(open, length * by);
    }
    return part(name, [...steps, { text: 'one step more, onto a piece, too', set: shifted(fill, by) & reach }]);
  });
}
