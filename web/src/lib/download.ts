// A game of the archive as text.

import { address, Problem, type Query } from './api';

/** The PGN of a game. */
export async function gameText(id: number, archive: Query): Promise<string> {
  const answer = await fetch(address(`games/${id}/pgn`, archive));
  if (!answer.ok) throw new Problem(answer.status, `The game ${id} cannot be read.`, null, null);
  return `${(await answer.text()).trimEnd()}\n`;
}
