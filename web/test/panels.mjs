// The panels beside the board, against the program: HALFMOVE=path/to/halfmove node --test web/test/panels.mjs

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { begin, close, explorer, finish, games, halfmove, line, open, own, searched, settled } from './stage.mjs';

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

test('the lab shows the steps of each technique, and its link restores them', async () => {
  const page = await open('?panel=lab&lab=RayWalk,R,d4,8000000200000');
  const set = () => page.locator('[aria-label=Lab] [role=gridcell]').evaluateAll((cells) => cells.filter((cell) => /in the set/.test(cell.ariaLabel)).map((cell) => cell.dataset.name).sort().join(' '));
  await page.getByRole('heading', { name: /^Lab/ }).waitFor();
  const lab = page.locator('[aria-label=Lab]');
  const attacked = await set();
  assert.match(attacked, /^a4 b4 c4 d1 d2 d3 d5 d6 d7 e4 f4 g4 h4$/);
  const techniques = (await page.getByLabel('Technique').locator('option').allInnerTexts()).filter((name) => name !== 'ray walk');
  assert.ok(techniques.length >= 32 && techniques.every((name) => name !== ''), techniques.join());
  for (const technique of [...techniques.filter((name) => name !== 'fancy magics'), 'fancy magics']) {
    await page.getByLabel('Technique').selectOption({ label: technique });
    assert.equal(await set(), attacked, technique);
  }
  assert.match(await page.locator('section', { hasText: 'Lab:' }).last().innerText(), /Pradu Kannan, 2007/);
  // A click puts a piece, a drag moves the slider.
  await lab.locator('[data-name=f4]').click();
  await lab.locator('[data-name=d4]').dragTo(lab.locator('[data-name=f1]'));
  assert.equal(await set(), 'a1 b1 c1 d1 e1 f2 f3 g1 h1');
  await page.getByRole('button', { name: /^× 0x/ }).click();
  const product = await set();
  assert.notEqual(product, '');
  await page.getByRole('button', { name: /^table\[slot\]/ }).click();
  const url = page.url();
  await page.reload();
  await page.getByRole('heading', { name: /^Lab/ }).waitFor();
  assert.equal(await set(), 'a1 b1 c1 d1 e1 f2 f3 g1 h1');
  assert.equal(page.url(), url);
  await page.getByRole('button', { name: 'Pieces of the board' }).click();
  assert.equal(await set(), 'e1 f2 g1');
  await close(page);
});

test("a player's report has the command line's lines, clocks and opponents, and its links refine the filter", async () => {
  const page = await open('?player=karpov&panel=player');
  const report = page.locator('.report');
  const rows = (title) => report.locator(`table:has(caption:text-is("${title}")) tbody tr`)
    .evaluateAll((all) => all.map((row) => [row.querySelector('th').innerText.trim(), Number(row.children[1].innerText.replace(/\D/g, '')), row.children[3].innerText.trim()]));
  const least = await page.getByLabel('Lines with at least').getAttribute('placeholder');
  const scores = (...args) => JSON.parse(halfmove('stats', own('masters'), '--player', 'karpov', '--format', 'json', ...args)).groups
    .filter(({ value }) => value !== null).map(({ value, games, player_percent }) => [value, games, `${player_percent}%`]);
  for (const [title, as, sort] of [['Best lines as White', 'white', '-score'], ['Worst lines as White', 'white', 'score'], ['Best lines as Black', 'black', '-score']]) {
    const expected = scores('--by', 'variation', '--as', as, '--min-games', least, '--limit', '5', `--sort=${sort}`);
    assert.ok(expected.length > 2);
    assert.deepEqual(await rows(title), expected, title);
  }
  // The opponents' ratings are those of the games.
  const csv = halfmove('search', own('masters'), '--player', 'karpov', '--columns', 'white,white_elo,black_elo,result', '--format', 'tsv').trim().split('\n').slice(1).map((row) => row.split('\t'));
  const bands = new Map();
  for (const [white, whiteElo, blackElo, result] of csv) {
    const rating = Number(/karpov/i.test(white) ? blackElo : whiteElo);
    if (rating && result !== '*') bands.set(Math.floor(rating / 100), (bands.get(Math.floor(rating / 100)) ?? 0) + 1);
  }
  const titles = await page.locator('figure', { hasText: "opponent's rating" }).locator('g title').allTextContents();
  assert.deepEqual(titles.map((title) => title.replace(/ games.*/, '')), [...bands].sort(([a], [b]) => a - b).map(([band, games]) => `${100 * band}–${100 * band + 99}: ${games.toLocaleString('en-US')}`));
  const [[line, number]] = await rows('Worst lines as White');
  await report.locator('table:has(caption:text-is("Worst lines as White")) button').first().click();
  await settled(page);
  assert.ok((await games(page)) >= number, line);
  assert.deepEqual([new URL(page.url()).searchParams.get('opening'), new URL(page.url()).searchParams.get('as')], [`"${line}"`, 'white']);
  await close(page);

  const other = await open('?archive=lichess&player=a*&panel=player');
  const [[control, times]] = await other.locator('table:has(caption:text-is("Time control")) tbody tr').evaluateAll((all) => all.map((row) => [row.querySelector('th').innerText.trim(), Number(row.children[1].innerText)]));
  await other.locator('.report').getByRole('button', { name: control, exact: true }).first().click();
  await settled(other);
  assert.equal(await games(other), times, control);
  await close(other);
});

