// Measures the page of a program in a browser: HALFMOVE=path/to/halfmove node web/test/speed.mjs ARCHIVE
// From a key to the board and the explorer of the next position on the screen; to the first paint; bytes; frames while scrolling.

import { gzipSync } from 'node:zlib';
import { loadavg } from 'node:os';
import { launch, serve } from './browser.mjs';

const [archive] = process.argv.slice(2);
const program = process.env.HALFMOVE;
if (!archive || !program) throw new Error('usage: HALFMOVE=path/to/halfmove node web/test/speed.mjs ARCHIVE');
const LINE = 'e2e4,c7c5,g1f3,d7d6,d2d4,c5d4,f3d4,g8f6,b1c3,a7a6,c1e3,e7e5,d4b3,c8e6,f2f3,f8e7,d1d2,e8g8,e1c1,b8d7';

const server = await serve(program, [archive]);
const browser = await launch();
const numbers = (times) => {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))].toFixed(1);
  return `median ${at(0.5)} ms, p95 ${at(0.95)} ms, most ${at(1)} ms, of ${sorted.length}`;
};
console.log(`${browser.version()}, load ${loadavg().map((load) => load.toFixed(1)).join(' ')}`);

const html = await (await fetch(server.address)).text();
let total = gzipSync(html, { level: 9 }).length;
for (const [, path] of html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)) {
  total += Number((await fetch(server.address + path, { headers: { 'Accept-Encoding': 'gzip' } })).headers.get('content-length'));
}
console.log(`on the wire: ${total} bytes (the lab, when it is opened, not counted)`);

const [paints, answers] = [[], []];
for (let run = 0; run < 10; run++) {
  const page = await (await browser.newContext()).newPage();
  await page.goto(server.address, { waitUntil: 'commit' });
  await page.waitForSelector('tfoot td');
  answers.push(await page.evaluate(() => performance.now()));
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
  paints.push(await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0].startTime));
  await page.context().close();
}
console.log(`first paint: ${numbers(paints)}; the explorer's first answer: ${numbers(answers)}`);

const page = await (await browser.newContext({ viewport: { width: 1400, height: 950 } })).newPage();
await page.goto(`${server.address}/?moves=${LINE}&ply=0`);
await page.waitForSelector('tfoot td');
await page.waitForTimeout(1500);
const session = await page.context().newCDPSession(page);
await session.send('Performance.enable', { timeDomain: 'threadTicks' });
/** The time that the page has computed, in milliseconds; other programs of the machine do not add to it. */
const computed = async () => 1000 * (await session.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration').value;
/** Has the page take the time from the next key to a frame in which both the board and the totals of the explorer are new. */
const arm = () => page.evaluate(() => {
  const board = () => [...document.querySelectorAll('[role=gridcell][data-name]')].map((cell) => cell.ariaLabel).join();
  const explorer = () => document.querySelector('tfoot')?.textContent;
  const [oldBoard, oldExplorer] = [board(), explorer()];
  window.measured = new Promise((done) => {
    let begun = 0;
    addEventListener('keydown', (event) => { begun = event.timeStamp; }, { once: true, capture: true });
    const observer = new MutationObserver(() => {
      if (explorer() === oldExplorer || explorer() === undefined || board() === oldBoard) return;
      observer.disconnect();
      requestAnimationFrame(() => { const channel = new MessageChannel(); channel.port1.onmessage = () => done(performance.now() - begun); channel.port2.postMessage(0); });
    });
    observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
  });
});
for (const name of ['first', 'again']) {
  const times = [];
  const before = await computed();
  for (let ply = 0; ply < LINE.split(',').length; ply++) {
    await arm();
    await page.keyboard.press('ArrowRight');
    times.push(await page.evaluate(() => window.measured));
    await page.waitForTimeout(250);
  }
  console.log(`from key to pixels, ${name}: ${numbers(times)}; the page computes ${((await computed()) - before) / times.length | 0} ms for a key, the table of games included`);
  await page.keyboard.press('Home');
  await page.waitForTimeout(1000);
}

const frames = await page.evaluate(() => new Promise((done) => {
  const box = document.querySelector('.box');
  const times = [];
  let last = 0;
  const step = (now) => {
    if (last > 0) times.push(now - last);
    last = now;
    box.scrollTop += 140;
    if (times.length < 300) requestAnimationFrame(step);
    else done(times);
  };
  requestAnimationFrame(step);
}));
console.log(`frames while scrolling: ${numbers(frames)}; ${frames.filter((time) => time > 25).length} of ${frames.length} late (over 25 ms)`);
await browser.close();
server.stop();
process.exit(0);
