// The first games of the table as a PGN file, in its order: the server's own download has the order of the archive.

import { address, ask, Problem, type Query, type Search } from './api';
import { saveText } from './files';

/** The games that are put in the order of the table at most: the server is asked for each. */
export const MOST = 1000;
/** The games that are asked for at once. */
const AT_ONCE = 4;

/** The PGN of a game. */
export async function gameText(id: number, archive: Query): Promise<string> {
  const answer = await fetch(address(`games/${id}/pgn`, archive));
  if (!answer.ok) throw new Problem(answer.status, `The game ${id} cannot be read.`, null, null);
  return `${(await answer.text()).trimEnd()}\n`;
}

/** Saves the first `limit` games of a search with its `sort`. */
export async function download(query: Query, limit: number): Promise<void> {
  const { games } = await ask<Search>('search', { ...query, limit: String(limit) });
  const archive: Query = query.archive === undefined ? {} : { archive: query.archive };
  const texts: string[] = [];
  for (let index = 0; index < games.length; index += AT_ONCE) {
    texts.push(...(await Promise.all(games.slice(index, index + AT_ONCE).map(({ id }) => gameText(id, archive)))));
  }
  saveText(texts.join('\n'), 'games.pgn');
}
