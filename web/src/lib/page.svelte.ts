// The state of the page: what the address holds, and the server's answers to it.

import { conditions, explored, fresh, position, read, write, type View } from './address';
import { ask, isAborted, Problem, type Archives, type Explorer, type Game, type LegalMove, type Position, type Query } from './api';
import { Games } from './games.svelte';
import { played } from './lines';
import { path as pathOf } from './tree';

/** A question of which only the latest answer counts; an earlier one is stopped, at the server, too. */
export class Latest<T> {
  answer = $state.raw<T | null>(null);
  /** The question that `answer` answers, as JSON: until the next answer comes, it is not the latest. */
  answered = $state.raw('');
  problem = $state.raw<Problem | null>(null);
  isWaiting = $state(false);
  #stop: AbortController | null = null;
  #timer = 0;

  ask(route: string, query: Query, delay = 0): void {
    this.stop();
    const stop = new AbortController();
    this.#stop = stop;
    this.isWaiting = true;
    this.#timer = window.setTimeout(async () => {
      try {
        const answer = await ask<T>(route, query, stop.signal);
        if (stop.signal.aborted) return;
        [this.answer, this.answered, this.problem, this.isWaiting] = [answer, JSON.stringify(query), null, false];
      } catch (error) {
        if (isAborted(error) || stop.signal.aborted) return;
        this.problem = error instanceof Problem ? error : new Problem(0, String(error), null, null);
        [this.answer, this.isWaiting] = [null, false];
      }
    }, delay);
  }

  stop(): void {
    window.clearTimeout(this.#timer);
    this.#stop?.abort();
    this.isWaiting = false;
  }

  clear(): void {
    this.stop();
    [this.answer, this.problem] = [null, null];
  }
}

/** A question of the explorer, as JSON, that also asks for the games by any order of moves. */
export function withReached(query: string): string {
  return query === '' ? '' : JSON.stringify({ ...(JSON.parse(query) as Query), reached: '1' });
}

export class Page {
  view = $state<View>(fresh());
  archives = $state.raw<Archives | null>(null);
  problem = $state.raw<Problem | null>(null);
  /** A message that readers of the screen hear and that goes away. */
  notice = $state('');
  /** The move that a row of the explorer points at. */
  hovered = $state('');
  /** The half-move at which a game that is being opened is shown first. */
  openAt = $state<number | null>(null);
  readonly board = new Latest<Position>();
  /** The whole line, while the board is at an earlier move of it. */
  readonly line = new Latest<Position>();
  readonly explorer = new Latest<Explorer>();
  /** The explorer's answer with the games that reach positions by other orders of moves: it takes longer. */
  readonly transpositions = new Latest<Explorer>();
  readonly game = new Latest<Game>();
  /** The table of games. */
  readonly games = new Games();
  #notices = 0;

  readonly archive = $derived(
    this.archives?.archives.find(({ name }) => name === this.view.archive) ?? this.archives?.archives[0] ?? null,
  );
  /** True if the board is a question. An opened game is on the board, whatever the question is. */
  readonly isSetUp = $derived(this.view.mode === 'setup' && this.view.game === null);
  readonly node = $derived(this.view.game === null ? null : (this.game.answer?.nodes[this.view.node] ?? null));
  readonly variant = $derived(this.view.game === null ? this.view.variant : (this.game.answer?.variant ?? this.view.variant));
  /** The board's position as the server's parameters. */
  readonly here = $derived<Query>(
    this.node === null
      ? position(this.view)
      : { ...(this.variant === 'chess' ? {} : { variant: this.variant }), fen: this.node.fen },
  );
  /** True if the server has judged the position on the board. */
  readonly isAnswered = $derived(this.board.answered === JSON.stringify(this.here));
  /** The FEN after the line's moves, if an answer has had it: the board need not wait for the next one. */
  readonly fen = $derived.by<string | undefined>(() => {
    const { moves, ply } = this.view;
    const answer = this.board.answer;
    if (this.isAnswered || ply === 0) return this.isAnswered ? answer?.fen : undefined;
    const whole = position({ ...this.view, ply: moves.length });
    if (this.line.answered === JSON.stringify(whole)) return this.line.answer?.line[ply - 1]?.fen;
    const before = JSON.stringify(position({ ...this.view, ply: ply - 1 }));
    return this.board.answered === before ? answer?.moves.find(({ uci }) => uci === moves[ply - 1])?.fen : undefined;
  });
  /** The legal moves of the board; none until the server has named them. */
  readonly legal = $derived<LegalMove[]>(this.isAnswered ? (this.board.answer?.moves ?? []) : []);
  /** The errors of the page's main answers, each once. */
  readonly problems = $derived.by(() => {
    const explorer = this.view.panel === 'explorer' ? this.explorer.problem : null;
    const all = [this.problem, this.board.problem, this.game.problem, explorer, this.games.problem].filter((problem) => problem !== null);
    return all.filter(({ message }, index) => all.findIndex((other) => other.message === message) === index);
  });
  readonly conditions = $derived(conditions(this.view));
  readonly explored = $derived<Query>(
    this.node === null ? explored(this.view) : { ...explored({ ...this.view, fen: '', moves: [], ply: 0 }), ...this.here },
  );

