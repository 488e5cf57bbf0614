// PGN in the browser: lines out of a text, and a tree of lines as a text. Legality is the server's business.

import { moveNumber } from './board';

export interface Move { uci: string; san: string }

/** A game of a PGN text: its tags and all its lines from the start, the main line first, with its clocks in seconds by half-move. */
export interface Text { tags: Record<string, string>; lines: string[][]; clocks: number[] }

const TOKEN = /\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]|\{[^}]*\}|;[^\n]*|^%[^\n]*|\$\d+|\(|\)|\d+\s*\.+|[^\s(){};$[\]]+/gm;
const RESULTS = new Set(['1-0', '0-1', '1/2-1/2', '*']);

/** Reads the games of a PGN text. Glyphs, and comments but for their clocks, are passed over. */
export function readPgn(text: string): Text[] {
  const games: Text[] = [];
  let tags: Record<string, string> = {};
  let line: string[] = [];
  let ends: string[][] = [];
  let clocks: number[] = [];
  let stack: string[][] = [];
  let hasMoves = false;

  const finish = (): void => {
    while (stack.length > 0) {
      ends.push(line);
      line = stack.pop() ?? [];
    }
    if (hasMoves || Object.keys(tags).length > 0) {
      games.push({ tags, lines: [line, ...ends].filter((moves) => moves.length > 0), clocks });
    }
    [tags, line, ends, clocks, stack, hasMoves] = [{}, [], [], [], [], false];
  };

  for (const match of text.matchAll(TOKEN)) {
    const [token, name, value] = match;
    if (name !== undefined && value !== undefined) {
      if (hasMoves && stack.length === 0) finish();
      tags[name] = value.replace(/\\(.)/g, '$1');
    } else if (token.startsWith('{')) {
      const [, hours, minutes, seconds] = /\[%clk\s+(\d+):(\d+):(\d+(?:\.\d+)?)\s*\]/.exec(token) ?? [];
      if (hours !== undefined && stack.length === 0) clocks[line.length] = 3600 * Number(hours) + 60 * Number(minutes) + Number(seconds);
    } else if (token === '(') {
      stack.push(line);
      line = line.slice(0, -1);
    } else if (token === ')') {
      ends.push(line);
      line = stack.pop() ?? line;
    } else if (RESULTS.has(token)) {
      if (stack.length === 0) finish();
    } else if (/^(?:[A-Za-z]|--|0-0)/.test(token)) {
      line = [...line, token.replace(/[!?]+$/, '')];
      hasMoves = true;
    }
  }
  finish();
  return games;
}

/** A move of a tree of lines, with what is written after it. */
export interface Branch { move: Move; comment: string; next: Branch[] }

/** Lines that share their beginnings, as a tree. */
export function tree(lines: readonly Move[][]): Branch[] {
  const roots: Branch[] = [];
  for (const line of lines) {
    let level = roots;
    for (const move of line) {
      let branch = level.find((other) => other.move.uci === move.uci);
      if (!branch) {
        branch = { move, comment: '', next: [] };
        level.push(branch);
      }
      level = branch.next;
    }
  }
  return roots;
}

/** The lines of a tree, each from the start to its end. */
export function leaves(level: readonly Branch[], before: readonly Move[] = []): Move[][] {
  return level.flatMap(({ move, next }) => (next.length === 0 ? [[...before, move]] : leaves(next, [...before, move])));
}

function movetext(level: readonly Branch[], start: string, ply: number, mustNumber: boolean): string[] {
  const words: string[] = [];
  let [main, ...others] = level;
  let numbered = mustNumber;
  while (main) {
    words.push(...written(main, start, ply, numbered));
    numbered = main.comment !== '';
    for (const other of others) {
      const line = [...written(other, start, ply, true), ...movetext(other.next, start, ply + 1, other.comment !== '')];
      line[0] = `(${line[0] ?? ''}`;
      line[line.length - 1] += ')';
      words.push(...line);
      numbered = true;
    }
    [main, ...others] = main.next;
    ply++;
  }
  return words;
}

function written({ move, comment }: Branch, start: string, ply: number, mustNumber: boolean): string[] {
  const { number, isWhite } = moveNumber(start, ply);
  const words = isWhite ? [`${number}.`] : mustNumber ? [`${number}...`] : [];
  words.push(move.san);
  if (comment !== '') words.push(...`{${comment.replaceAll('}', ')')}}`.split(' '));
  return words;
}

/** Writes a tree of lines as a game of PGN, in lines of at most 80 characters. */
export function writePgn(tags: Record<string, string>, roots: readonly Branch[], start: string): string {
  const head = Object.entries(tags).map(([name, value]) => `[${name} "${value.replace(/["\\]/g, '\\$&')}"]`);
  const lines: string[] = [];
  let line = '';
  for (const word of [...movetext(roots, start, 1, true), tags.Result ?? '*']) {
    if (line !== '' && line.length + 1 + word.length > 80) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return `${[...head, '', ...lines, line].join('\n')}\n`;
}
