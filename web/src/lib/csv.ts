// The table of games as CSV, with the columns and the quoting of `halfmove search --format csv`.

import { ask, type Query, type Row, type Search } from './api';

/** The games that are copied at most. */
const MOST = 10_000;
const PAGE = 1000;
const COLUMNS = [
  'id', 'variant', 'white', 'black', 'date', 'result', 'ply', 'event', 'site', 'round', 'eco', 'white_elo', 'black_elo', 'plies',
] as const satisfies readonly (keyof Row)[];

function field(value: string | number | null): string {
  const text = String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function csv(rows: readonly Row[]): string {
  return [COLUMNS.join(','), ...rows.map((row) => COLUMNS.map((column) => field(row[column])).join(',')), ''].join('\n');
}

/** The games of a search, up to ten thousand, and the number of all. */
export async function rows(query: Query): Promise<{ games: Row[]; count: number }> {
  const games: Row[] = [];
  let count = 0;
  do {
    const answer = await ask<Search>('search', { ...query, offset: String(games.length), limit: String(PAGE) });
    games.push(...answer.games);
    count = answer.count;
    if (answer.games.length === 0) break;
  } while (games.length < Math.min(count, MOST));
  return { games, count };
}
