// What the page says: errors as sentences, names that nobody has, and where the games are.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asked, begin, close, finish, games, halfmove, open, own, searched, settled } from './stage.mjs';

before(begin);
after(finish);

/** The alerts of a page whose requests fail: the browser itself writes these answers to the console. */
async function alerts(query, count = 1) {
  const page = await open('');
  await page.goto(page.url().replace(/\?.*$/, '') + query);
  await page.waitForFunction((least) => document.querySelectorAll('[role=alert]').length >= least, count);
  await page.waitForTimeout(300);
  const texts = await page.locator('[role=alert]').evaluateAll((all) => all.map((alert) => [...alert.querySelectorAll('p')].map((p) => p.textContent)));
  page.complaints = page.complaints.filter((text) => !/status of 40\d/.test(text));
  return [texts, page];
}

test('an error is one message of sentences, with its advice beside it', async () => {
  for (const panel of ['explorer', 'player', 'pictures']) {
    const [texts, page] = await alerts(`?panel=${panel}&player=tal&fen=8/8/8/8%20w`);
    assert.equal(texts.length, 1, JSON.stringify(texts));
    assert.match(texts[0][0], /^"8\/8\/8\/8 w": FEN, .*\.$/);
    await close(page);
  }
  const [texts, page] = await alerts('?archive=nosuch');
  assert.deepEqual(texts, [['There is no archive "nosuch".', 'Archives here: masters, makruk, study, lichess.']]);
  await close(page);
  const [dates, other] = await alerts('?since=19x0&panel=player&player=tal');
  assert.deepEqual(dates.map(([first]) => first), ['"19x0" is not a date: expected a year, month or day, as in 1924, 1924-03 or 1924-03-23.']);
  assert.equal(await other.locator('#filter-since').getAttribute('aria-invalid'), 'true');
  await close(other);
});

test('the filter acts while one types, and Back undoes the whole word', async () => {
  const page = await open();
  const all = await games(page);
  await page.locator('[data-filter=material]').or(page.getByRole('button', { name: 'More conditions' })).first().click();
  await page.locator('[data-filter=material]').pressSequentially('RPvRP', { delay: 20 });
  await page.waitForFunction(() => new URLSearchParams(location.search).get('material') === 'RPvRP');
  await settled(page);
  assert.equal(await games(page), searched('--material', 'RPvRP'));
  await page.locator('#filter-player').pressSequentially('kar');
  await page.waitForFunction(() => new URLSearchParams(location.search).get('player') === 'kar*');
  await page.locator('#filter-player').pressSequentially('pov');
  await page.waitForFunction(() => new URLSearchParams(location.search).get('player') === 'karpov');
  await settled(page);
  assert.equal(await page.locator('#filter-player').inputValue(), 'karpov');
  await page.goBack();
  await settled(page);
  assert.equal(new URL(page.url()).search, '?material=RPvRP');
  await page.goBack();
  await settled(page);
  assert.equal(await games(page), all);
  await close(page);
});

test('the last word of a name may be a beginning, and a name that nobody has leads to similar ones', async () => {
  const page = await open('?panel=player');
  await page.fill('#filter-player', 'karp');
  await page.press('#filter-player', 'Enter');
  await settled(page);
  assert.equal(await games(page), searched('--player', 'karp*'));
  assert.equal(await page.locator('#filter-player').inputValue(), 'karp*');
  await page.fill('#filter-player', 'Karpow');
  await page.press('#filter-player', 'Enter');
  await settled(page);
  await page.locator('.unknown .link').first().waitFor();
  assert.throws(() => searched('--player', 'Karpow'), 'nobody is called so');
  assert.match(await page.locator('.unknown').innerText(), /No player has the name Karpow\. Similar: .*Karpov/);
  assert.match(await page.locator('.panel').innerText(), /No game of the player/);
  await page.locator('.unknown .link', { hasText: /^Karpov/ }).first().click();
  await settled(page);
  assert.ok((await games(page)) > 0);
  assert.equal(await page.locator('.unknown p').count(), 0);
  await close(page);
});

test("an archive begins with its own variant, and says which it has", async () => {
  const page = await open('?archive=makruk');
  const all = await games(page);
  assert.ok(all > 0);
  assert.equal(await page.getByLabel('Variant').inputValue(), 'makruk');
  assert.match(await page.locator('.panel tbody').innerText(), new RegExp(all > 9 ? '\\d\\d' : '\\d'));
  await page.getByLabel('Variant').selectOption('chess');
  await settled(page);
  assert.match(await page.locator('.panel').innerText(), /^This archive has no game of Chess\. It has Makruk \(18\)\.$/m);
  await page.reload();
  await settled(page);
  assert.equal(await page.getByLabel('Variant').inputValue(), 'chess');
  await page.locator('.panel').getByRole('button', { name: 'Makruk' }).click();
  await settled(page);
  assert.equal(new URL(page.url()).search, '?archive=makruk');
  await page.getByLabel('Archive').selectOption('masters');
  await settled(page);
  assert.equal(await page.getByLabel('Variant').inputValue(), 'chess');
  assert.equal(await games(page), searched());
  await close(page);
});

