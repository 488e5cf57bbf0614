// A repertoire: marked lines, kept in this browser, out as PGN with the archive's numbers, and in from a PGN of one's own.

import { ask, type Color, type Explorer, type ExplorerMove, type Position, type Query, type Results } from './api';
import { moveNumber, start } from './board';
import { count, counted } from './format';
import { page } from './page.svelte';
import { leaves, readPgn, tree, writePgn, type Branch, type Move } from './pgn';
import { path } from './tree';

export interface Repertoire {
  variant: string; fen: string; lines: Move[][];
  /** The color that the lines are played with; without it, those of both. */
  color?: Color | '';
}

const KEY = 'halfmove-repertoire';

function stored(): Repertoire {
  try {
    const value = JSON.parse(localStorage.getItem(KEY) ?? '') as Repertoire;
    if (Array.isArray(value.lines)) return value;
  } catch {
    // Nothing stored, or by another version: begin anew.
  }
  return { variant: 'chess', fen: '', lines: [] };
}

export const repertoire = $state<Repertoire>(stored());

function keep(): void {
  localStorage.setItem(KEY, JSON.stringify(repertoire));
}

/** The line from the start to the board. */
export function here(): Move[] {
  const game = page.game.answer;
  if (page.view.game !== null && game) {
    return path(game.nodes, page.view.node).map(({ uci, san }) => ({ uci: uci ?? '', san: san ?? '' }));
  }
  return page.board.answer?.line.map(({ uci, san }) => ({ uci, san })) ?? [];
}

const known = new Map<string, Promise<Move[]>>();
/** The moves of a line from the start of the board, which the server writes in SAN, asked once. */
export function inSan(variant: string, fen: string, moves: readonly string[]): Promise<Move[]> {
  const query: Query = { variant, ...(fen === '' ? {} : { fen }), moves: moves.join(' ') };
  const key = JSON.stringify(query);
  const line = known.get(key) ?? ask<Position>('position', query).then((answer) => answer.line.map(({ uci, san }) => ({ uci, san })));
  known.set(key, line);
  line.catch(() => known.delete(key));
  return line;
}

function startsWith(line: readonly Move[], beginning: readonly string[]): boolean {
  return beginning.length <= line.length && beginning.every((uci, index) => line[index]?.uci === uci);
}

function isSameStart(): boolean {
  const fen = page.view.game === null ? page.view.fen : page.game.answer?.tags.FEN ?? '';
  return repertoire.variant === page.variant && repertoire.fen === fen;
}

/** True if the move on the board belongs to a marked line. */
export function isMarked(uci: string): boolean {
  if (repertoire.lines.length === 0 || !isSameStart()) return false;
  const beginning = [...here().map((move) => move.uci), uci];
  return repertoire.lines.some((line) => startsWith(line, beginning));
}

/** Marks a move of the board with the line that leads to it, or takes the mark away with all that follows. */
export function mark(uci: string): void {
  const line = here();
  const san = uci === '0000' ? '--' : page.legal.find((move) => move.uci === uci)?.san;
  if (san === undefined) return;
  if (!isSameStart()) {
    if (repertoire.lines.length > 0) {
      return page.say('The marked lines have another start or variant. Export and clear them first.');
    }
    Object.assign(repertoire, { variant: page.variant, fen: page.view.game === null ? page.view.fen : page.game.answer?.tags.FEN ?? '' });
  }
  const whole = [...line, { uci, san }];
  const beginning = whole.map((move) => move.uci);
  if (isMarked(uci)) {
    const rest = repertoire.lines.filter((other) => !startsWith(other, beginning));
    const isCovered = rest.some((other) => startsWith(other, line.map((move) => move.uci)));
    repertoire.lines = line.length > 0 && !isCovered ? [...rest, line] : rest;
  } else {
    repertoire.lines = [...repertoire.lines.filter((other) => !startsWith(whole, other.map((move) => move.uci))), whole];
  }
  keep();
}

export function remove(index: number): void {
  repertoire.lines = repertoire.lines.filter((_, other) => other !== index);
  keep();
}

/** Takes all lines away, and gives what brings them back. */
export function clear(): () => void {
  const before = $state.snapshot(repertoire) as Repertoire;
  Object.assign(repertoire, { lines: [], variant: page.variant, fen: page.view.fen });
  keep();
  return () => {
    Object.assign(repertoire, before);
    keep();
  };
}

export function choose(color: Color | ''): void {
  repertoire.color = color;
  keep();
}

