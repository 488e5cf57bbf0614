// The rows of the table of games: pages of a hundred, asked for when they come into view.

import { ask, isAborted, Problem, type Query, type Row, type Search } from './api';

const PAGE = 100;
/** Pages kept; the oldest go first. */
const KEPT = 60;

export class Games {
  answer = $state.raw<Search | null>(null);
  problem = $state.raw<Problem | null>(null);
  isWaiting = $state(false);
  #pages = $state.raw(new Map<number, Row[]>());
  #asked = new Set<number>();
  #query: Query = {};
  #stop = new AbortController();
  #timer = 0;

  /** Begins a search; the rows of the former one stay until its first answer. */
  search(query: Query): void {
    this.#stop.abort();
    this.#stop = new AbortController();
    window.clearTimeout(this.#timer);
    this.#query = query;
    this.#asked = new Set([0]);
    this.isWaiting = true;
    this.#timer = window.setTimeout(() => void this.#load(0, true), 50);
  }

  row(index: number): Row | undefined {
    return this.#pages.get(Math.floor(index / PAGE))?.[index % PAGE];
  }

  /** Asks for the pages of the rows from `first` to `last` that are not there. */
  show(first: number, last: number): void {
    if (!this.answer || this.isWaiting) return;
    for (let page = Math.floor(first / PAGE); page <= Math.floor(last / PAGE); page++) {
      if (page * PAGE < this.answer.count && !this.#asked.has(page)) {
        this.#asked.add(page);
        void this.#load(page, false);
      }
    }
  }

  async #load(page: number, isFirst: boolean): Promise<void> {
    const { signal } = this.#stop;
    try {
      const query = { ...this.#query, offset: String(page * PAGE), limit: String(PAGE) };
      const answer = await ask<Search>('search', query, signal);
      if (signal.aborted) return;
      const pages = isFirst ? new Map<number, Row[]>() : new Map(this.#pages);
      for (const oldest of pages.keys()) {
        if (pages.size < KEPT) break;
        pages.delete(oldest);
        this.#asked.delete(oldest);
      }
      this.#pages = pages.set(page, answer.games);
      if (isFirst) [this.answer, this.problem, this.isWaiting] = [answer, null, false];
    } catch (error) {
      if (isAborted(error) || signal.aborted) return;
      this.#asked.delete(page);
      this.problem = error instanceof Problem ? error : new Problem(0, String(error), null, null);
      if (isFirst) [this.answer, this.isWaiting] = [null, false];
    }
  }
}