test('the page names what it counts, and both ECO codes where they differ', async () => {
  const page = await open('?moves=e2e4,c7c5');
  const count = searched('--moves', 'e4 c5').toLocaleString('en-US');
  assert.ok(await page.getByRole('link', { name: `Download ${count} games` }).isVisible());
  assert.match(await page.locator('#games-title + .time').innerText(), /^in [\d.]+ ms$/);
  await page.getByRole('button', { name: 'Set up' }).click();
  await settled(page);
  assert.match(await page.locator('.panel').innerText(), /Moves of these games after the line that was played\./);
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  let differing = 0;
  for (let id = 1; id < 200 && differing < 1; id++) {
    const game = await (await fetch(new URL(`/api/games/${id}`, page.url()))).json();
    if (!game.opening || !game.tags.ECO || game.tags.ECO === '?' || game.tags.ECO === game.opening.eco) continue;
    differing++;
    await page.goto(new URL(`/?game=${id}`, page.url()).href);
    await settled(page);
    const where = await page.locator('.where').innerText();
    assert.ok(where.includes(`${game.opening.eco} ${game.opening.name} · ECO tag ${game.tags.ECO}`), where);
  }
  assert.equal(differing, 1, 'a game of the archive has such tags');
  await close(page);
});

test('conditions are named as their fields are, and a misspelled name leads to those that are meant', async () => {
  const page = await open('?player=karpov&as=white&since=1980&board=setup&structure=white:iqp&for=4');
  const words = (await page.getByRole('list', { name: 'Active conditions' }).innerText()).replace(/\s*×/g, '').split('\n').map((text) => text.trim()).filter(Boolean);
  assert.deepEqual(words.slice(0, 5), ['Player: karpov', 'Color: White', 'Date from: 1980', "isolated queen's pawn, White", 'for 4 plies']);
  await close(page);
  const other = await open('?player=kapablanka');
  assert.match(await other.locator('.panel').innerText(), /^No game matches the filter\.$/m);
  await other.locator('.unknown .link').first().waitFor();
  assert.match(await other.locator('.unknown').innerText(), /No player has the name kapablanka\. Similar: Capablanca, Jose Raul \(\d+ games/);
  await close(other);
});

test('a set-up board asks for a number of plies while it is typed', async () => {
  const page = await open('?board=setup&structure=iqp');
  await page.locator('[data-filter=for]').pressSequentially('20');
  await page.waitForFunction(() => new URLSearchParams(location.search).get('for') === '20');
  await settled(page);
  assert.equal(await games(page), searched('--structure', 'iqp', '--for', '20'));
  await close(page);
});

test('a report says whose games it has', async () => {
  const page = await open('?player=polgar&panel=player');
  const head = page.locator('.names').first();
  await head.waitFor();
  const names = JSON.parse(halfmove('players', own('masters'), 'polgar', '--format', 'json'));
  const all = names.players ?? names;
  assert.ok((await head.innerText()).startsWith(`${all.length} names match: ${all[0].name} (${all[0].games} games`), await head.innerText());
  assert.ok((await head.innerText()).includes(`and ${all.length - 4} more`));
  await head.getByRole('button', { name: /more$/ }).click();
  assert.equal(await head.locator('.link').count(), all.length);
  await head.locator('.link').first().click();
  await settled(page);
  assert.equal(await games(page), all[0].games);
  assert.equal(await page.locator('.names').count(), 0);
  await close(page);

  const other = await open('?player=Karpov,+Anatoly&panel=player&moves=e2e4');
  await other.locator('.names', { hasText: 'may be of this player' }).waitFor();
  const own_ = searched('--player', 'Karpov, Anatoly');
  assert.ok((await other.locator('.names').last().innerText()).startsWith(`${searched('--player', 'Karpov, A') - own_} more games may be of this player: Karpov, A finds them`));
  assert.ok((await other.locator('.panel').innerText()).includes(`All ${own_} games of the filter, not only those that reach the position on the board.`));
  assert.equal(await games(other), searched('--player', 'Karpov, Anatoly', '--moves', 'e4'));
  await other.locator('.names .link').last().click();
  await settled(other);
  assert.equal(new URL(other.url()).searchParams.get('player'), 'Karpov, A');
  await close(other);
});

test('an opening chosen by its whole name is that opening and its variations', async () => {
  const name = '"Sicilian Defense: Najdorf Variation"';
  const page = await open();
  await page.locator('#filter-opening').pressSequentially('najd');
  await page.locator('#list-opening option').first().waitFor({ state: 'attached' });
  const offered = await page.locator('#list-opening option').evaluateAll((all) => all.map(({ value }) => value));
  assert.ok(offered.includes(name), offered.join('; '));
  await page.fill('#filter-opening', name);
  await page.press('#filter-opening', 'Enter');
  await settled(page);
  assert.equal(await games(page), searched('--opening', name));
  await page.getByRole('button', { name: `Remove Opening: ${name}` }).click();
  for (const move of ['e4', 'c5']) {
    await page.fill('#move', move);
    await page.press('#move', 'Enter');
    await settled(page);
  }
  await page.locator('#status').getByRole('button', { name: 'Sicilian Defense', exact: true }).click();
  await settled(page);
  assert.equal(await games(page), searched('--moves', 'e4 c5', '--opening', '"Sicilian Defense"'));
  await close(page);
});

test('every column of the table sorts, names from A, and the numbers from the largest', async () => {
  const page = await open('?player=karpov');
  const column = (index) => page.locator(`#games .rows .row .c${index}`).first().innerText();
  for (const [index, head, sorts] of [[0, 'White', ['white', '-white', null]], [7, 'Plies', ['-plies', 'plies', null]], [8, 'Event', ['event', '-event', null]]]) {
    for (const sort of sorts) {
      await page.locator('#games .head').getByRole('button', { name: head }).click();
      await settled(page);
      assert.equal(new URL(page.url()).searchParams.get('sort'), sort);
      const field = { White: 'white', Plies: 'plies', Event: 'event' }[head];
      const listed = halfmove('search', own('masters'), '--player', 'karpov', ...(sort === null ? [] : [`--sort=${sort}`]), '--limit', '1', '--columns', field, '--format', 'tsv');
      assert.equal(await column(index), listed.trim().split('\n')[1]);
    }
  }
  await close(page);
});

test('a typed move that is none says what was expected, and squares that SAN leaves out may be typed', async () => {
  const page = await open();
  const type = async (text) => {
    await page.fill('#move', text);
    await page.press('#move', 'Enter');
    await settled(page);
    return page.locator('#status').innerText();
  };
  assert.match(await type('Ng1-f3'), /Black to move/);
  assert.match(await type('R4vR3'), /R4vR3 is not a move: expected one like \S+/);
  assert.match(await type('Bd5'), /Bd5 is not a legal move; to d5: d5/);
  assert.match(await type('Nf7'), /Nf7 is not a legal move; legal: N/);
  await close(page);
});

test('squares without a pawn are set up', async () => {
  const page = await open('?board=setup&archive=masters');
  await page.getByRole('radio', { name: 'no pawn', exact: true }).check();
  for (const name of ['d2', 'd3', 'd4', 'e2']) await page.locator(`[data-name="${name}"]`).click();
  await settled(page);
  const pattern = new URL(page.url()).searchParams.get('pattern');
  assert.equal(pattern, ['8/8/8/8', `3${'[_NBRQKnbrqk]'}4`, `3${'[_NBRQKnbrqk]'}4`, `3${'[_NBRQKnbrqk]'.repeat(2)}3`, '8'].join('/'));
  assert.equal(await games(page), searched('--pattern', pattern));
  assert.match(await page.locator('[data-name="d3"]').getAttribute('aria-label'), /^d3 no pawn/);
  await close(page);
});

test('an ending is chosen by its name, where the board is set up, and found as the command line finds it', async () => {
  const page = await open('?board=setup');
  const ending = page.locator('label:has-text("ending") select');
  await ending.selectOption({ label: 'rook ending' });
  await settled(page);
  assert.match(await page.getByRole('list', { name: 'Active conditions' }).innerText(), /Material: rook ending/);
  const rooks = searched('--material', 'RP*vRP*');
  assert.ok(rooks > 0);
  assert.equal(await games(page), rooks);
  // Of unequal sides, either may have either.
  await ending.selectOption({ label: 'bishop v knight' });
  await settled(page);
  assert.equal(await games(page), searched('--material', 'BP*vNP*', '--either-color'));
  await page.locator('[data-filter=for]').fill('40');
  await settled(page);
  assert.equal(await games(page), searched('--material', 'BP*vNP*', '--either-color', '--for', '40'));
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await settled(page);
  assert.equal(await games(page), searched());
  // In the filter, the names are suggestions.
  await page.getByRole('button', { name: 'More conditions' }).click();
  assert.equal(await page.locator('#list-material option[value="RP*vRP*"]').getAttribute('label'), 'rook ending');
  await close(page);
});

test('the games by any order of moves are those of the filter, or are not shown yet', async () => {
  const page = await open();
  const column = () => page.locator('.panel tbody tr').evaluateAll((rows) => rows.map((row) => row.children[3].textContent.replace(/\D/g, '')));
  const isFilled = () => document.querySelector('.panel tbody tr')?.children[3].textContent !== '';
  await page.waitForFunction(isFilled);
  let go;
  const late = new Promise((done) => { go = done; });
  await page.route(/api\/explorer\?.*reached=1/, async (route) => { await late; await route.continue(); });
  await page.locator('[data-filter=result]').selectOption('1-0');
  await settled(page);
  assert.equal(await games(page), searched('--result', '1-0'));
  assert.deepEqual([...new Set(await column())], ['']);
  go();
  await page.waitForFunction(isFilled);
  assert.deepEqual(await column(), (await asked('/api/explorer?archive=masters&result=1-0&reached=1')).moves.map(({ reached }) => String(reached)));
  await close(page);
});
