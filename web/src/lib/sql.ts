// The filter as a query of `halfmove sql`. Names are compared without case; accents count as they are written.

import type { Query } from './api';

/** The query, and the conditions that SQL does not have. */
export interface Sql { text: string; missing: string[] }

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Words in any order: each a whole word, or with `*` its beginning; of a name, a single letter is an initial. */
function words(column: string, text: string, { isName = false, isExact = false } = {}): string {
  const found = text.match(/[\p{L}\p{M}\p{N}_'’]+\*?/gu) ?? [];
  const pattern = found.map((word) => word.replace(/\*$/, '').replace(/['’]/g, "['’]?"));
  if (isExact) return `${column} ~* ${literal(`^\\W*${pattern.join('\\W+')}\\W*$`)}`;
  return found.map((word, index) => {
    const isBeginning = word.endsWith('*') || (isName && [...word].length === 1);
    return `${column} ~* ${literal(`\\b${pattern[index] ?? ''}${isBeginning ? '' : '\\b'}`)}`;
  }).join(' and ');
}

/** A bound of a date: a year, a month, a day, or a time before today, as 2y. A date without month and day is that of its year. */
function dated(text: string, sign: '>=' | '<='): string | null {
  const [, number, unit] = /^(\d+)([ymwd])$/.exec(text) ?? [];
  const known = /^(\d{4})(?:[-.](\d\d)(?:[-.](\d\d))?)?$/.exec(text);
  let day: string;
  if (number !== undefined) {
    day = `current_date - interval '${number} ${{ y: 'years', m: 'months', w: 'weeks', d: 'days' }[unit ?? 'd']}'`;
  } else if (known) {
    const [, year, month, date] = known;
    if (month === undefined) return `year ${sign} ${year}`;
    const last = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
    day = `date '${year}-${month}-${date ?? (sign === '>=' ? '01' : last)}'`;
  } else {
    return null;
  }
  return `(date ${sign} ${day} or date is null and year ${sign} extract(year from ${day}))`;
}

function control(text: string): string | null {
  const [, base, increment] = /^(\d+(?:\.\d+)?)\+(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (base !== undefined) return `base_seconds = ${60 * Number(base)} and increment_seconds = ${increment}`;
  const [, moves, seconds] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  return moves === undefined ? null : `period_moves = ${moves} and base_seconds = ${seconds}`;
}

/** Words of an opening's name, or in quotation marks a whole name, which its variations begin with. */
function opening(text: string): string {
  const [, name] = /^\s*["“](.*)["”]\s*$/.exec(text) ?? [];
  if (name === undefined) return words('opening(moves)', text);
  return `opening(moves) ~* ${literal(`^${name.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}([:,]|$)`)}`;
}

function codes(text: string): string {
  const each = text.split(',').map((part) => {
    const [first = '', last] = part.trim().toUpperCase().split('-');
    return last === undefined ? `coalesce(eco, eco(moves)) like ${literal(`${first}%`)}`
      : `coalesce(eco, eco(moves)) between ${literal(first)} and ${literal(last)}`;
  });
  return each.length === 1 ? (each[0] ?? '') : `(${each.join(' or ')})`;
}

function ids(text: string): string {
  const each = text.split(',').map((part) => {
    const [first = '', last] = part.trim().split('-');
    return last === undefined ? `id = ${Number(first)}` : `id between ${Number(first)} and ${Number(last)}`;
  });
  return each.length === 1 ? (each[0] ?? '') : `(${each.join(' or ')})`;
}

/** The conditions on the player, on either side or on one. */
function player(query: Query): string {
  const isExact = query.exact === '1';
  const results: Record<string, [string, string]> = { win: ['1-0', '0-1'], draw: ['1/2-1/2', '1/2-1/2'], loss: ['0-1', '1-0'] };
  const sides = (['white', 'black'] as const).map((side, index) => {
    const other = index === 0 ? 'black' : 'white';
    const result = results[query.result ?? '']?.[index];
    return [
      words(side, query.player ?? '', { isName: true, isExact }),
      ...(query.opponent ? [words(other, query.opponent, { isName: true, isExact })] : []),
      ...(result === undefined ? [] : [`result = ${literal(result)}`]),
    ].join(' and ');
  });
  if (query.as === 'white' || query.as === 'black') return sides[query.as === 'white' ? 0 : 1] ?? '';
  return `(${sides.join(' or ')})`;
}

const BOARD = ['pattern', 'structure', 'material', 'imbalance', 'pawns'];
const FILES = ['isolated', 'doubled', 'passed'];
const SWITCHES = ['opposite_bishops', 'either_color', 'mirrored', 'final'];

/** The conditions of `shows`, or '' without one. */
function board(query: Query): string {
  const parts = [
    ...BOARD.filter((name) => query[name]).map((name) => `${name}:${query[name]}`),
    ...FILES.flatMap((name) => (query[name] ?? '').split(',').filter(Boolean).map((file) => `${name}:${file.trim()}`)),
    ...SWITCHES.filter((name) => query[name] === '1').map((name) => name.replaceAll('_', '-')),
    ...(query.for ? [`for:${query.for}`] : []),
  ];
  return parts.length === 0 ? '' : `shows(moves, ${literal(parts.join(' '))})`;
}

/** Each parameter of a filter as a condition; null for what SQL does not have. */
const CONDITIONS: Record<string, (value: string, query: Query) => string | null> = {
  player: (_, query) => player(query),
  white: (text, query) => words('white', text, { isName: true, isExact: query.exact === '1' }),
  black: (text, query) => words('black', text, { isName: true, isExact: query.exact === '1' }),
  event: (text) => words('event', text),
  site: (text) => words('site', text),
  eco: codes,
  opening,
  speed: (text) => `speed in (${text.split(',').map((name) => literal(name.trim())).join(', ')})`,
  time_control: control,
  result: (text) => (['win', 'draw', 'loss'].includes(text) ? '' : `result = ${literal(text)}`),
  since: (text) => dated(text, '>='),
  until: (text) => dated(text, '<='),
  year: (text) => `year between ${Number(text.split('-')[0])} and ${Number(text.split('-').at(-1))}`,
  min_elo: (text) => `white_elo >= ${Number(text)} and black_elo >= ${Number(text)}`,
  max_elo: (text) => `white_elo between 1 and ${Number(text)} and black_elo between 1 and ${Number(text)}`,
  min_plies: (text) => `plies >= ${Number(text)}`,
  max_plies: (text) => `plies <= ${Number(text)}`,
  ids,
  played: (text) => `plays(moves, ${literal(text)})`,
  ended: (text) => `ended(moves) = ${literal(text)}`,
  comment: (text) => `has_comment(annotations, ${literal(text)})`,
  annotated: () => 'annotations is not null',
  variant: (text) => `variant = ${literal(text)}`,
};
/** Parameters that belong to another one. */
const WITHIN = new Set(['opponent', 'as', 'exact', 'in_variations', 'for', ...BOARD, ...FILES, ...SWITCHES]);
const SORTS: Record<string, string> = {
  date: 'date', rating: '(white_elo + black_elo)', plies: 'plies', id: 'id', white: 'lower(white)', black: 'lower(black)', eco: 'eco', event: 'lower(event)',
  result: "case result when '1-0' then 0 when '1/2-1/2' then 1 when '0-1' then 2 end",
};

/** The query that finds the games of a filter, which reach the position `fen` unless it is ''. */
export function sql(query: Query, fen: string, sort: string): Sql {
  const missing: string[] = [];
  const where: string[] = [];
  for (const [name, value] of Object.entries(query)) {
    if (value === '' || WITHIN.has(name)) continue;
    const condition = CONDITIONS[name]?.(value, query) ?? null;
    if (condition === null) missing.push(name);
    else if (condition !== '') where.push(condition);
  }
  const shown = board(query);
  if (shown !== '') where.push(shown);
  if (fen !== '') {
    const position = `${literal(fen)}${query.variant ? `, ${literal(query.variant)}` : ''}`;
    where.push(query.in_variations === '1' ? `reaches_anywhere(moves, annotations, ${position})` : `reaches(moves, ${position})`);
  }
  const [, minus, key] = /^(-?)(\w+)$/.exec(sort) ?? [];
  const order = `${SORTS[key ?? ''] ?? 'id'}${minus === '-' ? ' desc nulls last' : ''}`;
  const text = `select id, white, white_elo, black, black_elo, result, date, eco, plies, event\nfrom games${
    where.length === 0 ? '' : `\nwhere ${where.join('\n  and ')}`}\norder by ${order};`;
  return { text, missing };
}
