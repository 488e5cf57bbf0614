import { describe, expect, it } from 'vitest';
import { FAMILIES, readLab, TECHNIQUES, writeLab } from '../src/lib/lab';
import { folding, foldingSlot, modulo } from '../src/lib/lab/lookup';
import { magic, setNumber, slotOf } from '../src/lib/lab/magics';
import { along, attacks, bit, forEachSubset, lines, squaresOf, type Slider } from '../src/lib/lab/sets';

/** The sources of the techniques. */
const FILES: Record<string, string> = import.meta.glob(['../../crates/techniques/src/**/*.rs', '../../crates/bitboard/src/**/*.rs'], { query: '?raw', import: 'default', eager: true });

/** The cards and the factors of the crate, as the page needs them. */
function ofCrate() {
  const crate = (name: string): string => FILES[`../../crates/techniques/src/${name}`] ?? '';
  const table = [...crate('lib.rs').matchAll(/^\/\/! \| \[`(\w+)`\] \| ([\d,]+) \| (.*) \|$/gm)];
  const sources = Object.values(FILES);
  const cards = table.map(([, type = '', bytes = '', idea = '']) => {
    const source = sources.find((text) => text.includes(`impl Sliders for ${type} `)) ?? '';
    const technique = /const TECHNIQUE: Technique = Technique \{([^]*?)\n    \};/.exec(source)?.[1] ?? '';
    const text = (name: string): string => (new RegExp(`${name}: "((?:[^"\\\\]|\\\\.)*)"`).exec(technique)?.[1] ?? '').replaceAll('\\"', '"');
    const before = source.slice(0, source.indexOf(`pub struct ${type}`));
    const docs = before.slice(before.lastIndexOf('\n\n///')).replace(/^\/\/\/ ?/gm, '').replace(/(?<=[^\n])\n(?=[^\n])/g, ' ');
    const part = (name: string): string => (new RegExp(`\\*\\*${name}\\*\\*\\s+([^]*?)(?=\\s*(?:\\*\\*\\w[\\w ]*\\.\\*\\*|\\n\\n|$))`).exec(docs)?.[1] ?? '')
      .replace(/\s+/g, ' ').replace(/:$/, '.').replace(/\[`(?:\w+::)*(\w+)`\](\([^)]*\))?/g, '$1').replace(/`|\*(?=\w)|(?<=\w)\*/g, '');
    return {
      type, name: text('name'), author: text('author'), source: text('source').replace(/`/g, ''), instructions: text('instructions'), bytes: Number(bytes.replaceAll(',', '')),
      idea: idea.replace(/`/g, ''), card: ['Idea.', 'Formula.', 'Cost.', 'When it wins.', 'When it loses.'].map(part),
    };
  });
  /** The rows of a table of factors, their numbers with commas. */
  const rows = (text: string): string[] => [...text.matchAll(/0x([0-9a-f]+)((?:, \d+)*)/g)].map(([, hex = '', others = '']) => hex + others.replaceAll(' ', ''));
  const list = (name: string): string[] => rows(new RegExp(`${name}: \\[[^=]*\\] = \\[([^]*?)\\];`).exec(crate('lookup/magics/factors.rs'))?.[1] ?? '');
  const of = (name: string) => ({ R: list(`${name}_ROOK`), B: list(`${name}_BISHOP`) });
  const lines = rows(/FACTORS: \[[^=]*\] = \[([^]*?)\];/.exec(crate('lookup/folding_hash/factors.rs'))?.[1] ?? '');
  return {
    cards,
    factors: {
      PlainMagics: of('PLAIN'), FancyMagics: of('FANCY'), SharedMagics: of('SHARED'), BlackMagics: of('BLACK'),
      FoldingHash: Array.from({ length: lines.length / 4 }, (_, square) => lines.slice(4 * square, 4 * square + 4)),
    },
  };
}

/** Numbers that look random, the same in each run. */
function* numbers(): Generator<bigint> {
  for (let state = 0x9e3779b97f4a7c15n; ;) {
    state ^= (state << 13n) & 0xffffffffffffffffn;
    state ^= state >> 7n;
    state ^= (state << 17n) & 0xffffffffffffffffn;
    yield state;
  }
}

const known = new Map<string, bigint>();
/** The attacks of a rook or bishop among some of its relevant squares, computed once. */
function setOf(slider: 'R' | 'B', square: number, subset: bigint): bigint {
  const key = `${slider}${square} ${subset}`;
  const set = known.get(key) ?? attacks(slider, square, subset);
  known.set(key, set);
  return set;
}

describe('lab', () => {
  it('has the cards and the factors of the crate', async () => {
    const { cards, factors } = ofCrate();
    for (const { R, B } of [factors.PlainMagics, factors.FancyMagics, factors.SharedMagics, factors.BlackMagics]) expect([R.length, B.length]).toEqual([64, 64]);
    expect(factors.FoldingHash).toHaveLength(64);
    for (const { card, instructions, ...text } of cards) expect([...card, ...Object.values(text)].every((part) => part !== ''), text.type).toBe(true);
    expect(cards.find(({ type }) => type === 'Pext')?.instructions).toBe('BMI2');
    // Each technique of the crate is shown, once.
    expect(Object.values(FAMILIES).flatMap((family) => Object.keys(family)).sort()).toEqual(cards.map(({ type }) => type).sort());
    // `npx vitest run -u` writes it.
    await expect(`${JSON.stringify({ cards, factors }, null, 1)}\n`).toMatchFileSnapshot('../src/lib/techniques.json');
  });

  it('walks rays up to the first piece', () => {
    const occupied = [11, 43, 24, 30].reduce((set, square) => set | bit(square), 0n);
    expect(squaresOf(attacks('R', 27, occupied))).toEqual([11, 19, 24, 25, 26, 28, 29, 30, 35, 43]);
    expect(squaresOf(attacks('B', 0, 0n))).toEqual([9, 18, 27, 36, 45, 54, 63]);
    expect(attacks('Q', 27, occupied)).toBe(attacks('R', 27, occupied) | attacks('B', 27, occupied));
  });

  it('finds the same attacks by every technique, on all squares', { timeout: 120_000 }, () => {
    const random = numbers();
    const draw = (): bigint => random.next().value as bigint;
    for (let square = 0; square < 64; square++) {
      // Empty, full, and random sets of a quarter, half, an eighth and three quarters; the slider's own square may be among them. A queen takes the steps of a rook and a bishop.
      const sets = [0n, (1n << 64n) - 1n, draw() & draw(), draw(), draw() & draw() & draw(), draw() | draw(), draw() & draw(), draw()];
      for (const slider of ['R', 'B', 'Q'] as Slider[]) {
        for (const occupied of slider === 'Q' ? sets : sets.slice(0, 4)) {
          const expected = attacks(slider, square, occupied);
          for (const [name, technique] of Object.entries(TECHNIQUES)) {
            const parts = technique(slider, square, occupied);
            const found = parts.reduce((set, part) => set | part.attacks, 0n);
            if (found !== expected) expect.fail(`${name} ${slider} ${square} ${occupied}: ${found} instead of ${expected}`);
            for (const part of parts) if (part.steps.at(-1)?.set !== part.attacks) expect.fail(`${name} ${slider} ${square} ${occupied}: ${part.name} ends in a step without the attacks`);
          }
        }
      }
    }
  });

  it('has factors that keep the attack sets of the whole table apart', { timeout: 120_000 }, () => {
    const sizes: Record<string, number> = {};
    for (const kind of ['PlainMagics', 'FancyMagics', 'BlackMagics', 'SharedMagics'] as const) {
      const table = new Map<number, bigint>();
      for (const slider of ['R', 'B'] as const) {
        for (let square = 0; square < 64; square++) {
          const constants = magic(kind, slider, square);
          // Plain magics have a table of their own for bishops.
          const offset = constants.offset + (kind === 'PlainMagics' && slider === 'B' ? 64 << 12 : 0);
          forEachSubset(constants.relevant, (subset) => {
            const slot = offset + slotOf(constants, subset);
            const set = setOf(slider, square, subset);
            if ((table.get(slot) ?? set) !== set) expect.fail(`${kind} ${slider} ${square} ${subset}`);
            table.set(slot, set);
          });
        }
      }
      sizes[kind] = [...table.keys()].reduce((most, slot) => Math.max(most, slot)) + 1;
    }
    // As the cards say.
    expect(sizes.FancyMagics).toBeLessThanOrEqual(107_648);
    expect(sizes.BlackMagics).toBe(114_993);
    expect(sizes.SharedMagics).toBe(85_941);
  });

  it('numbers all attack sets from 0 to 6,327', { timeout: 120_000 }, () => {
    const sets = new Map<number, bigint>();
    for (const slider of ['R', 'B'] as const) {
      for (let square = 0; square < 64; square++) {
        const ofSquare = new Set<bigint>();
        forEachSubset(magic('FancyMagics', slider, square).relevant, (subset) => ofSquare.add(setOf(slider, square, subset)));
        for (const set of ofSquare) {
          const found = setNumber(slider, square, set);
          if (sets.has(found)) expect.fail(`${slider} ${square}: ${found} twice`);
          sets.set(found, set);
        }
      }
    }
    expect(sets.size).toBe(6_328);
    expect(Math.max(...sets.keys())).toBe(6_327);
  });

  it('has remainders and folded factors that keep the attack sets of a line apart', { timeout: 120_000 }, () => {
    const slots = new Map<number, bigint>();
    for (const line of lines('Q')) {
      for (let square = 0; square < 64; square++) {
        const hash = folding(square, line);
        forEachSubset(hash.looked, (subset) => {
          const [slot, set] = [foldingSlot(hash, subset), along(square, line, subset)];
          if ((slots.get(slot) ?? set) !== set) expect.fail(`folding ${line} ${square} ${subset}`);
          slots.set(slot, set);
        });
        for (const isInner of line === 'rank' ? [] : [false, true]) {
          const { looked, modulus, shift } = modulo(square, line, isInner);
          const entries = new Map<bigint, bigint>();
          forEachSubset(looked, (subset) => {
            const [index, set] = [(subset >> shift) % BigInt(modulus), along(square, line, subset & ~bit(square))];
            if ((entries.get(index) ?? set) !== set) expect.fail(`modulo ${line} ${square} ${subset}`);
            entries.set(index, set);
          });
        }
      }
    }
    // As the card says: 5,288 slots, of which 4,558 are filled.
    expect(slots.size).toBe(4_558);
    expect(Math.max(...slots.keys())).toBeLessThan(5_288);
  });

  it('is restored by its link', () => {
    const lab = { technique: 'Kindergarten', slider: 'Q' as const, square: 63, occupied: 0xffn };
    expect(writeLab(lab)).toBe('Kindergarten,Q,h8,ff');
    expect(readLab(writeLab(lab))).toEqual(lab);
    expect(readLab('x,K,z9,-1')).toEqual({ technique: 'HyperbolaReversed', slider: 'R', square: 27, occupied: null });
  });
});
