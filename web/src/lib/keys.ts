// Keys, as on lichess: one table, from which the help is made, too.

import { page } from './page.svelte';
import { sibling as variation } from './lines';
import { end, leave, next, previous, sibling } from './tree';

function step(game: (nodes: { parent: number | null }[], node: number) => number, line: (ply: number, last: number) => number): void {
  const { view } = page;
  const nodes = page.game.answer?.nodes;
  if (view.game !== null && nodes) page.go({ node: game(nodes, view.node) }, true);
  else page.go({ ply: Math.max(0, Math.min(view.moves.length, line(view.ply, view.moves.length))) }, true);
}

/** Goes to another move in place of the last one: of the game, or of the variations on the board. */
function fork(by: 1 | -1): void {
  const { view } = page;
  const lines = view.game === null ? variation(view, by) : null;
  if (lines) return page.go(lines, true);
  step((nodes, node) => {
    const other = sibling(nodes, node, by);
    return other !== node ? other : by === 1 ? end(nodes, node) : 0;
  }, (_, moves) => (by === 1 ? moves : 0));
}

export const forward = (): void => step(next, (ply) => ply + 1);
export const back = (): void => step(previous, (ply) => ply - 1);
export const first = (): void => step(() => 0, () => 0);
export const last = (): void => step(end, (_, moves) => moves);

function top(): void {
  const move = page.explorer.answer?.moves[0];
  if (move && page.explorer.answered === JSON.stringify(page.explored)) page.playNamed(move.san);
}

/** Gives the keys to the table of games. */
export function focusGames(): void {
  document.getElementById('games')?.focus();
}

export const KEYS: { keys: string[]; shift?: boolean; name: string; help: string; run: () => void }[] = [
  { keys: ['ArrowRight', 'l'], name: '→ or l', help: 'next move', run: forward },
  { keys: ['ArrowLeft', 'h'], name: '← or h', help: 'previous move', run: back },
  { keys: ['ArrowLeft'], shift: true, name: 'Shift ←', help: 'leave the variation', run: () => step(leave, (ply) => ply - 1) },
  { keys: ['ArrowDown', 'j'], name: '↓ or j', help: 'next variation, or the end', run: () => fork(1) },
  { keys: ['ArrowUp', 'k'], name: '↑ or k', help: 'previous variation, or the start', run: () => fork(-1) },
  { keys: ['Home', '0'], name: 'Home or 0', help: 'start', run: first },
  { keys: ['End', '$'], name: 'End or $', help: 'end', run: last },
  { keys: [' '], shift: true, name: 'Shift Space', help: "play the explorer's first move", run: top },
  { keys: ['f'], name: 'f', help: 'flip the board', run: () => page.go({ isFlipped: !page.view.isFlipped }, true) },
  { keys: ['e'], name: 'e', help: 'explorer', run: () => page.go({ panel: 'explorer' }) },
  { keys: ['p'], name: 'p', help: "the player's report", run: () => page.go({ panel: 'player' }) },
  { keys: ['r'], name: 'r', help: 'repertoire', run: () => page.go({ panel: 'repertoire' }) },
  { keys: ['g'], name: 'g', help: 'to the games: arrow keys walk, Enter opens', run: focusGames },
  { keys: ['s'], name: 's', help: 'set up, or play', run: () => page.go({ mode: page.isSetUp ? 'play' : 'setup', game: null, node: 0 }) },
  { keys: ['x'], name: 'x', help: 'close the game', run: () => page.go({ game: null, node: 0 }) },
  { keys: ['m'], name: 'm', help: 'type a move', run: () => document.getElementById('move')?.focus() },
  { keys: ['/'], name: '/', help: 'search a player', run: () => document.getElementById('filter-player')?.focus() },
];

/** True for the release of a key that `press` has taken from a button: some browsers click at the release. */
export function isTaken(event: KeyboardEvent): boolean {
  return event.key === ' ' && event.shiftKey && (event.target as HTMLElement).closest('button, a') !== null;
}

/** Runs the key of an event that no field and no list has taken. */
export function press(event: KeyboardEvent, help: () => void): void {
  const target = event.target as HTMLElement;
  if (event.ctrlKey || event.altKey || event.metaKey || target.closest('input:not([type=radio], [type=checkbox], [type=file]), select, textarea, dialog[open]')) return;
  if (event.key === '?') return help();
  if (event.key === ' ' && !event.shiftKey && target.closest('button, a, input')) return;
  if (event.key.startsWith('Arrow') && target.closest('[type=radio]')) return;
  const isShift = event.shiftKey && !/^[$/]$/.test(event.key);
  const found = KEYS.find(({ keys, shift = false }) => keys.includes(event.key) && shift === isShift);
  if (!found) return;
  event.preventDefault();
  found.run();
}
