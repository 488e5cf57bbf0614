// What the page says: errors as sentences, names that nobody has, and where the games are.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { begin, close, finish, games, halfmove, open, own, searched, settled } from './stage.mjs';

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
    assert.match(texts[0][0], /^FEN, .*\.$/);
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