/** A tree of lines as a game of PGN. */
export function written(variant: string, fen: string, roots: readonly Branch[], event = '?'): string {
  const tags: Record<string, string> = {
    Event: event, Site: '?', Date: '????.??.??', Round: '?', White: '?', Black: '?', Result: '*',
  };
  if (variant !== 'chess') tags.Variant = variant;
  if (fen !== '') Object.assign(tags, { SetUp: '1', FEN: fen });
  return writePgn(tags, roots, fen || start(variant));
}

/** The repertoire as PGN; each move has the archive's numbers as its comment. */
export async function exported(): Promise<string> {
  const roots = tree(repertoire.lines);
  await comment(roots, []);
  return written(repertoire.variant, repertoire.fen, roots, `Repertoire, with the numbers of ${page.archive?.name ?? 'the archive'}`);
}

function sum({ white, draws, black, other = 0 }: Results): number {
  return white + draws + black + other;
}

/** The archive's moves after some moves of the repertoire. */
function explore(before: readonly Move[], more: Query, signal?: AbortSignal): Promise<Explorer> {
  const { variant, fen } = repertoire;
  return ask<Explorer>('explorer', { archive: page.view.archive, ...more, variant, fen, moves: before.map(({ uci }) => uci).join(' ') }, signal);
}

async function comment(level: Branch[], before: readonly Move[]): Promise<void> {
  for (const branch of level) {
    const moves = [...before, branch.move];
    const answer = await explore(moves, { limit: '1' });
    const games = sum(answer);
    branch.comment = games === 0 ? 'no games' : `${counted(games, 'game')}: White +${count(answer.white)} =${count(answer.draws)} -${count(answer.black)}`;
    await comment(branch.next, moves);
  }
}

/** A position of the marked lines at which games leave them. */
export interface Departure { line: Move[]; games: number; left: number; moves: ExplorerMove[] }

/** The positions at which most of the filter's games leave the marked lines, by a move of the opponent if the lines have a color. */
export async function departures(filter: Query, signal: AbortSignal, heard: (found: Departure[]) => void): Promise<void> {
  const found: Departure[] = [];
  const from = repertoire.fen || start(repertoire.variant);
  const isMine = (ply: number): boolean => repertoire.color === (moveNumber(from, ply).isWhite ? 'white' : 'black');
  heard(found);
  const waiting = [{ line: [] as Move[], next: tree(repertoire.lines) }];
  for (let at = waiting.shift(); at; at = waiting.shift()) {
    const { line, next } = at;
    if (next.length === 0) continue;
    waiting.push(...next.map((branch) => ({ line: [...line, branch.move], next: branch.next })));
    if (isMine(line.length + 1)) continue;
    const answer = await explore(line, filter, signal);
    const moves = answer.moves.filter(({ san }) => !next.some(({ move }) => move.san === san));
    const left = moves.reduce((games, move) => games + sum(move), 0);
    if (left > 0) found.push({ line, games: sum(answer), left, moves });
    heard([...found].sort((a, b) => b.left - a.left).slice(0, 50));
  }
}

/** Adds the lines of a PGN text to the marked ones. They stay in this browser; the server only reads their moves. */
export async function opened(text: string): Promise<{ lines: number; problem: string | null }> {
  const games = readPgn(text);
  const first = games[0];
  if (!first) return { lines: 0, problem: 'This is no PGN: it has neither tags nor moves.' };
  const fen = first.tags.FEN ?? '';
  const variant = (first.tags.Variant ?? 'chess').toLowerCase() === 'standard' ? 'chess' : (first.tags.Variant ?? 'chess').toLowerCase();
  if (repertoire.lines.length > 0 && (repertoire.variant !== variant || repertoire.fen !== fen)) {
    return { lines: 0, problem: 'The marked lines have another start or variant. Export and clear them first.' };
  }
  const lines: Move[][] = [];
  let problem: string | null = null;
  for (const line of games.filter((game) => (game.tags.FEN ?? '') === fen).flatMap((game) => game.lines)) {
    try {
      const answer = await ask<Position>('position', { fen, variant, moves: line.join(' ') });
      lines.push(answer.line.map(({ uci, san }) => ({ uci, san })));
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
    }
  }
  if (lines.length > 0) {
    Object.assign(repertoire, { variant, fen, lines: leaves(tree([...repertoire.lines, ...lines])) });
    keep();
    page.go({ variant, fen, moves: [], ply: 0, game: null, node: 0, mode: 'play' });
  }
  return { lines: lines.length, problem };
}
