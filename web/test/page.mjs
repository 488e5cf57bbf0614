// The page in a browser, against the program: HALFMOVE=path/to/halfmove node --test web/test/page.mjs
// Answers are held to those of the command line on the same archive.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { serve } from './browser.mjs';
import { begin, close, content, explorer, finish, games, halfmove, line, newContext, open, own, PROGRAM, searched, settled, square, WEB } from './stage.mjs';

before(begin);
after(finish);

test('moves are played by mouse, by touch, by keys and as text', async () => {
  const page = await open();
  await square(page, 'e2').dragTo(square(page, 'e4'));
  await settled(page);
  await square(page, 'c7').click();
  await square(page, 'c5').click();
  await settled(page);
  assert.equal(await line(page), '1. e4 c5');
  await page.fill('#move', 'Nf3');
  await page.press('#move', 'Enter');
  await settled(page);
  await page.fill('#move', 'Kd4');
  await page.press('#move', 'Enter');
  assert.match(await page.locator('#status').innerText(), /Kd4 is not a legal move/);
  await page.locator('#move').blur();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await settled(page);
  assert.match(await content(page, 'c5'), /empty/);
  await page.keyboard.press('End');
  await settled(page);
  for (let n = 0; n < 5; n++) await page.keyboard.press('Shift+Space');
  await settled(page);
  assert.match(await line(page), /^1\. e4 c5 2\. Nf3 \w+/);
  assert.equal(await page.locator('[role=alert]').count(), 0);
  await close(page);

  const phone = await open('', { hasTouch: true, viewport: { width: 390, height: 800 } });
  await square(phone, 'd2').tap();
  await square(phone, 'd4').tap();
  await settled(phone);
  assert.equal(await line(phone), '1. d4');
  await close(phone);

  const keys = await open();
  await keys.locator('.steps button').first().focus();
  await keys.keyboard.press('Shift+Tab');
  for (const key of ['ArrowUp', 'Enter', 'ArrowUp', 'ArrowUp', 'Enter']) await keys.keyboard.press(key);
  await settled(keys);
  assert.equal(await line(keys), '1. e4');
  await close(keys);
});

test('the explorer and the games are those of the command line', async () => {
  for (const moves of ['', 'e2e4,c7c5', 'd2d4,g8f6,c2c4,e7e6,b1c3,f8b4']) {
    const page = await open(`?moves=${moves}`);
    const args = moves === '' ? [] : ['--moves', moves.replaceAll(',', ' ')];
    const expected = JSON.parse(halfmove('explore', own('masters'), '--format', 'json', ...args));
    const rows = expected.moves.map(({ san, white, draws, black, other = 0 }) => [san, white + draws + black + other]);
    assert.deepEqual(await explorer(page), rows);
    assert.equal(await games(page), searched(...args));
    await close(page);
  }
});

test('the filter refines, completes names and says how many are left', async () => {
  const page = await open();
  const all = await games(page);
  assert.equal(all, searched());
  await page.locator('#filter-player').pressSequentially('karp');
  await page.waitForSelector('#list-player option', { state: 'attached' });
  const names = await page.locator('#list-player option').evaluateAll((options) => options.map(({ value }) => value));
  assert.ok(names.some((name) => /^Karpov/.test(name)), names.join('; '));
  const [name] = names.filter((name) => /^Karpov/.test(name));
  await page.fill('#filter-player', name);
  await page.press('#filter-player', 'Tab');
  await settled(page);
  assert.equal(await games(page), searched('--player', name));
  await page.selectOption('select:has(option[value="white"])', 'white');
  await page.fill('#filter-since', '1990');
  await page.press('#filter-since', 'Enter');
  await settled(page);
  assert.equal(await games(page), searched('--player', name, '--as', 'white', '--since', '1990'));
  await page.fill('#filter-since', '19x0');
  await page.press('#filter-since', 'Enter');
  await page.waitForSelector('[role=alert]');
  assert.match(await page.locator('[role=alert]').first().innerText(), /19x0/);
  await page.getByRole('button', { name: 'Clear all' }).click();
  await settled(page);
  assert.equal(await games(page), all);
  // The browser itself tells the console of the answer to 19x0.
  page.complaints = page.complaints.filter((text) => !/status of 400/.test(text));
  await close(page);
});

