// What the page copies, and every filter, against the command line: HALFMOVE=path/to/halfmove node --test web/test/copy.mjs

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { asked, begin, close, explorer, finish, games, halfmove, line, open, own, searched, settled } from './stage.mjs';

before(begin);
after(finish);

async function copied(page, name) {
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await page.getByRole('group', { name: 'Copy' }).getByRole('button', { name, exact: true }).click();
  for (;;) {
    const text = await page.evaluate(() => navigator.clipboard.readText());
    if (text !== '') return text;
    await page.waitForTimeout(20);
  }
}

async function conditions() {
  return (await asked('/api/openapi.json')).paths['/api/count'].get.parameters.map(({ name }) => name);
}

test('the games are copied as the CSV of the command line, and found again by the command and by the query', async () => {
  let hasSql = true;
  try {
    halfmove('sql', own('masters'), 'select 1');
  } catch {
    hasSql = false;
    console.log('SKIPPED: the copied queries are not run, for this program has no SQL');
  }
  for (const [query, archive] of [
    ['?player=karpov&since=1990&sort=-date', 'masters'], ['?player=karpov&sort=-result', 'masters'], ['?player=karpov&sort=eco', 'masters'],
    [`?opening=${encodeURIComponent('"Sicilian Defense"')}`, 'masters'], ['?moves=e2e4,c7c5,g1f3&result=1-0&opening=najdorf', 'masters'],
    ['?board=setup&structure=iqp&min_plies=60&max_elo=2700', 'masters'], ['?eco=B20-B99&until=1999-06&white=karpov*', 'masters'],
    ['?player=kortchnoi&opponent=karpov&result=draw&as=white', 'masters'], ['?archive=lichess&speed=blitz&min_elo=1500', 'lichess'],
    ['?archive=lichess&time_control=3%2B0&played=e4+c5', 'lichess'], ['?material=RPvRP&final=1&board=setup', 'masters'], ['?archive=lichess&annotated=1', 'lichess'],
  ]) {
    if (query.includes('annotated') && !(await conditions()).includes('annotated')) continue;
    const page = await open(query);
    const all = await games(page);
    assert.ok(all > 0 && all < 10_000, `${query}: ${all}`);
    const command = await copied(page, 'Command');
    const words = command.match(/'(?:[^']|'\\'')*'|\S+/g).map((word) => word.replace(/^'|'$/g, '').replaceAll("'\\''", "'"));
    assert.deepEqual(words.slice(0, 3), ['halfmove', 'search', 'ARCHIVE'], 'the page does not know where the archive is');
    assert.match(await page.locator('.notice').innerText(), /For ARCHIVE, write the path/);
    assert.equal(await copied(page, 'CSV'), halfmove('search', own(archive), ...words.slice(3), '--format', 'csv'), query);
    const text = await copied(page, 'SQL');
    if (hasSql) {
      const found = halfmove('sql', own(archive), text, '--format', 'csv').trim().split('\n').slice(1).map((row) => Number(row.split(',')[0]));
      const expected = halfmove('search', own(archive), ...words.slice(3), '--columns', 'id', '--format', 'tsv').trim().split('\n').slice(1).map(Number);
      assert.deepEqual(found.sort((a, b) => a - b), expected.sort((a, b) => a - b), `${query}\n${text}`);
    }
    await close(page);
  }
});

