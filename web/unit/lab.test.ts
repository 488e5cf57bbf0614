import { describe, expect, it } from 'vitest';
import { attacks, bit, magic, readLab, squaresOf, WAYS, writeLab, type Slider } from '../src/lib/lab';

/** The sources of the techniques. */
const FILES: Record<string, string> = import.meta.glob(['../../crates/techniques/src/**/*.rs', '../../crates/bitboard/src/**/*.rs'], { query: '?raw', import: 'default', eager: true });
const SHOWN = Object.keys(WAYS);

/** The cards and the factors of the crate, as the page needs them. */
function ofCrate() {
  const crate = (name: string): string => FILES[`../../crates/techniques/src/${name}`] ?? '';
  const rows = [...crate('lib.rs').matchAll(/^\/\/! \| \[`(\w+)`\] \| ([\d,]+) \| (.*) \|$/gm)];
  const sources = Object.values(FILES);
  const cards = rows.map(([, type = '', bytes = '', idea = '']) => {
    const source = sources.find((text) => text.includes(`impl Sliders for ${type} `)) ?? '';
    const technique = /const TECHNIQUE: Technique = Technique \{([^]*?)\n    \};/.exec(source)?.[1] ?? '';
    const text = (name: string): string => (new RegExp(`${name}: "((?:[^"\\\\]|\\\\.)*)"`).exec(technique)?.[1] ?? '').replaceAll('\\"', '"');
    const before = source.slice(0, source.indexOf(`pub struct ${type}`));
    const docs = before.slice(before.lastIndexOf('\n\n///')).replace(/^\/\/\/ ?/gm, '');
    const part = (name: string): string => (new RegExp(`\\*\\*${name}\\*\\*\\s+([^]*?)(?=\\s*(?:\\*\\*\\w[\\w ]*\\.\\*\\*|\\n\\n|$))`).exec(docs)?.[1] ?? '')
      .replace(/\s+/g, ' ').replace(/\[`(?:\w+::)*(\w+)`\](\([^)]*\))?/g, '$1').replace(/`|\*(?=\w)|(?<=\w)\*/g, '');
    const card = SHOWN.includes(type) ? { card: ['Idea.', 'Formula.', 'Cost.', 'When it wins.', 'When it loses.'].map(part) } : {};
    return { type, name: text('name'), author: text('author'), bytes: Number(bytes.replaceAll(',', '')), idea: idea.replace(/`/g, ''), ...card };
  });
  const factors = crate('lookup/magics/factors.rs');
  const list = (name: string): string[] => [...(new RegExp(`${name}: \\[u64; 64\\] = \\[([^\\]]*)\\]`).exec(factors)?.[1] ?? '').matchAll(/0x([0-9a-f]{16})/g)].map(([, hex = '']) => hex);
  return { cards, rook: list('FANCY_ROOK'), bishop: list('FANCY_BISHOP') };
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

describe('lab', () => {
  it('has the cards and the factors of the crate', async () => {
    const expected = ofCrate();
    expect(expected.rook).toHaveLength(64);
    expect(expected.cards.length).toBeGreaterThan(30);
    for (const { type, name, ...card } of expected.cards) {
      expect(name, type).not.toBe('');
      if (SHOWN.includes(type)) expect(card.card?.every((part) => part !== ''), type).toBe(true);
    }
    // `npx vitest run -u` writes it.
    await expect(`${JSON.stringify(expected, null, 1)}\n`).toMatchFileSnapshot('../src/lib/techniques.json');
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
      // Empty, full, and random sets of few, half and most squares; the slider's own square may be among them.
      const sets = [0n, (1n << 64n) - 1n, ...Array.from({ length: 4 }, () => draw() & draw()), ...Array.from({ length: 3 }, draw), ...Array.from({ length: 4 }, () => draw() & draw() & draw()), draw() | draw()];
      for (const slider of ['R', 'B', 'Q'] as Slider[]) {
        for (const occupied of sets) {
          const expected = attacks(slider, square, occupied);
          for (const [name, way] of Object.entries(WAYS)) {
            const parts = way(slider, square, occupied);
            const found = parts.reduce((set, part) => set | part.attacks, 0n);
            expect(found, `${name} ${slider} ${square} ${occupied}`).toBe(expected);
            for (const part of parts) expect(part.steps.at(-1)?.set, name).toBe(part.attacks);
          }
        }
      }
    }
  });

  it('has factors that tell all occupancies of every square apart', { timeout: 120_000 }, () => {
    for (const slider of ['R', 'B'] as const) {
      for (let square = 0; square < 64; square++) {
        const { relevant, factor, shift, table } = magic(slider, square);
        for (let subset = 0n, isFirst = true; isFirst || subset !== 0n; isFirst = false) {
          if (table[Number(((subset * factor) & 0xffffffffffffffffn) >> shift)] !== attacks(slider, square, subset)) expect.fail(`${slider} ${square} ${subset}`);
          subset = (subset - relevant) & relevant;
        }
      }
    }
  });

  it('is restored by its link', () => {
    const lab = { way: 'Kindergarten', slider: 'Q' as const, square: 63, occupied: 0xffn };
    expect(writeLab(lab)).toBe('Kindergarten,Q,h8,ff');
    expect(readLab(writeLab(lab))).toEqual(lab);
    expect(readLab('x,K,z9,-1')).toEqual({ way: 'HyperbolaReversed', slider: 'R', square: 27, occupied: null });
  });
});
