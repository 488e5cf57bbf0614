// Names of players as they are typed: the last word may be a beginning, and a name that nobody has is like others.

import { ask, type Players, type Query } from './api';

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

/** The names that are like one that nobody has; null if players have it. */
export async function similar(name: string, archive: Query, signal: AbortSignal): Promise<string[] | null> {
  if (await isKnown(name, archive, signal)) return null;
  const { players, near } = await ask<Players>('players', { ...archive, q: name, limit: '6' }, signal);
  return (players.length > 0 ? players : near).map((player) => player.name);
}
