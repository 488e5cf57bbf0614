// A player's results by the rating of his opponents: the server has no such groups, so they are made of the games' rows.

import { ask, type Group, type Query, type Search } from './api';

const BAND = 100;
const PAGE = 1000;
/** The games of each color that are read at most; of more, a sample is. */
const MOST = 4000;

export interface ByRating { groups: Group[]; games: number; all: number }

function add(groups: Map<number, Group>, rating: number, points: 'player_wins' | 'player_draws' | 'player_losses'): void {
  const band = Math.floor(rating / BAND) * BAND;
  const group = groups.get(band) ?? { value: `${band}–${band + BAND - 1}`, games: 0, white: 0, draws: 0, black: 0, player_wins: 0, player_draws: 0, player_losses: 0 };
  group.games++;
  group[points] = (group[points] ?? 0) + 1;
  groups.set(band, group);
}

/** The results of the filter's player by his opponents' ratings, the lowest first. */
export async function byOpponentRating(filter: Query, signal: AbortSignal): Promise<ByRating> {
  const groups = new Map<number, Group>();
  let [games, all] = [0, 0];
  const sides = (['white', 'black'] as const).filter((side) => !filter.as || filter.as === side);
  await Promise.all(sides.map(async (as) => {
    let query: Query = { ...filter, as };
    const { count } = await ask<Search>('search', { ...query, limit: '0' }, signal);
    all += count;
    if (count > MOST && !query.sample) query = { ...query, sample: `${((100 * MOST) / count).toFixed(4)}%` };
    for (let offset = 0; offset < count; offset += PAGE) {
      const rows = (await ask<Search>('search', { ...query, offset: String(offset), limit: String(PAGE) }, signal)).games;
      if (rows.length === 0) break;
      for (const { white_elo, black_elo, result } of rows) {
        const rating = as === 'white' ? black_elo : white_elo;
        games++;
        if (!rating || result === '*') continue;
        const won = as === 'white' ? '1-0' : '0-1';
        add(groups, rating, result === won ? 'player_wins' : result === '1/2-1/2' ? 'player_draws' : 'player_losses');
      }
    }
  }));
  const sorted = [...groups].sort(([a], [b]) => a - b).map(([, group]) => group);
  for (const group of sorted) group.player_percent = Math.round((1000 * ((group.player_wins ?? 0) + (group.player_draws ?? 0) / 2)) / group.games) / 10;
  return { groups: sorted, games, all };
}
