// A game of the archive from one of its positions on, as PGN: with its tags, variations, glyphs and comments.

import type { Game, Node } from './api';
import { clock } from './format';
import { writePgn, type Branch } from './pgn';
import { children } from './tree';

/** What a comment of PGN says about a move in brackets, and the words of its comments. */
function comment(node: Node, words: readonly string[]): string {
  const parts: string[] = [];
  const shapes = (name: string, all: string[]): void => { if (all.length > 0) parts.push(`[%${name} ${all.join(',')}]`); };
  shapes('csl', node.squares.map(({ color, square }) => color + square));
  shapes('cal', node.arrows.map(({ color, from, to }) => color + from + to));
  const { evaluation } = node;
  if (evaluation) parts.push(`[%eval ${evaluation.mate !== undefined ? `#${evaluation.mate}` : ((evaluation.cp ?? 0) / 100).toFixed(2)}]`);
  if (node.clock !== null) parts.push(`[%clk ${node.clock < 3600 ? `0:${clock(node.clock).padStart(5, '0')}` : clock(node.clock)}]`);
  return [...parts, ...words].join(' ');
}

/** The moves after a node, variations beside the move that they replace. */
function branches(game: Game, all: readonly number[][], from: number): Branch[] {
  return (all[from] ?? []).flatMap((index) => {
    const node = game.nodes[index];
    if (!node) return [];
    const glyphs = node.nags.map(({ number }) => ` $${number}`).join('');
    const next = branches(game, all, index);
    // A comment before the first move of a variation stands after it.
    return [{ move: { uci: node.uci ?? '', san: `${node.san}${glyphs}` }, comment: comment(node, [...(node.before ?? []), ...node.comments]), next }];
  });
}

/** The PGN of a game from a node on: the position is in the tags SetUp and FEN. */
export function restOfGame(game: Game, from: number): string {
  const { SetUp: _, FEN: __, ...tags } = game.tags;
  const fen = game.nodes[from]?.fen ?? game.fen;
  const start: Record<string, string> = from === 0 && game.tags.FEN === undefined ? {} : { SetUp: '1', FEN: fen };
  return writePgn({ ...tags, Result: game.result ?? '*', ...start }, branches(game, children(game.nodes), from), fen);
}
