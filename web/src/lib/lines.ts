// The lines of the board that is played on: the one on the board, and the variations that were left for it, all from the same start.

export interface Lines {
  /** The line on the board in UCI notation. */
  moves: string[];
  /** Number of the line's moves that are played on the board. */
  ply: number;
  /** The other lines, each whole. */
  others: string[][];
}

/** The number of moves that two lines begin with together. */
export function common(line: readonly string[], other: readonly string[]): number {
  const at = line.findIndex((move, index) => move !== other[index]);
  return at < 0 ? line.length : at;
}

/** True if a line goes on from all the moves of another one. */
const continues = (line: readonly string[], other: readonly string[]): boolean => common(other, line) === other.length;

/** The other lines without those with which another one begins, each once, and without texts that are no moves. */
export function distinct(line: readonly string[], others: string[][]): string[][] {
  const lines = [line, ...others.filter((other) => other.length > 0 && other.every((move) => /^[a-h][1-8][a-h][1-8][a-z]?$/.test(move)))];
  const isBegun = (other: readonly string[], at: number): boolean =>
    lines.some((each, index) => index !== at && continues(each, other) && (each.length > other.length || index < at));
  return (lines as string[][]).filter((other, at) => at > 0 && !isBegun(other, at));
}

/** Makes a line that of the board. The one that was there is kept, unless the new one goes on from it. */
function exchange({ moves, others }: Lines, line: string[], ply: number): Lines {
  const rest = others.filter((other) => other !== line);
  return { moves: line, ply, others: [...rest, moves].filter((other) => other.length > 0 && !continues(line, other)) };
}

/** Plays a move: a step where a line goes on so, else a new variation. */
export function played(lines: Lines, uci: string): Lines {
  const { moves, ply, others } = lines;
  if (moves[ply] === uci) return { ...lines, ply: ply + 1 };
  const begun = [...moves.slice(0, ply), uci];
  return exchange(lines, others.find((other) => continues(other, begun)) ?? begun, ply + 1);
}

/** Shows another line from the move with which it leaves that of the board. */
export function chosen(lines: Lines, other: string[]): Lines {
  return exchange(lines, other, Math.min(common(lines.moves, other) + 1, other.length));
}

/** The lines with another move in place of the last one on the board, the next or the previous such move; null if there is none. */
export function sibling(lines: Lines, step: 1 | -1): Lines | null {
  const { moves, ply, others } = lines;
  const before = moves.slice(0, Math.max(0, ply - 1));
  const last = moves[ply - 1];
  const known = new Map([...others, moves].filter((line) => continues(line, before) && line.length >= ply).map((line) => [line[ply - 1] ?? '', line]));
  const names = [...known.keys()].sort();
  const line = last === undefined ? undefined : known.get(names[names.indexOf(last) + step] ?? '');
  return line === undefined ? null : exchange(lines, line, ply);
}