test('a set-up board finds what the pattern of the command line finds', async () => {
  const page = await open();
  await page.getByRole('button', { name: 'Set up' }).click();
  await page.getByRole('radio', { name: 'white knight' }).click();
  await square(page, 'd5').click();
  await page.getByRole('radio', { name: 'any black piece' }).click();
  await square(page, 'e6').click();
  await page.getByRole('radio', { name: 'empty square' }).click();
  await square(page, 'c6').click();
  await settled(page);
  const pattern = '8/8/2_1a3/3N4/8/8/8/8';
  assert.equal(new URL(page.url()).searchParams.get('pattern'), pattern);
  assert.equal(await games(page), searched('--pattern', pattern));
  await page.getByLabel('structure').selectOption('iqp');
  await settled(page);
  assert.equal(await games(page), searched('--pattern', pattern, '--structure', 'iqp'));
  await close(page);
});

test('a game opens at the match, and its link opens it there again', async () => {
  const moves = 'e2e4,c7c5,g1f3,d7d6,d2d4,c5d4,f3d4,g8f6,b1c3,a7a6';
  const page = await open(`?moves=${moves}`);
  await page.locator('#game-0').click();
  await page.waitForSelector('.move[aria-current]');
  await settled(page);
  const fen = await page.locator('.fen input').inputValue();
  assert.equal(fen.split(' ')[0], 'rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R');
  const [url, text, count] = [page.url(), await page.locator('.game').innerText(), await games(page)];
  await page.reload();
  await page.waitForSelector('.move[aria-current]');
  await settled(page);
  assert.deepEqual([page.url(), await page.locator('.game').innerText(), await games(page)], [url, text, count]);
  assert.equal(await page.locator('.fen input').inputValue(), fen);
  await page.goBack();
  await settled(page);
  assert.equal(await page.locator('.game').count(), 0);
  await close(page);
});

test('variations, comments, glyphs, arrows and graphs of a game; its text is never code', async () => {
  const page = await open('?archive=study&game=1');
  const text = await page.locator('.game').innerText();
  for (const part of ['A model game.', 'Nf3!', 'Best by test.', 'Bg4?!', 'pins too early', 'Ng5!!', 'Script <script>alert(1)</script>']) {
    assert.ok(text.includes(part), `${part} in ${text}`);
  }
  assert.equal(await page.locator('.game svg[role=img]').count(), 2);
  for (let n = 0; n < 3; n++) await page.keyboard.press('ArrowRight');
  assert.equal(await page.locator('.board .arrow').count(), 2);
  assert.equal(await page.locator('.board .circle').count(), 2);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  assert.equal(await page.locator('.move[aria-current]').innerText(), 'd6');
  await page.keyboard.press('Shift+ArrowLeft');
  assert.equal(await page.locator('.move[aria-current]').innerText(), 'Nf3!');
  await close(page);
});

test('the table reaches its last game and sorts by a click', async () => {
  const page = await open();
  const all = await games(page);
  await page.locator('.box').focus();
  await page.keyboard.press('End');
  await page.waitForFunction((id) => document.getElementById(id)?.textContent.length > 20, `game-${all - 1}`);
  assert.ok((await page.locator('.rows .row').count()) < 60);
  await page.locator('.head').getByRole('button', { name: 'Date' }).click();
  await settled(page);
  const newest = halfmove('search', own('masters'), '--sort=-date', '--limit', '1', '--columns', 'date', '--format', 'csv').split('\n')[1];
  assert.equal(await page.locator('#game-0 .c5').innerText(), newest.replaceAll('.??', '').replaceAll('.', '-'));
  await close(page);
});

test("a player's report and the pictures have the numbers of the command line", async () => {
  const page = await open('?player=karpov&panel=player');
  await page.waitForSelector('figure svg');
  const rows = JSON.parse(halfmove('stats', own('masters'), '--player', 'karpov', '--by', 'color', '--format', 'json'));
  const text = await page.locator('table:has(caption:text-is("Color"))').innerText();
  for (const group of rows.groups.filter(({ player_percent }) => player_percent !== null)) assert.ok(text.includes(`${group.player_percent}%`), text);
  await page.getByRole('button', { name: 'Pictures' }).click();
  await settled(page);
  assert.ok((await page.locator('figure').count()) >= 2);
  await close(page);
});

