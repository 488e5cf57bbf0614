import { describe, expect, it } from 'vitest';
import { FILTERS } from '../src/lib/address';
import { condition, FIELDS, STRUCTURES } from '../src/lib/fields';
import { described, withInitials } from '../src/lib/names';

describe('conditions', () => {
  it('are written in the words of their fields', () => {
    expect(condition('as', 'white')).toBe('Color: White');
    expect(condition('min_elo', '2600')).toBe('Rating from: 2600');
    expect(condition('max_elo', '2700')).toBe('Rating to: 2700');
    expect(condition('until', '1999')).toBe('Date to: 1999');
    expect(condition('for', '20')).toBe('for 20 plies');
    expect(condition('structure', 'white:iqp')).toBe("isolated queen's pawn, White");
    expect(condition('structure', 'hedgehog')).toBe('Hedgehog');
    expect(condition('material', 'RP*vRP*')).toBe('Material: rook ending');
    expect(condition('material', 'RPvR')).toBe('Material: RPvR');
    expect(condition('either_color', '1')).toBe('either color');
    expect(condition('result', '1/2-1/2')).toBe('Result: ½–½');
    expect(condition('pattern', '8/8/8/8/3P4/8/8/8')).toBe('pattern: 8/8/8/8/3P4/8/8/8');
  });

  it('have fields of parameters that the server has', () => {
    const names: readonly string[] = FILTERS;
    expect(FIELDS.filter(({ name }) => !names.includes(name))).toEqual([]);
    expect(Object.keys(STRUCTURES)).toHaveLength(12);
  });
});

describe('names', () => {
  it('have an initial in place of given names that are spelled out', () => {
    expect(withInitials('Gelfand, Boris')).toEqual(['Gelfand, B']);
    expect(withInitials('Mikhail Tal')).toEqual(['Tal, M', 'Mikhail, T']);
    expect(withInitials('adams mi')).toEqual(['mi, a', 'adams, m']);
    for (const name of ['Tal', 'Tal, M', 'Tal, M.', 'karp*', '']) expect(withInitials(name), name).toEqual([]);
  });

  it('are told apart by games and years', () => {
    expect(described({ name: 'A', games: 1, first_year: 1990, last_year: 1990 })).toBe('1 game, 1990');
    expect(described({ name: 'A', games: 1234, first_year: 1984, last_year: 1998 })).toBe('1,234 games, 1984–1998');
    expect(described({ name: 'A', games: 2, first_year: null, last_year: null })).toBe('2 games');
    expect(described({ name: 'A', games: 2 })).toBe('2 games');
  });
});
