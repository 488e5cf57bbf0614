// All that the page shows, in its address: a link is a saved search.

import type { Query } from './api';

export type Panel = 'explorer' | 'player' | 'pictures' | 'repertoire' | 'engine';
export const PANELS: readonly Panel[] = ['explorer', 'player', 'pictures', 'repertoire', 'engine'];

/** The state of the page that a link restores. */
export interface View {
  archive: string;
  variant: string;
  /** The start of the line; '' is the usual start. */
  fen: string;
  /** The line in UCI notation. */
  moves: string[];
  /** Number of the line's moves that are played on the board. */
  ply: number;
  mode: 'play' | 'setup';
  /** The filter, by the names of the server's parameters; the pattern of the set-up board, too. */
  filter: Query;
  sort: string;
  panel: Panel;
  game: number | null;
  /** Index of the game's node on the board. */
  node: number;
  isFlipped: boolean;
}

/** The parameters of the filter that the page has a field for, and `pattern`. */
export const FILTERS = [
  'player', 'opponent', 'as', 'white', 'black', 'min_elo', 'max_elo', 'since', 'until', 'result', 'opening', 'eco',
  'min_plies', 'max_plies', 'event', 'site', 'time_control', 'ended', 'comment', 'structure', 'material', 'pattern',
  'for', 'either_color', 'mirrored', 'opposite_bishops', 'isolated', 'passed',
] as const;

export function fresh(): View {
  return {
    archive: '', variant: 'chess', fen: '', moves: [], ply: 0, mode: 'play', filter: {}, sort: '', panel: 'explorer',
    game: null, node: 0, isFlipped: false,
  };
}

/** The query of an address, without the `?`; what is as usual is left out. */
export function write(view: View): string {
  const query = new URLSearchParams();
  const add = (name: string, value: string, usual = ''): void => {
    if (value !== usual) query.set(name, value);
  };
  add('archive', view.archive);
  add('variant', view.variant, 'chess');
  add('fen', view.fen);
  add('moves', view.moves.join(','));
  add('ply', String(view.ply), String(view.moves.length));
  add('board', view.mode, 'play');
  for (const name of FILTERS) add(name, view.filter[name] ?? '');
  add('sort', view.sort);
  add('panel', view.panel, 'explorer');
  if (view.game !== null) {
    add('game', String(view.game));
    add('node', String(view.node), '0');
  }
  add('flip', view.isFlipped ? '1' : '');
  return query.toString().replaceAll('%2C', ',').replaceAll('%2F', '/');
}

function count(text: string | null, otherwise: number): number {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : otherwise;
}

/** Reads the query of an address; what it does not know is passed over. */
export function read(text: string): View {
  const query = new URLSearchParams(text);
  const view = fresh();
  view.archive = query.get('archive') ?? '';
  view.variant = query.get('variant') ?? 'chess';
  view.fen = query.get('fen') ?? '';
  view.moves = (query.get('moves') ?? '').split(/[\s,]+/).filter((move) => move !== '');
  view.ply = Math.min(count(query.get('ply'), view.moves.length), view.moves.length);
  view.mode = query.get('board') === 'setup' ? 'setup' : 'play';
  for (const name of FILTERS) {
    const value = query.get(name);
    if (value !== null && value !== '') view.filter[name] = value;
  }
  view.sort = query.get('sort') ?? '';
  view.panel = PANELS.find((panel) => panel === query.get('panel')) ?? 'explorer';
  const game = count(query.get('game'), -1);
  view.game = game < 0 ? null : game;
  view.node = view.game === null ? 0 : count(query.get('node'), 0);
  view.isFlipped = query.get('flip') === '1';
  return view;
}

/** The position on the board as the server's parameters. */
export function position(view: View): Query {
  const query: Query = {};
  if (view.variant !== 'chess') query.variant = view.variant;
  if (view.fen !== '') query.fen = view.fen;
  if (view.ply > 0) query.moves = view.moves.slice(0, view.ply).join(' ');
  return query;
}

/** The filter of the table of games: the fields, and the board's position or pattern. */
export function conditions(view: View): Query {
  const { pattern, ...others } = view.filter;
  const query: Query = { ...others };
  if (view.archive !== '') query.archive = view.archive;
  if (view.mode === 'setup') return pattern === undefined ? query : { ...query, pattern };
  return { ...query, ...position(view) };
}

/** The filter of the explorer, whose position is its own. */
export function explored(view: View): Query {
  const { pattern: _, ...query } = view.filter;
  return { ...query, ...(view.archive === '' ? {} : { archive: view.archive }), ...position(view) };
}

/** A value as one word of a POSIX shell. */
export function shellWord(text: string): string {
  return /^[\w.,:\/+=@%-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The command that finds the same games. */
export function commandLine(view: View): string {
  const { archive, ...query } = conditions(view);
  const words = ['halfmove', 'search', shellWord(archive ?? view.archive)];
  for (const [name, value] of Object.entries(query)) {
    const flag = `--${name.replaceAll('_', '-')}`;
    words.push(...(value === '1' && SWITCHES.has(name) ? [flag] : [flag, shellWord(value)]));
  }
  if (view.sort !== '') words.push(`--sort=${view.sort}`);
  return words.join(' ');
}

const SWITCHES = new Set(['either_color', 'mirrored', 'opposite_bishops', 'exact', 'final', 'in_variations']);