  async open(): Promise<void> {
    window.addEventListener('popstate', () => { this.view = read(location.search, this.usual); });
    try {
      this.archives = await ask<Archives>('archives');
    } catch (error) {
      this.problem = error instanceof Problem ? error : new Problem(0, String(error), null, null);
    }
    this.view = read(location.search, this.usual);
  }

  /** Has the archives described again, after which every answer about another version is asked again. */
  async refresh(): Promise<void> {
    this.archives = await ask<Archives>('archives');
  }

  /** The variant that most games of an archive have. Games of Chess960 have no usual start. */
  readonly usual = (name: string): string => {
    const archives = this.archives?.archives ?? [];
    const { variants = {} } = archives.find((archive) => archive.name === name) ?? archives[0] ?? {};
    const [[most] = ['chess']] = Object.entries(variants).sort(([, a], [, b]) => b - a);
    return most === 'chess960' ? 'chess' : most;
  };

  /** Shows another archive: the same position where it has games of this variant, else the start of its own. */
  choose(archive: string): void {
    const has = this.archives?.archives.find(({ name }) => name === archive)?.variants ?? {};
    const start = this.view.variant in has ? {} : { variant: this.usual(archive), fen: '', moves: [], ply: 0 };
    this.go({ archive, game: null, node: 0, ...start });
  }

  /**
   * Changes the state and its address. Steps through a line replace the entry of the browser's history. A line without
   * variations of its own drops those of the line before it.
   */
  go(change: Partial<View>, isStep = false): void {
    Object.assign(this.view, change.moves && !change.others ? { others: [] } : {}, change);
    const query = write(this.view, this.usual(this.view.archive));
    const address = query === '' ? location.pathname : `?${query}`;
    if (isStep) history.replaceState(null, '', address);
    else history.pushState(null, '', address);
  }

  /** Opens a game at a half-move. */
  openGame(game: number, ply: number): void {
    this.go({ game, node: 0 });
    this.openAt = ply;
  }

  say(notice: string): void {
    this.notice = notice;
    window.clearTimeout(this.#notices);
    this.#notices = window.setTimeout(() => { this.notice = ''; }, 6000);
  }

  /** Plays the legal move that is written so, in SAN or UCI notation, or the null move, which games have, too. */
  playNamed(name: string): void {
    const move = this.legal.find(({ san, uci }) => san === name || uci === name);
    if (move) this.play(move.uci);
    else if (name === '--' && this.isAnswered && !this.board.answer?.check) this.play('0000');
  }

  /** Plays a legal move on the board: a step where the line or the game goes on so, else a new line. */
  play(uci: string): void {
    const { view } = this;
    const game = this.game.answer;
    if (view.game !== null && game) {
      const next = game.nodes.findIndex((node) => node.parent === view.node && node.uci === uci);
      if (next >= 0) return this.go({ node: next }, true);
      const moves = pathOf(game.nodes, view.node).map((node) => node.uci ?? '');
      const isUsual = game.tags.FEN === undefined;
      this.go({
        mode: 'play', game: null, node: 0, variant: game.variant, fen: isUsual ? '' : game.fen, moves: [...moves, uci], ply: moves.length + 1,
      });
    } else if (view.moves[view.ply] === uci) {
      this.go({ ply: view.ply + 1 }, true);
    } else {
      this.go({ ...played(view, uci), mode: 'play' });
    }
  }

  filter(change: Query, isStep = false): void {
    const filter = Object.fromEntries(Object.entries({ ...this.view.filter, ...change }).filter(([, value]) => value !== ''));
    this.go({ filter }, isStep);
  }
}

export const page = new Page();
