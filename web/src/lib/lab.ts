// The lab: which technique of crate `techniques` is shown, for which slider and pieces. The steps are in `lab/`, a file for each family.

import { squareIndex, squareName } from './board';
import { dualHyperbola, gfniHyperbola, hyperbola, hyperbolaReversed, leorik, obstructionDifference, qbb, sbamg, slideArithmetic, subtraction } from './lab/arithmetic';
import { dumb7Fill, koggeStone } from './lab/fills';
import { congruentModulo, congruentModuloInner, firstRank256, firstRank64, foldingHash, kindergarten, kindergartenSuperSissy, rotated, sissy } from './lab/lookup';
import { blackMagics, fancyMagics, indirectMagics, pext, pextEmulated, pextPdep, plainMagics, sharedMagics } from './lab/magics';
import { bobMike, classicalRays, rayWalk, raysInLanes } from './lab/rays';
import type { Slider, Technique } from './lab/sets';

/** All techniques by family, in the order of the lecture, by the names of their types in the crate. */
export const FAMILIES: Record<string, Record<string, Technique>> = {
  'Rays of the empty board': { RayWalk: rayWalk, ClassicalRays: classicalRays, BobMike: bobMike },
  'By calculation': {
    Subtraction: subtraction, Hyperbola: hyperbola, HyperbolaReversed: hyperbolaReversed, ObstructionDifference: obstructionDifference, Sbamg: sbamg,
    SlideArithmetic: slideArithmetic, Leorik: leorik, Qbb: qbb,
  },
  Fills: { Dumb7Fill: dumb7Fill, KoggeStone: koggeStone },
  'Lines, from tables': {
    FirstRank256: firstRank256, FirstRank64: firstRank64, Rotated: rotated, Kindergarten: kindergarten, KindergartenSuperSissy: kindergartenSuperSissy, Sissy: sissy,
    CongruentModulo: congruentModulo, CongruentModuloInner: congruentModuloInner, FoldingHash: foldingHash,
  },
  'Magic bitboards': { PlainMagics: plainMagics, FancyMagics: fancyMagics, IndirectMagics: indirectMagics, BlackMagics: blackMagics, SharedMagics: sharedMagics },
  'Instructions and registers': { PextEmulated: pextEmulated, Pext: pext, PextPdep: pextPdep, DualHyperbola: dualHyperbola, GfniHyperbola: gfniHyperbola, RaysZmm: raysInLanes },
};
/** The same without the families. */
export const TECHNIQUES: Record<string, Technique> = Object.assign({}, ...Object.values(FAMILIES)) as Record<string, Technique>;

export interface Lab { technique: string; slider: Slider; square: number; occupied: bigint | null }

/** Reads what an address says of the lab; `occupied` is null if it is that of the board. */
export function readLab(text: string): Lab {
  const [technique = '', slider, square = '', occupied = ''] = text.split(',');
  return {
    technique: Object.hasOwn(TECHNIQUES, technique) ? technique : 'HyperbolaReversed', slider: slider === 'B' || slider === 'Q' ? slider : 'R',
    square: /^[a-h][1-8]$/.test(square) ? squareIndex(square) : 27, occupied: /^[0-9a-f]{1,16}$/.test(occupied) ? BigInt(`0x${occupied}`) : null,
  };
}

export function writeLab({ technique, slider, square, occupied }: Lab): string {
  return [technique, slider, squareName(square), ...(occupied === null ? [] : [occupied.toString(16)])].join(',');
}
