// Names of players as they are typed: the last word may be a beginning, and a name that nobody has is like others.

import { ask, type Players, type Query } from './api';
import { counted } from './format';

/** The fields of the filter that hold a name. */
export const NAMES: readonly string[] = ['player', 'opponent', 'white', 'black'];

async function isKnown(player: string, archive: Query, signal: AbortSignal): Promise<boolean> {
  return (await ask<{ count: number }>('count', { ...archive, player }, signal)).count > 0;
}

/** A typed name for the filter: if nobody has its last word and names begin so, it is a beginning. */
export async function completed(name: string, archive: Query, signal: AbortSignal): Promise<string> {
  if (!/[\p{L}\p{M}]$/u.test(name) || (await isKnown(name, archive, signal))) return name;
  return (await isKnown(`${name}*`, archive, signal)) ? `${name}*` : name;
}

/** A name of the archive; years only where the server tells them. */
export interface Named { name: string; games: number; first_year?: number | null; last_year?: number | null }

/** What tells a name from others: "143 games, 1986–1998". */
export function described({ games, first_year: first, last_year: last }: Named): string {
  const years = !first ? '' : first === last || !last ? `, ${first}` : `, ${first}–${last}`;
  return `${counted(games, 'game')}${years}`;
}

/** The names that are like one that nobody has; null if players have it. */
export async function similar(name: string, archive: Query, signal: AbortSignal): Promise<Named[] | null> {
  if (await isKnown(name, archive, signal)) return null;
  const { players, near } = await ask<Players>('players', { ...archive, q: name, limit: '6' }, signal);
  return players.length > 0 ? players : near.slice(0, 6);
}

/** The names that a name in the filter matches, those with the most games first, and their number. */
export async function matching(name: string, archive: Query, limit: number, signal: AbortSignal): Promise<{ names: Named[]; count: number }> {
  // The server takes the last letters of what is typed as a beginning; a comma ends the word.
  const q = /[\p{L}\p{M}\p{N}]$/u.test(name) ? `${name},` : name;
  const { players, count } = await ask<Players>('players', { ...archive, q, limit: String(limit) }, signal);
  return { names: players, count };
}

/**
 * A name with an initial in place of the given names, as many files spell it: "Tal, M" for "Tal, Mikhail". Without a comma, the surname
 * may be the last word or the first one. Nothing if no given name is spelled out.
 */
export function withInitials(name: string): string[] {
  const text = name.trim();
  const comma = text.indexOf(',');
  const [last, first] = [text.lastIndexOf(' '), text.indexOf(' ')];
  if (comma < 0 && first < 0) return [];
  const ways = comma < 0
    ? [[text.slice(last + 1), text.slice(0, last)], [text.slice(0, first), text.slice(first + 1)]]
    : [[text.slice(0, comma), text.slice(comma + 1)]];
  return ways.flatMap(([surname = '', given = '']) => {
    const [initial = '', second] = given.trim().split(/[ .-]/)[0] ?? '';
    return second !== undefined && /^\p{L}/u.test(initial) && surname.trim().length > 1 ? [`${surname.trim()}, ${initial}`] : [];
  });
}
