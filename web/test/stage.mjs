// What the tests of the page share: archives, the program that serves them, and a browser whose complaints fail a test.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { front, launch, serve } from './browser.mjs';

export const WEB = join(import.meta.dirname, '..');
export const PROGRAM = process.env.HALFMOVE ?? join(WEB, '../target/release/halfmove');
const GAMES = join(WEB, '../testdata/games');
const FILES = {
  masters: join(GAMES, 'masters.pgn.zst'), makruk: join(GAMES, 'makruk.pgn'), study: join(import.meta.dirname, 'study.pgn'),
  lichess: join(GAMES, 'lichess.pgn.zst'),
};

let folder, server, site, browser;

export function halfmove(...args) {
  return execFileSync(PROGRAM, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 28 });
}

/** The path of a file or an archive in the tests' own folder. */
export const own = (name) => join(folder, name);

/** The number of the master games that the command line finds. */
export function searched(...args) {
  return Number(halfmove('search', own('masters'), '--count', '--format', 'tsv', ...args).match(/\d+/)[0]);
}

export async function begin() {
  assert.ok(existsSync(PROGRAM), `there is no program at ${PROGRAM}`);
  folder = mkdtempSync(join(tmpdir(), 'halfmove-page-'));
  for (const [name, file] of Object.entries(FILES)) halfmove('import', own(name), file, '--quiet');
  server = await serve(PROGRAM, Object.keys(FILES).map((name) => `${name}=${own(name)}`));
  site = await front(server.address, join(WEB, 'dist'));
  browser = await launch();
}

export async function finish() {
  await browser?.close();
  site?.stop();
  server?.stop();
  if (folder) rmSync(folder, { recursive: true });
}

/** The server's answer to a program. */
export const asked = async (route) => (await fetch(site.address + route)).json();

/** A window of the browser. What it waits for may take minutes on a machine that is busy. */
export async function newContext(options) {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(180_000);
  return context;
}

/** Opens the page; the browser's complaints fail the test when it is closed. */
export async function open(query = '', options = {}) {
  const context = await newContext({ viewport: { width: 1400, height: 950 }, permissions: ['clipboard-read', 'clipboard-write'], ...options });
  const page = await context.newPage();
  page.complaints = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) page.complaints.push(message.text());
  });
  page.on('pageerror', (error) => page.complaints.push(error.message));
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== site.address && !['blob:', 'data:'].includes(protocol)) page.complaints.push(`asked ${request.url()}`);
  });
  await page.goto(`${site.address}/${query}`);
  await settled(page);
  return page;
}

export async function settled(page) {
  await page.waitForSelector('h1');
  await page.waitForTimeout(60);
  try {
    await page.waitForFunction(() => document.querySelectorAll('[aria-busy="true"]').length === 0 && /\d/.test(document.querySelector('#games-title').textContent));
  } catch {
    assert.fail(`not settled: ${await page.locator('[role=alert], [aria-busy=true] h2').allInnerTexts()} ${page.complaints}`);
  }
}

export async function close(page) {
  assert.deepEqual(page.complaints, []);
  await page.context().close();
}

export const square = (page, name) => page.locator(`[data-name="${name}"]`);
export const line = (page) => page.locator('.line').innerText().then((text) => text.replace(/\s+/g, ' ').trim());
export const games = (page) => page.locator('#games-title').innerText().then((text) => Number(text.replace(/\D/g, '')));
export const content = (page, name) => square(page, name).getAttribute('aria-label');

/** The explorer's moves, each with its number of games. */
export async function explorer(page) {
  return page.locator('.panel tbody tr').evaluateAll((rows) => rows.map((row) => [
    row.querySelector('.san').textContent, Number(row.children[2].textContent.replace(/\D/g, '')),
  ]));
}
