// The server's answers (docs/reference/http.md), by the names of the page, and the one function that asks for them.

import type { Counts, Evaluation, PlayerScore } from './schema';

export type {
  ArchiveList as Archives, Duplicates, Evaluation, Events, Explored as Explorer, Found as Search, Legal as LegalMove, Listed as Row, Node, Openings, Played as ExplorerMove, Players,
  Scores, Shown as Position, Statistics as Stats, Tree as Game,
} from './schema';

export type Color = 'white' | 'black';
/** Results; `other` may be unknown. */
export type Results = Omit<Counts, 'other'> & { other?: number };
/** Results of a player among those of a group; present only if the filter names a player. */
export type PlayerResults = Partial<PlayerScore>;
/** Results of games with a common value. */
export type Group = Results & PlayerResults & {
  value: string | null; games: number; white_percent?: number | null; performance?: number | null; averageOpponentRating?: number | null;
};
/** A line of the engine, from a stream that the description does not describe. */
export interface EngineLine { line: number; depth: number; evaluation: Evaluation; moves: string[]; san: string[] }

export type Query = Record<string, string>;

/** An answer of the server that is an error, as `application/problem+json` describes it. */
export class Problem extends Error {
  constructor(readonly status: number, detail: string, readonly hint: string | null, readonly parameter: string | null) {
    super(detail);
  }
}

/** The address of a route with its parameters; empty values are left out. */
export function address(route: string, query: Query = {}): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== '');
  const text = new URLSearchParams(pairs).toString();
  return `/api/${route}${text === '' ? '' : `?${text}`}`;
}

/** Asks the server. The signal stops the server's search, too. */
export async function ask<T>(route: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(address(route, query), signal ? { signal } : {});
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Problem(0, 'The server does not answer.', 'Is halfmove serve still running?', null);
  }
  if (answer.ok) return (await answer.json()) as T;
  const text = await answer.text();
  try {
    const body = JSON.parse(text) as { detail: string; hint: string | null; parameter: string | null };
    throw new Problem(answer.status, body.detail, body.hint, body.parameter);
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem(answer.status, text || answer.statusText, null, null);
  }
}

/** True for the error of a request that was stopped. */
export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
