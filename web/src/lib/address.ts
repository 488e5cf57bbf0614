// All that the page shows, in its address: a link is a saved search.

import type { Query } from './api';
import { distinct } from './lines';

export type Panel = 'explorer' | 'player' | 'pictures' | 'repertoire' | 'engine' | 'lab';
export const PANELS: readonly Panel[] = ['explorer', 'player', 'pictures', 'repertoire', 'engine', 'lab'];

/** The variants with their names. */
export const VARIANTS: Readonly<Record<string, string>> = { chess: 'Chess', chess960: 'Chess960', makruk: 'Makruk', makpong: 'Makpong', asean: 'ASEAN' };

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
  /** The variations that were left for this line, from the same start. */
  others: string[][];
  mode: 'play' | 'setup';
  /** The filter, by the names of the server's parameters; the pattern of the set-up board, too. */
  filter: Query;
  sort: string;
  /** The order of the groups in a player's report, and their least number of games. */
  groups: string;
  min_games: string;
  panel: Panel;
  /** The experiment of the lab; '' is the first one. */
  lab: string;
  game: number | null;
  /** Index of the game's node on the board. */
  node: number;
  isFlipped: boolean;
  /** Makruk with the symbols of chess. */
  isInternational: boolean;
}

/** The parameters of the filter, all that the server has. */
export const FILTERS = [
  'player', 'opponent', 'as', 'white', 'black', 'exact', 'min_elo', 'max_elo', 'since', 'until', 'year', 'result', 'opening',
  'eco', 'min_plies', 'max_plies', 'event', 'site', 'speed', 'time_control', 'ended', 'comment', 'annotated', 'played', 'structure',
  'material', 'imbalance', 'pattern', 'pawns', 'for', 'either_color', 'mirrored', 'final', 'opposite_bishops', 'isolated',
  'doubled', 'passed', 'in_variations', 'ids', 'sample', 'seed',
] as const;

/** Those that are on or off. */
export const SWITCHES: ReadonlySet<string> = new Set(['exact', 'annotated', 'either_color', 'mirrored', 'opposite_bishops', 'final', 'in_variations']);

export function fresh(): View {
  return {
    archive: '', variant: 'chess', fen: '', moves: [], ply: 0, others: [], mode: 'play', filter: {}, sort: '', groups: '', min_games: '', panel: 'explorer', lab: '',
    game: null, node: 0, isFlipped: false, isInternational: false,
  };
}

/** The query of an address, without the `?`; what is as usual is left out, as the archive's usual variant. */
export function write(view: View, usual = 'chess'): string {
  const query = new URLSearchParams();
  const add = (name: string, value: string, usual = ''): void => {
    if (value !== usual) query.set(name, value);
  };
  add('archive', view.archive);
  add('variant', view.variant, usual);
  add('fen', view.fen);
  add('moves', view.moves.join(','));
  add('ply', String(view.ply), String(view.moves.length));
  add('others', view.others.map((line) => line.join(',')).join(';'));
  add('board', view.mode, 'play');
  for (const name of FILTERS) add(name, view.filter[name] ?? '');
  for (const name of ['sort', 'groups', 'min_games'] as const) add(name, view[name]);
  add('panel', view.panel, 'explorer');
  add('lab', view.lab);
  if (view.game !== null) {
    add('game', String(view.game));
    add('node', String(view.node), '0');
  }
  add('flip', view.isFlipped ? '1' : '');
  add('symbols', view.isInternational ? 'international' : '');
  return query.toString().replaceAll('%2C', ',').replaceAll('%2F', '/').replaceAll('%3B', ';');
}

function count(text: string | null, otherwise: number): number {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : otherwise;
}

/** Reads the query of an address; what it does not know is passed over. `usual` is the usual variant of an archive. */
export function read(text: string, usual = (_archive: string): string => 'chess'): View {
  const query = new URLSearchParams(text);
  const view = fresh();
  view.archive = query.get('archive') ?? '';
  view.variant = query.get('variant') ?? usual(view.archive);
  view.fen = query.get('fen') ?? '';
  const moves = (text: string): string[] => text.split(/[\s,]+/).filter((move) => move !== '');
  view.moves = moves(query.get('moves') ?? '');
  view.others = distinct(view.moves, (query.get('others') ?? '').split(';').map(moves));
  view.ply = Math.min(count(query.get('ply'), view.moves.length), view.moves.length);
  view.mode = query.get('board') === 'setup' ? 'setup' : 'play';
  for (const name of FILTERS) {
    const value = query.get(name);
    if (value !== null && value !== '') view.filter[name] = value;
  }
  for (const name of ['sort', 'groups', 'min_games'] as const) view[name] = query.get(name) ?? '';
  view.panel = PANELS.find((panel) => panel === query.get('panel')) ?? 'explorer';
  view.lab = query.get('lab') ?? '';
  const game = count(query.get('game'), -1);
  view.game = game < 0 ? null : game;
  view.node = view.game === null ? 0 : count(query.get('node'), 0);
  view.isFlipped = query.get('flip') === '1';
  view.isInternational = query.get('symbols') === 'international';
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

const BOARD = ['pattern', 'structure', 'material', 'imbalance', 'pawns', 'isolated', 'doubled', 'passed', 'opposite_bishops'];

/** True if games match at a position of theirs, at which they are opened. */
export function isAtPosition(query: Query): boolean {
  return [...BOARD, 'played', 'fen', 'moves'].some((name) => query[name]);
}

const NAMES = ['player', 'opponent', 'white', 'black'];

/** A filter for the server, without what has no effect: a pattern on a board that is played on, and words about conditions that are not there. */
function effective(view: View, here: Query): Query {
  const query: Query = { ...view.filter, ...here };
  const has = (names: string[]): boolean => names.some((name) => query[name]);
  if (view.mode === 'play') delete query.pattern;
  if (!has(BOARD)) for (const name of ['either_color', 'mirrored', 'for', 'final']) delete query[name];
  if (!isAtPosition(query)) delete query.in_variations;
  if (!has(NAMES)) delete query.exact;
  return view.archive === '' ? query : { ...query, archive: view.archive };
}

/** The filter of the table of games: the fields, and the board's position or pattern. */
export function conditions(view: View): Query {
  if (view.mode === 'setup') return effective(view, view.variant === 'chess' ? {} : { variant: view.variant });
  return effective(view, position(view));
}

/** The filter of the explorer, which counts main lines. */
export function explored(view: View): Query {
  const query = effective(view, position(view));
  delete query.in_variations;
  return query;
}

/** A value as one word of a POSIX shell. */
export function shellWord(text: string): string {
  return /^[\w.,:\/+=@%-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Flags that are repeated where the server takes a list. */
const REPEATED: ReadonlySet<string> = new Set(['isolated', 'doubled', 'passed']);

/** The command that finds the same games. */
export function commandLine(view: View): string {
  const { archive, ...query } = conditions(view);
  const words = ['halfmove', 'search', shellWord(archive ?? view.archive)];
  for (const [name, value] of Object.entries(query)) {
    const flag = `--${name.replaceAll('_', '-')}`;
    if (value === '1' && SWITCHES.has(name)) words.push(flag);
    else for (const each of REPEATED.has(name) ? value.split(',') : [value]) words.push(flag, shellWord(each.trim()));
  }
  if (view.sort !== '') words.push(`--sort=${view.sort}`);
  return words.join(' ');
}