test('a repertoire is marked, exported with numbers, read by the program and opened again', async () => {
  const page = await open('?moves=e2e4', { acceptDownloads: true });
  await page.getByRole('button', { name: 'Mark c5 for the repertoire' }).click();
  await page.getByRole('button', { name: 'Mark e5 for the repertoire' }).click();
  assert.equal(await page.getByRole('button', { name: 'Mark c5 for the repertoire' }).getAttribute('aria-pressed'), 'true');
  await page.getByRole('button', { name: 'Repertoire', exact: true }).click();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export PGN' }).click()]);
  const file = own('repertoire.pgn');
  await download.saveAs(file);
  const text = readFileSync(file, 'utf8');
  const expected = searched('--moves', 'e4 c5').toLocaleString('en-US');
  assert.ok(text.replace(/\s+/g, ' ').includes(`1... c5 {${expected} games:`), text);
  const python = process.env.HALFMOVE_PYTHON;
  if (python) {
    const code = 'import chess.pgn,sys; g=chess.pgn.read_game(open(sys.argv[1])); assert not g.errors; print([n.san() for n in g[0]])';
    assert.equal(execFileSync(python, ['-c', code, file], { encoding: 'utf8' }).trim(), "['c5', 'e5']");
  }
  halfmove('import', own('repertoire'), file, '--strict', '--quiet');
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await page.setInputFiles('input[type=file]', file);
  await page.waitForFunction(() => document.querySelectorAll('ol li').length === 2);
  await close(page);
});

test('a game of Makruk has its pieces and the running count', async () => {
  const page = await open('?archive=makruk&variant=makruk&game=4&node=289');
  assert.match(await page.locator('.count').innerText(), /count of the (board|pieces): \d+ of \d+/);
  await page.keyboard.press('Home');
  await settled(page);
  assert.equal(await content(page, 'd1'), 'd1 white khun');
  await close(page);
});

