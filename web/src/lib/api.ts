// The server's answers (docs/reference/http.md) and the one function that asks for them.

export type Color = 'white' | 'black';
export interface Opening { eco: string; name: string }
export interface Archive {
  name: string; games: number; plies: number; version: number;
  first_year: number | null; last_year: number | null;
  variants: Record<string, number>; changeable?: boolean;
}
export interface Archives { archives: Archive[]; program: string; engine: boolean; changeable: boolean }

/** Results of a player among those of a group; present only if the filter names a player. */
export interface PlayerResults {
  player_wins?: number; player_draws?: number; player_losses?: number; player_percent?: number | null;
}
export interface Results { white: number; draws: number; black: number; other?: number }

export interface Row {
  id: number; variant: string; white: string | null; black: string | null; date: string | null; result: string;
  ply: number | null; event: string | null; site: string | null; round: string | null; eco: string | null;
  white_elo: number | null; black_elo: number | null; plies: number;
}
export interface Search extends PlayerResults {
  archive: string; version: number; count: number; offset: number; milliseconds: number; games: Row[];
}

export interface Evaluation { cp?: number; mate?: number }
export interface Counting { kind: 'board' | 'pieces'; color: Color; number: number; limit: number }
export interface Node {
  parent: number | null; ply: number; main: boolean; uci: string | null; san: string | null; fen: string; check: boolean;
  nags: { number: number; symbol: string | null }[]; comments: string[]; before?: string[];
  clock: number | null; elapsed: number | null; evaluation: Evaluation | null;
  arrows: { color: string; from: string; to: string }[]; squares: { color: string; square: string }[];
  counting: Counting | null; words: string[];
}
export interface Game {
  id: number; variant: string; tags: Record<string, string>; result: string; plies: number; fault: string | null;
  opening: Opening | null; fen: string; nodes: Node[]; after: string[];
}

export interface LegalMove {
  uci: string; san: string; from: string; to: string; promotion: string | null; capture: boolean; castling: boolean;
  en_passant: boolean; fen: string;
}
export interface Outcome { result: string; reason: string; winner: Color | null }
export interface Position {
  variant: string; fen: string; ply: number; turn: Color; check: boolean; checkers: string[];
  line: { uci: string; san: string; fen: string }[]; moves: LegalMove[];
  counting: Counting | null; outcome: Outcome | null; claim: Outcome | null; opening: Opening | null;
}

export interface ExplorerMove extends Results {
  uci: string; san: string; averageRating: number | null; performance: number | null; lastPlayed: string | null;
  opening: Opening | null; reached?: number;
}
export interface Explorer extends Results, PlayerResults {
  version: number;
  milliseconds: number; fen: string; turn: Color; averageRating: number | null; performance: number | null;
  lastPlayed: string | null; opening: Opening | null; moves: ExplorerMove[];
  history?: (Results & { year: number })[];
}
export interface Group extends Results, PlayerResults {
  value: string | null; games: number; white_percent?: number | null; performance?: number | null;
  averageOpponentRating?: number | null;
}
export interface Scores { by: string; count: number; games: number; groups: Group[] }
export interface Stats extends Results, PlayerResults { games: number; groups: (Group & { by: string })[] }
export interface Players {
  count: number;
  players: { name: string; games: number; first_year: number | null; last_year: number | null; highest_elo: number | null }[]; near: { name: string; games: number }[];
}
export interface Events { events: { event: string; site: string | null; first_year: number | null; games: number }[] }
export interface Openings { openings: { eco: string; name: string; moves: string }[] }
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