test('a game and a line are copied as PGN, a position as FEN', async () => {
  const page = await open('?game=3&node=4');
  const text = await copied(page, 'PGN');
  assert.match(text, /^\[Event "/);
  assert.equal(text.trim(), halfmove('show', own('masters'), '3', '--format', 'pgn').trim());
  assert.match(await copied(page, 'FEN'), / w [KQkq-]+ \S+ \d+ 3$/);
  await page.keyboard.press('x');
  await settled(page);
  await close(page);
  const other = await open('?moves=e2e4,c7c5,g1f3&ply=2');
  assert.match(await copied(other, 'PGN'), /\n\n1\. e4 c5 \*\n$/);
  await close(other);
});

test('every condition of the server has its field', async () => {
  const page = await open();
  await page.getByRole('button', { name: 'More conditions' }).click();
  const names = await conditions();
  await page.getByRole('button', { name: 'Set up' }).click();
  const missing = [];
  for (const name of names) {
    const count = await page.locator(`[data-filter="${name}"]`).count();
    if (count === 0) missing.push(name);
  }
  assert.deepEqual(missing, ['archive', 'fen', 'moves', 'variant'].filter((name) => names.includes(name)));
  await page.locator('[data-filter=eco]').fill('B9');
  await page.locator('[data-filter=eco]').press('Enter');
  await settled(page);
  assert.equal(await games(page), searched('--eco', 'B9'));
  await page.locator('[data-filter=eco]').fill('');
  await page.locator('[data-filter=eco]').press('Enter');
  for (const [kind, file, side] of [['passed', 'a', 'White'], ['passed', 'h', 'Black']]) {
    await page.locator('.pawn select').nth(0).selectOption(kind);
    await page.locator('.pawn select').nth(1).selectOption(file);
    await page.locator('.pawn select').nth(2).selectOption(side);
    await page.getByRole('button', { name: 'Add' }).click();
  }
  await settled(page);
  assert.match(await page.getByRole('list', { name: 'Active conditions' }).innerText(), /passed: a,black:h/);
  await page.locator('[data-filter=final]').check();
  await settled(page);
  assert.equal(await games(page), searched('--passed', 'a', '--passed', 'black:h', '--final'));
  await close(page);
});

test('null moves of the explorer are played, and followed by moves', async () => {
  const text = '[White "A"]\n[Black "B"]\n[Result "*"]\n\n1. e4 -- 2. d4 d5 *\n';
  writeFileSync(own('null.pgn'), text);
  halfmove('import', own('masters'), own('null.pgn'), '--quiet');
  const page = await open('?moves=e2e4');
  const rows = await explorer(page);
  assert.ok(rows.some(([san, count]) => san === '--' && count === 1), rows.join(' '));
  await page.locator('.panel .san', { hasText: '--' }).click();
  await settled(page);
  assert.equal(await line(page), '1. e4 --');
  assert.deepEqual(await explorer(page), [['d4', 1]]);
  await page.keyboard.press('Shift+Space');
  await settled(page);
  assert.equal(await line(page), '1. e4 -- 2. d4');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.fill('#move', '--');
  await page.press('#move', 'Enter');
  await settled(page);
  assert.equal(await line(page), '1. e4 -- 2. d4');
  await close(page);
});

test('the first games of the table are downloaded in its order', async () => {
  const page = await open('?player=karpov&sort=white', { acceptDownloads: true });
  const save = async () => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: /^Download/ }).click()]);
    const file = own('download.pgn');
    await download.saveAs(file);
    return readFileSync(file, 'utf8').match(/^\[(?:White|Black) ".*/gm);
  };
  const expected = (...args) => halfmove('search', own('masters'), '--player', 'karpov', '--sort=white', '--columns', 'white,black', '--format', 'tsv', ...args)
    .trim().split('\n').slice(1).flatMap((row) => { const [white, black] = row.split('\t'); return [`[White "${white}"]`, `[Black "${black}"]`]; });
  assert.deepEqual(await save(), expected(), 'all of them, as sorted');
  await page.getByLabel('Games to download').selectOption('first 10');
  assert.ok(await page.getByRole('link', { name: 'Download the first 10 games' }).isVisible());
  assert.deepEqual(await save(), expected('--limit', '10'));
  await close(page);
});

test('a game is copied from the position on the board', async () => {
  const page = await open('?archive=study&game=2&node=4');
  const text = await copied(page, 'PGN from here');
  const fen = await page.locator('.fen input').inputValue();
  assert.ok(text.includes(`[SetUp "1"]\n[FEN "${fen}"]\n`), text);
  writeFileSync(own('rest.pgn'), text);
  halfmove('import', own('rest'), own('rest.pgn'), '--strict', '--quiet');
  const plies = (archive, id) => Number(halfmove('search', own(archive), '--id', id, '--columns', 'plies', '--format', 'tsv').trim().split('\n')[1]);
  assert.equal(plies('rest', '1'), plies('study', '2') - 4);
  await close(page);
});

test('rook endings are downloaded without what is before them', async () => {
  const page = await open('?material=RP*vRP*&result=1-0');
  await page.getByLabel('Games to download').selectOption('first 10, from the match');
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download the first 10 games' }).click()]);
  const text = readFileSync(await download.path(), 'utf8');
  assert.equal(text.match(/^\[FEN "[^"]+"\]$/gm).length, 10);
  assert.equal(text.trim(), halfmove('export', own('masters'), '--material', 'RP*vRP*', '--result', '1-0', '--from-match', '--limit', '10').trim());
  // Where games match as a whole, there is nothing before it.
  await page.getByRole('button', { name: 'Clear all' }).click();
  await settled(page);
  assert.deepEqual(await page.getByLabel('Games to download').locator('option').allInnerTexts(), ['all', 'first 10', 'first 100', 'first 1,000', 'first 10,000']);
  await close(page);
});
