// The panels beside the board, against the program: HALFMOVE=path/to/halfmove node --test web/test/panels.mjs

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { begin, close, finish, halfmove, open, own, searched } from './stage.mjs';

before(begin);
after(finish);

const figure = (page, name) => page.locator('figure', { hasText: name });

test('the pictures have the numbers of the command line: lengths, clocks and the ways of pieces', async () => {
  const page = await open('?moves=e2e4,c7c5&panel=pictures');
  const titles = await figure(page, 'By length').locator('g title').allTextContents();
  for (const [name, first, last] of [['1–10', 0, 20], ['21–30', 41, 60], ['over 80', 161, 9999]]) {
    const games = searched('--moves', 'e4 c5', '--min-plies', String(first), '--max-plies', String(last));
    assert.ok(titles.some((title) => title.startsWith(`${name}: ${games.toLocaleString('en-US')} games`)), `${name}, ${games}: ${titles}`);
  }
  await close(page);

  const blitz = await open('?archive=lichess&panel=pictures');
  const moves = (await (await fetch(new URL('/api/games.ndjson?archive=lichess', blitz.url()))).text()).trim().split('\n').map((game) => JSON.parse(game).moves.split(' '));
  const count = (piece, color) => moves.flatMap((game) => game.filter((san, ply) => ply % 2 === color && piece.test(san))).length.toLocaleString('en-US');
  const heat = figure(blitz, 'goes');
  assert.ok((await heat.locator('figcaption').innerText()).includes(`${count(/^N/, 0)} moves; ${moves.length} games`));
  await heat.getByRole('radio', { name: 'black king' }).click();
  assert.ok((await heat.locator('figcaption').innerText()).includes(`Where the black king goes percent of ${count(/^[KO]/, 1)} moves`));
  assert.match(await heat.getByRole('img').getAttribute('aria-label'), /^Most often g8 \d+%/);
  assert.match(await figure(blitz, 'Time for a move').innerText(), /move 1 to \d+; the longest bar is \d+\.\d seconds/);
  await close(blitz);
  assert.equal(Number(halfmove('search', own('lichess'), '--count', '--format', 'tsv').match(/\d+/)[0]), moves.length);
});
