// The page for eyes, keys and screen readers: HALFMOVE=path/to/halfmove node --test web/test/access.mjs

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import { begin, close, content, explorer, finish, games, line, open, settled, square } from './stage.mjs';

before(begin);
after(finish);

async function audit(page, what) {
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${what}: the page is wider than the window`);
  const { violations, passes } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  assert.ok(passes.length > 15, 'axe has looked');
  assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`), [], what);
}

const VIEWS = [
  '?moves=e2e4', '?board=setup&structure=iqp&panel=player&player=karpov', '?archive=study&game=1&node=3', '?archive=lichess&panel=pictures&game=2',
  '?archive=makruk&variant=makruk&panel=repertoire&exact=1', '?panel=lab&lab=FancyMagics,Q,d4',
];

for (const [colorScheme, width] of [['light', 1400], ['dark', 1400], ['dark', 390]]) {
  test(`axe finds no violation in any panel: ${colorScheme}, ${width} pixels`, async () => {
    for (const query of VIEWS) {
      const page = await open(query, { colorScheme, viewport: { width, height: 900 } });
      await audit(page, `${query} ${width} ${colorScheme}`);
      await close(page);
    }
    const page = await open('?moves=e2e4', { colorScheme, viewport: { width, height: 900 } });
    if (width < 500) await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByRole('button', { name: 'More conditions' }).click();
    await audit(page, 'all conditions');
    await page.getByRole('button', { name: 'Engine', exact: true }).click();
    await page.waitForSelector('section[aria-labelledby=engine-title] td');
    await audit(page, 'the engine');
    await page.getByRole('button', { name: 'Keys' }).click();
    await audit(page, 'the list of keys');
    await close(page);
  });
}

test('everything is done by keys alone', async () => {
  const page = await open();
  const focused = () => page.evaluate(() => document.activeElement.getAttribute('aria-label') ?? (document.activeElement.role === 'grid' ? 'the games' : document.activeElement.innerText));
  const tabTo = async (name) => {
    for (let n = 0; n < 120; n++) {
      await page.keyboard.press('Tab');
      if (name.test((await focused()) ?? '')) return;
    }
    assert.fail(`Tab does not reach ${name}`);
  };
  // The board: e2 to e4.
  await tabTo(/^e1 white king$/);
  for (const key of ['ArrowUp', 'Enter', 'ArrowUp', 'ArrowUp']) await page.keyboard.press(key);
  assert.equal(await focused(), 'e4 empty, can go here');
  await page.keyboard.press('Enter');
  await settled(page);
  assert.equal(await line(page), '1. e4');
  // The explorer's first move, and a mark for the repertoire.
  const [[first]] = await explorer(page);
  await tabTo(new RegExp(`^${first}$`));
  await page.keyboard.press('Enter');
  await settled(page);
  assert.equal(await line(page), `1. e4 ${first}`);
  await tabTo(/^Mark .* for the repertoire$/);
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.ariaPressed), 'true');
  // The filter, the games, a game, and back.
  await page.keyboard.press('/');
  await page.keyboard.type('karpov');
  await page.keyboard.press('Enter');
  await settled(page);
  const all = await games(page);
  assert.equal(await focused(), 'the games', 'Enter in a field gives the keys to the games');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.move[aria-current]');
  await settled(page);
  const node = () => Number(new URL(page.url()).searchParams.get('node'));
  const at = node();
  await page.keyboard.press('ArrowRight');
  assert.equal(node(), at + 1);
  await page.keyboard.press('x');
  await settled(page);
  assert.equal(await games(page), all);
  // The list of keys.
  await page.keyboard.press('?');
  assert.ok(await page.getByRole('dialog').isVisible());
  await page.keyboard.press('Escape');
  assert.ok(!(await page.getByRole('dialog').isVisible()));
  // A board that is set up: a black queen on e8, chosen by arrow keys.
  await page.keyboard.press('s');
  await settled(page);
  await tabTo(/^white pawn$/);
  for (let n = 0; n < 2; n++) await page.keyboard.press('ArrowRight');
  assert.equal(await focused(), 'black queen');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await settled(page);
  assert.match(new URL(page.url()).searchParams.get('pattern'), /q/);
  await close(page);
});

test('screen readers hear names of all that can be used, and the board in words', async () => {
  for (const query of VIEWS) {
    const page = await open(query);
    const unnamed = await page.evaluate(() => [...document.querySelectorAll('button, a, input, select, summary, [tabindex="0"], [role=img], [role=grid]')]
      .filter((element) => element.checkVisibility())
      .filter((element) => !(element.ariaLabel || element.innerText?.trim() || element.labels?.length || element.getAttribute('aria-label') || element.getAttribute('aria-labelledby') || element.placeholder))
      .map((element) => element.outerHTML.slice(0, 120)));
    assert.deepEqual(unnamed, [], query);
    await close(page);
  }
  const page = await open('?moves=f2f3,e7e5,g2g4,d8h4');
  assert.equal(await content(page, 'h4'), 'h4 black queen');
  assert.match(await page.getByRole('status').first().innerText(), /0-1, checkmate/);
  await close(page);
  const legal = await open();
  await square(legal, 'g1').click();
  assert.equal(await content(legal, 'f3'), 'f3 empty, can go here');
  assert.equal(await content(legal, 'g1'), 'g1 white knight, selected');
  await close(legal);
});

test('keys lead to the panels and the games, and the explorer is one stop of Tab', async () => {
  const page = await open('?player=karpov');
  const panel = (name) => page.getByRole('group', { name: 'Panel' }).getByRole('button', { name }).getAttribute('aria-pressed');
  for (const [key, name] of [['p', 'Player'], ['r', 'Repertoire'], ['e', 'Explorer']]) {
    await page.keyboard.press(key);
    assert.equal(await panel(name), 'true', key);
  }
  await page.keyboard.press('g');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'games');
  await settled(page);
  const rows = await explorer(page);
  assert.equal(await page.locator('.panel tbody [tabindex="0"]').count(), 2, 'a move and its star');
  await page.locator('.panel').focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), rows[1][0]);
  assert.equal(await page.locator('.panel tbody [tabindex="0"]').count(), 2);
  await page.keyboard.press('Enter');
  await settled(page);
  assert.equal(await line(page), `1. ${rows[1][0]}`);
  await page.keyboard.press('/');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'filter-player');
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => document.activeElement.id === 'games');
  await close(page);
});
