// Reading games: an opened game is on the board, in view, and takes the keys.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { begin, close, content, finish, games, halfmove, open, own, searched, settled, square } from './stage.mjs';

before(begin);
after(finish);

test('a game of a set-up board shows its position, and the question comes back', async () => {
  const page = await open('?board=setup&pattern=8/8/8/8/3P4/8/8/8');
  const count = await games(page);
  assert.equal(count, searched('--pattern', '8/8/8/8/3P4/8/8/8'));
  await page.locator('#game-0').click();
  await page.waitForSelector('.move[aria-current]');
  await settled(page);
  assert.equal(await content(page, 'd4'), 'd4 white pawn');
  assert.match(await page.locator('.fen input').inputValue(), /^\S+ [wb] /);
  assert.equal(await games(page), count);
  assert.match(await page.getByRole('list', { name: 'Active conditions' }).innerText(), /pattern: 8\/8\/8\/8\/3P4/);
  const before = await page.locator('.fen input').inputValue();
  await page.getByRole('button', { name: 'Forward' }).click();
  await settled(page);
  assert.notEqual(await page.locator('.fen input').inputValue(), before);
  await page.getByRole('button', { name: 'Set up' }).click();
  await settled(page);
  assert.equal(await page.locator('.game').count(), 0);
  assert.equal(await content(page, 'e1'), 'e1 empty');
  assert.equal(await games(page), count);

  await page.locator('#game-0').click();
  await page.waitForSelector('.move[aria-current]');
  await page.keyboard.press('Home');
  await settled(page);
  await square(page, 'a2').dragTo(square(page, 'a4'));
  await settled(page);
  assert.equal(await content(page, 'a4'), 'a4 white pawn', 'a move leaves the game for a line of its own');
  await close(page);
});

/** The rows of the table of games that are whole in the window. */
const rowsInView = (page) => page.evaluate(() => {
  const box = document.querySelector('.box').getBoundingClientRect();
  return [...document.querySelectorAll('.rows .row')].map((row) => row.getBoundingClientRect())
    .filter(({ top, bottom }) => top >= box.top && bottom <= Math.min(box.bottom, innerHeight)).length;
});

test('a screen has the board and games, and an opened game is in view', async () => {
  for (const query of ['', '?moves=e2e4', '?archive=study&game=1']) {
    const page = await open(query, { viewport: { width: 1280, height: 720 } });
    const [rows, count] = [await rowsInView(page), await games(page)];
    assert.ok(rows >= Math.min(5, count), `${query}: ${rows} rows`);
    assert.equal(await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight), true, query);
    await close(page);
  }
  for (const viewport of [{ width: 390, height: 844 }, { width: 900, height: 500 }]) {
    const page = await open('?moves=e2e4', { viewport });
    await page.locator('#game-2').click();
    await page.waitForSelector('.move[aria-current]');
    await settled(page);
    const { top, bottom } = await page.locator('.board').evaluate((board) => board.getBoundingClientRect().toJSON());
    assert.ok(top >= 0 && bottom <= viewport.height, `the board is from ${top} to ${bottom} of ${viewport.height}`);
    await close(page);
  }
});

test('the stars of the explorer are in the window, whatever its width', async () => {
  for (const query of ['?moves=e2e4,e7e5,g1f3,b8c6,f1b5,a7a6', '?moves=e2e4&archive=study&game=1']) {
    const page = await open(query);
    for (const width of [360, 390, 700, 800, 1024, 1100, 1200, 1280, 1600]) {
      await page.setViewportSize({ width, height: 800 });
      const { right, left, limit } = await page.locator('.mark').first().evaluate((mark) => ({
        left: mark.getBoundingClientRect().left, right: mark.getBoundingClientRect().right,
        limit: mark.closest('.panel').getBoundingClientRect().right,
      }));
      assert.ok(left > 0 && right <= limit + 1 && limit <= width, `${query} at ${width}: ☆ ends at ${right}, its panel at ${limit}`);
    }
    await close(page);
  }
});

test('the numbers of a bar are whole or absent', async () => {
  const page = await open('?moves=e2e4', { viewport: { width: 390, height: 844 } });
  // A number that does not fit is on the next line, below its bar.
  const numbers = await page.locator('.bar .part').evaluateAll((parts) => parts.map((part) => {
    const range = document.createRange();
    range.selectNodeContents(part);
    const [inner, outer] = [range.getBoundingClientRect(), part.getBoundingClientRect()];
    return { text: part.textContent, isAbsent: inner.top >= outer.bottom, isWhole: inner.left >= outer.left && inner.right <= outer.right && inner.bottom <= outer.bottom + 1 };
  }));
  assert.deepEqual(numbers.filter(({ isAbsent, isWhole }) => !isAbsent && !isWhole), []);
  assert.ok(numbers.filter(({ isWhole }) => isWhole).length > 10);
  await close(page);
});

