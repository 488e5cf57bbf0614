import { describe, expect, it } from 'vitest';
import type { Row } from '../src/lib/api';
import { csv } from '../src/lib/csv';
import { sql } from '../src/lib/sql';

function where(query: Record<string, string>, fen = ''): string {
  return /where ([^]*)\norder by/.exec(sql(query, fen, '').text)?.[1] ?? '';
}

describe('SQL', () => {
  it('has a condition for every parameter, or names it', () => {
    expect(sql({}, '', '').text).toBe('select id, white, white_elo, black, black_elo, result, date, eco, plies, event\nfrom games\norder by id;');
    expect(sql({ sample: '1%', seed: '3', time_control: 'often' }, '', '-date')).toMatchObject({ missing: ['sample', 'seed', 'time_control'] });
    expect(sql({}, '', '-rating').text).toMatch(/order by \(white_elo \+ black_elo\) desc nulls last;$/);
  });

  it('quotes what was typed', () => {
    expect(where({ event: "Queen's * Cup'; drop" })).toBe(String.raw`event ~* '\bQueen[''’]?s\b' and event ~* '\bCup[''’]?\b' and event ~* '\bdrop\b'`);
    expect(where({ comment: "it's" })).toBe("has_comment(annotations, 'it''s')");
  });

  it('knows an opening by words and by its whole name', () => {
    expect(where({ opening: 'najdorf' })).toBe(String.raw`opening(moves) ~* '\bnajdorf\b'`);
    expect(where({ opening: '"Queen\'s Gambit (x)"' })).toBe(String.raw`opening(moves) ~* '^Queen''s Gambit \(x\)([:,]|$)'`);
  });

  it('asks for the player on either side', () => {
    expect(where({ player: 'tal m', result: 'win', opponent: 'botv*' })).toBe(String.raw`(white ~* '\btal\b' and white ~* '\bm' and black ~* '\bbotv' and result = '1-0'`
      + String.raw` or black ~* '\btal\b' and black ~* '\bm' and white ~* '\bbotv' and result = '0-1')`);
    expect(where({ player: 'Tal, M', exact: '1', as: 'black' })).toBe(String.raw`black ~* '^\W*Tal\W+M\W*$'`);
  });

  it('knows dates, codes, clocks and numbers', () => {
    expect(where({ since: '1999', until: '2000-02' })).toBe("year >= 1999\n  and (date <= date '2000-02-29' or date is null and year <= extract(year from date '2000-02-29'))");
    expect(where({ since: '2y' })).toMatch(/date >= current_date - interval '2 years'/);
    expect(where({ eco: 'b9,E60-E99' })).toBe("(coalesce(eco, eco(moves)) like 'B9%' or coalesce(eco, eco(moves)) between 'E60' and 'E99')");
    expect(where({ time_control: '3+2', ids: '4,7-9' })).toBe('base_seconds = 180 and increment_seconds = 2\n  and (id = 4 or id between 7 and 9)');
    expect(where({ year: '1990-1995', min_elo: '2500' })).toBe('year between 1990 and 1995\n  and white_elo >= 2500 and black_elo >= 2500');
  });

  it('puts all conditions on the board into one', () => {
    const query = { structure: 'iqp', isolated: 'd,black:e', mirrored: '1', for: '8', variant: 'makruk', in_variations: '1' };
    expect(where(query, 'F')).toBe("variant = 'makruk'\n  and shows(moves, 'structure:iqp isolated:d isolated:black:e mirrored for:8')\n  and reaches_anywhere(moves, annotations, 'F', 'makruk')");
  });
});

describe('CSV', () => {
  it('quotes commas, quotes and line ends', () => {
    const row: Row = {
      id: 1, variant: 'chess', white: 'Tal, "M"', black: null, date: '1960.??.??', result: '1-0', ply: null, event: 'a\nb', site: null, round: '1', eco: 'B90',
      white_elo: 2600, black_elo: null, plies: 40,
    };
    expect(csv([row])).toBe('id,variant,white,black,date,result,ply,event,site,round,eco,white_elo,black_elo,plies\n1,chess,"Tal, ""M""",,1960.??.??,1-0,,"a\nb",,1,B90,2600,,40\n');
  });
});