test("a player's report says how many of his games are copies, as the command line does", async () => {
  const { groups } = JSON.parse(halfmove('duplicates', own('masters'), '--format', 'json'));
  for (const player of ['spraggett', 'kasparov']) {
    const copies = groups.filter(({ kind, games }) => kind !== 'near' && games.every(({ white, black }) => new RegExp(player, 'i').test(`${white} ${black}`)))
      .reduce((sum, { games }) => sum + games.length - 1, 0);
    assert.equal(copies > 0, player === 'spraggett');
    const page = await open(`?player=${player}&panel=player`);
    await settled(page);
    const notes = await page.locator('.panel [role=note]').allInnerTexts();
    assert.equal(notes.length, copies > 0 ? 1 : 0);
    if (copies > 0) assert.match(notes[0], new RegExp(`^${copies} games? of these (is a copy|are copies) `));
    await close(page);
  }
});

test("a PGN of one's own is opened beside the archive, and shows where games leave it", async () => {
  const page = await open('?panel=repertoire');
  const text = '[White "Me"]\n\n1. e4 c5 {mine} (1... e5 2. Nf3) 2. Nf3 d6 *\n\n1. e4 c5 2. Nf3 *\n';
  await page.setInputFiles('input[type=file]', { name: 'own.pgn', mimeType: 'text/plain', buffer: Buffer.from(text) });
  await page.waitForFunction(() => document.querySelectorAll('ol li').length === 2);
  await page.getByRole('button', { name: 'Where do games leave?' }).click();
  await settled(page);
  const rows = () => page.locator('table:has(caption) tbody tr').evaluateAll((all) => all.map((row) => [row.querySelector('th').innerText.trim(), ...[1, 2].map((at) => Number(row.children[at].innerText.replace(/\(.*|\D/g, '')))]));
  const expected = (...args) => [['', 'the start', 'e4'], ['e4', '1.e4', 'e4 c5', 'e4 e5'], ['e4 c5', '1.e4 c5', 'e4 c5 Nf3'], ['e4 c5 Nf3', '1.e4 c5 2.Nf3', 'e4 c5 Nf3 d6'], ['e4 e5', '1.e4 e5', 'e4 e5 Nf3']]
    .map(([moves, name, ...next]) => {
      const games = (line) => JSON.parse(halfmove('explore', own('masters'), ...(line === '' ? [] : ['--moves', line]), '--format', 'json', ...args)).moves;
      const sum = (list) => list.reduce((all, { white, draws, black, other = 0 }) => all + white + draws + black + other, 0);
      const all = games(moves);
      return [name, sum(all), sum(all.filter(({ san }) => !next.some((line) => line.split(' ').at(-1) === san)))];
    }).filter(([, , left]) => left > 0).sort(([, , a], [, , b]) => b - a);
  // The games of a row include those that end there.
  const same = (found, wanted) => {
    assert.deepEqual(found.map(([name, , left]) => [name, left]), wanted.map(([name, , left]) => [name, left]));
    for (const [name, games] of found) assert.ok(games >= wanted.find(([other]) => other === name)[1], name);
  };
  same(await rows(), expected());
  await page.fill('#filter-player', 'karpov');
  await page.press('#filter-player', 'Enter');
  await settled(page);
  assert.equal(await page.locator('table:has(caption)').count(), 0);
  await page.getByRole('button', { name: 'Where do games leave?' }).click();
  await settled(page);
  same(await rows(), expected('--player', 'karpov'));
  await page.getByRole('button', { name: '1.e4 c5 2.Nf3', exact: true }).click();
  await page.getByRole('button', { name: 'Explorer', exact: true }).click();
  await settled(page);
  assert.equal(await page.getByRole('button', { name: 'Mark d6 for the repertoire' }).getAttribute('aria-pressed'), 'true');
  await close(page);
});

test('the row under the pointer shows the arrow of its move, also after it was played', async () => {
  const page = await open('?moves=e2e4');
  const [[first]] = await explorer(page);
  await page.locator('.panel .san').first().hover();
  assert.equal(await page.locator('.board .arrow').count(), 1);
  const place = () => page.locator('.board .arrow line').evaluate((line) => [line.getAttribute('x1'), line.getAttribute('y1')].join());
  const before = await place();
  await page.locator('.panel .san').first().click();
  await settled(page);
  assert.equal(await line(page), `1. e4 ${first}`);
  assert.equal(await page.locator('.board .arrow').count(), 1);
  assert.notEqual(await place(), before);
  await page.locator('h1').hover();
  await page.locator('.panel .san').first().blur();
  assert.equal(await page.locator('.board .arrow').count(), 0);
  await close(page);
});

test('cleared lines come back, and the lines of a color are left only by the opponent', async () => {
  const page = await open('?panel=repertoire');
  await page.setInputFiles('.panel input[type=file]', { name: 'own.pgn', mimeType: 'text/plain', buffer: Buffer.from('[White "Me"]\n\n1. e4 c5 (1... e5 2. Nf3) 2. Nf3 *\n') });
  await page.waitForFunction(() => document.querySelectorAll('ol li').length === 2);
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  assert.equal(await page.locator('ol li').count(), 0);
  assert.match(await page.locator('.panel').innerText(), /2 lines cleared/);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  assert.equal(await page.locator('ol li').count(), 2);
  for (const [color, names] of [['White', ['1.e4']], ['Black', ['1.e4 c5', '1.e4 e5', 'the start']]]) {
    await page.getByLabel('I play').selectOption({ label: color });
    await page.getByRole('button', { name: 'Where do games leave?' }).click();
    await settled(page);
    assert.deepEqual((await page.locator('table:has(caption) tbody th').allInnerTexts()).map((text) => text.trim()).sort(), names, color);
  }
  await page.reload();
  await settled(page);
  assert.equal(await page.getByLabel('I play').inputValue(), 'black');
  await close(page);
});