test('the keys belong to a game that was opened, and Shift Space to no button', async () => {
  const page = await open('?moves=e2e4');
  await page.locator('#game-3').click();
  await page.waitForSelector('.move[aria-current]');
  await settled(page);
  const current = () => page.locator('.move[aria-current]').getAttribute('data-node');
  const last = await page.locator('.move.main').last().getAttribute('data-node');
  await page.keyboard.press('End');
  assert.equal(await current(), last);
  await page.keyboard.press('Home');
  assert.equal(await page.locator('.move[aria-current]').count(), 0);
  await page.keyboard.press('ArrowRight');
  assert.equal(await current(), '1');
  await page.keyboard.press('x');

  await settled(page);
  const star = page.getByRole('button', { name: 'Mark c5 for the repertoire' });
  await star.click();
  await page.keyboard.press('Shift+Space');
  await settled(page);
  assert.equal(new URL(page.url()).searchParams.get('moves'), 'e2e4,c7c5');
  await page.keyboard.press('ArrowLeft');
  await settled(page);
  assert.equal(await star.getAttribute('aria-pressed'), 'true');
  await close(page);
});

test("a player's weak opening is found: groups sort by score, from a least number of games", async () => {
  const page = await open('?player=karpov&panel=player');
  const table = page.locator('table:has(caption:text-is("Openings as Black"))');
  const least = page.getByLabel('Lines with at least');
  await table.getByRole('button', { name: 'Score' }).click();
  await settled(page);
  await table.getByRole('button', { name: 'Score' }).click();
  await settled(page);
  assert.match(await least.getAttribute('placeholder'), /^\d+$/);
  await least.fill('3');
  await least.press('Enter');
  await settled(page);
  const args = ['stats', own('masters'), '--player', 'karpov', '--as', 'black', '--by', 'opening', '--sort', 'score', '--min-games', '3', '--format', 'json'];
  const expected = JSON.parse(halfmove(...args)).groups.slice(0, 10).map(({ value, games }) => [value, games]);
  const rows = await table.locator('tbody tr').evaluateAll((all) => all.map((row) => [row.querySelector('th').textContent.trim(), Number(row.querySelector('td').textContent)]));
  assert.ok(rows.length > 1);
  assert.deepEqual(rows, expected);
  assert.equal(await table.locator('th[aria-sort=ascending]').innerText(), 'Score ▲');
  await page.reload();
  await settled(page);
  assert.equal(await table.locator('tbody tr').first().locator('th').innerText(), expected[0][0]);
  await table.locator('tbody tr').first().locator('button').click();
  await settled(page);
  assert.equal(await games(page), searched('--player', 'karpov', '--as', 'black', '--opening', `"${expected[0][0]}"`));
  await close(page);
});

test('the board keeps a line that is left as a variation, in its link, by its keys and in its PGN', async () => {
  const page = await open('?moves=e2e4,c7c5,g1f3');
  const others = () => page.locator('.other .link').allInnerTexts();
  const address = () => new URL(page.url()).searchParams;
  // A move is shown in UCI notation until the server has named it.
  const isLine = (text) => page.waitForFunction((text) => document.querySelector('.line')?.textContent.replace(/\s+/g, ' ').trim() === text, text);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await settled(page);
  await page.locator('#move').fill('e5');
  await page.locator('#move').press('Enter');
  await page.waitForFunction(() => document.querySelector('.other .link')?.textContent === '1… c5 2. Nf3');
  await isLine('1. e4 e5');
  await page.locator('#move').evaluate((field) => field.blur());
  await page.keyboard.press('ArrowUp');
  await page.waitForFunction(() => document.querySelector('.other .link')?.textContent === '1… e5');
  assert.deepEqual([address().get('moves'), address().get('ply'), address().get('others')], ['e2e4,c7c5,g1f3', '2', 'e2e4,e7e5']);
  await page.reload();
  await settled(page);
  await page.waitForFunction(() => document.querySelector('.other .link')?.textContent === '1… e5');
  await page.getByRole('button', { name: 'PGN', exact: true }).click();
  await page.locator('.notice', { hasText: 'the lines as PGN' }).waitFor();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /1\. e4 c5 \(1\.\.\. e5\) 2\. Nf3/);
  await page.locator('.other .link').click();
  await settled(page);
  await isLine('1. e4 e5');
  assert.deepEqual(await others(), ['1… c5 2. Nf3']);
  await page.getByRole('button', { name: 'Remove 1… c5 2. Nf3' }).click();
  assert.deepEqual([await others(), address().get('others')], [[], null]);
  // Another start has no variations of this one.
  await page.goBack();
  await page.locator('.other .link').waitFor();
  await page.getByRole('button', { name: 'New' }).click();
  await settled(page);
  assert.deepEqual(await others(), []);
  await close(page);
});