test('files are imported with their faults, and the import is undone', async () => {
  halfmove('import', own('club'), join(import.meta.dirname, 'study.pgn'), '--quiet');
  const changeable = await serve(PROGRAM, [`club=${own('club')}`, '--changeable']);
  const context = await newContext();
  const page = await context.newPage();
  try {
    // The server takes changes only from its own page, so that this test needs the page of the program, not the folder's.
    await page.route(`${changeable.address}/**`, async (route) => {
      const path = new URL(route.request().url()).pathname;
      const file = join(WEB, 'dist', path === '/' ? 'index.html' : path);
      return path.startsWith('/api/') || !existsSync(file) ? route.continue() : route.fulfill({ path: file });
    });
    await page.goto(changeable.address);
    await settled(page);
    assert.equal(await games(page), 2);
    const text = '[White "A"]\n[Black "B"]\n[Result "*"]\n\n1. e4 e5 *\n\n[White "C"]\n[Black "D"]\n[Result "*"]\n\n1. e4 Ke5 *\n';
    await page.setInputFiles('[data-import]', { name: 'new.pgn', mimeType: 'text/plain', buffer: Buffer.from(text) });
    await page.getByRole('button', { name: 'Undo the import' }).waitFor();
    await page.waitForFunction(() => document.querySelector('#games-title').textContent.trim() !== '2 games');
    assert.equal(await page.locator('.top [role=status]').innerText(), 'new.pgn: 2 games added, 1 fault');
    await page.locator('summary').click();
    await page.locator('details li .link').waitFor();
    const fault = await page.locator('details').innerText();
    assert.match(fault, /^game 2, line 11, column \d+.*Ke5.*\. Kept as far as its first 1 half-move: C – D$/m);
    assert.equal(fault.match(/line 11/g).length, 1, 'the place is said once');
    // The explorer is asked again, too, and counts no start that the games do not have.
    await settled(page);
    assert.deepEqual(await explorer(page), [['e4', 4]]);
    assert.doesNotMatch(await page.locator('.panel').innerText(), /other starts/);
    // After a reload, the last import can still be undone.
    await page.reload();
    await settled(page);
    await page.getByText('Last change: new.pgn, 2 games').waitFor();
    await page.setInputFiles('[data-import]', { name: 'again.pgn', mimeType: 'text/plain', buffer: Buffer.from(text) });
    await page.waitForFunction(() => /^again\.pgn: 0 games added, 2 were there already, 1 fault$/.test(document.querySelector('.top [role=status]').textContent));
    assert.equal(await games(page), 4);
    await page.reload();
    await page.getByRole('button', { name: 'Undo the import' }).click();
    await page.waitForFunction(() => document.querySelector('#games-title').textContent.trim() === '2 games');
    await settled(page);
    assert.deepEqual(await explorer(page), [['e4', 2]]);
    assert.equal(await page.locator('details').count(), 0);
    await page.getByRole('button', { name: 'Bring the games back' }).click();
    await page.waitForFunction(() => document.querySelector('#games-title').textContent.trim() === '4 games');
    await page.getByRole('button', { name: 'Undo the import' }).click();
    await page.waitForFunction(() => document.querySelector('#games-title').textContent.trim() === '2 games');
    await settled(page);
    // Several files are imported one after the other, and undone together.
    const file = (name, moves) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(`[White "${name}"]\n[Result "*"]\n\n${moves} *\n`) });
    await page.setInputFiles('[data-import]', [file('a.pgn', '1. a4'), file('b.pgn', '1. Ke5'), file('c.pgn', '1. c4')]);
    await page.waitForFunction(() => document.querySelector('#games-title').textContent.trim() === '5 games');
    assert.equal(await page.locator('.top [role=status]').innerText(), 'a.pgn: 1 game added, 0 faults; b.pgn: 1 game added, 1 fault; c.pgn: 1 game added, 0 faults');
    await page.locator('summary').click();
    assert.match(await page.locator('details').innerText(), /Ke5.*\. Kept without moves: b\.pgn – \?$/m);
    for (const [button, count] of [['Undo the import', 2], ['Bring the games back', 5], ['Undo the import', 2]]) {
      await page.getByRole('button', { name: button }).click();
      await page.waitForFunction((count) => document.querySelector('#games-title').textContent.trim() === `${count} games`, count);
    }
    const read = async (name, content, answer) => {
      await page.setInputFiles('[data-import]', { name, mimeType: 'text/plain', buffer: Buffer.from(content) });
      await page.waitForFunction((wanted) => document.querySelector('.top [role=status]').textContent === wanted, answer);
      await settled(page);
    };
    await read('fen.pgn', '[SetUp "1"]\n[FEN "8/8/8/4k3/8/4K3/4P3/8 w - - 0 1"]\n[Result "*"]\n\n1. Kd3 *\n', 'fen.pgn: 1 game added, 0 faults');
    assert.equal(await games(page), 3);
    assert.match(await page.locator('.panel').innerText(), /^1 more game from other starts\.$/m);
    await read('notes.pgn', 'Bring the clock.\n\n', 'notes.pgn: no games, this does not look like PGN (line 1, column 1: "Bring the clock.")');
    await page.setInputFiles('[data-import]', { name: 'picture.pgn', mimeType: 'text/plain', buffer: Buffer.from([0x89, 0x50, 0, 1, 2, 3]) });
    await page.waitForFunction(() => /picture\.pgn: /.test(document.querySelector('.top [role=status]').textContent));
    assert.equal(await games(page), 3);
  } finally {
    await context.close();
    changeable.stop();
  }
});

test('a file that is dropped where nothing is imported leaves the page as it is', async () => {
  const page = await open('?moves=e2e4');
  const files = await page.evaluateHandle(() => {
    const data = new DataTransfer();
    data.items.add(new File(['1. d4 *'], 'own.pgn'));
    return data;
  });
  const isLeft = await page.evaluate((dataTransfer) => document.querySelector('main').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true })), files);
  assert.equal(isLeft, false, 'the browser would open the file');
  assert.match(await page.locator('.notice').innerText(), /--changeable/);
  assert.equal(await line(page), '1. e4');
  await close(page);
});
