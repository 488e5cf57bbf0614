// Photographs of the running page for the documentation: run by `make page-shots`.
// With HALFMOVE_SHOW=NAME=PATH the archive of that path is shown; else the master games of testdata.

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import UPNG from 'upng-js';
import { front, launch, serve } from './browser.mjs';

const WEB = join(import.meta.dirname, '..');
const ROOT = join(WEB, '..');
const OUT = process.env.HALFMOVE_SHOTS ?? join(ROOT, 'docs/images');
const program = process.env.HALFMOVE ?? join(ROOT, 'target/release/halfmove');

/** Name, address, width, height, scheme. */
const SHOTS = [
  ['page', '?moves=e2e4,c7c5', 1280, 860, 'light'],
  ['game', '?archive=study&game=2&node=7', 1280, 760, 'light'],
  ['setup', '?board=setup&structure=iqp&panel=player&player=karpov', 1280, 900, 'light'],
  ['pictures', '?moves=e2e4,e7e5,g1f3,b8c6,f1b5&panel=pictures', 1280, 760, 'dark'],
  ['makruk', '?archive=makruk&variant=makruk&game=4&node=289', 1280, 760, 'light'],
  ['phone', '?moves=e2e4', 390, 844, 'dark'],
];

if (!existsSync(program)) throw new Error(`there is no program at ${program}`);
mkdirSync(OUT, { recursive: true });
const server = await serve(program, [
  process.env.HALFMOVE_SHOW ?? `masters=${join(ROOT, 'testdata/games/masters.pgn.zst')}`,
  `makruk=${join(ROOT, 'testdata/games/makruk.pgn')}`, `study=${join(import.meta.dirname, 'study.pgn')}`,
]);
const site = await front(server.address, join(WEB, 'dist'));
const browser = await launch();
for (const [name, query, width, height, colorScheme] of SHOTS) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme });
  await page.goto(`${site.address}/${query}`);
  await page.waitForTimeout(400);
  await page.waitForFunction(() => document.querySelectorAll('[aria-busy="true"]').length === 0);
  await page.waitForTimeout(600);
  // 256 colors are plenty for a page, and a third of the bytes.
  const image = UPNG.decode(await page.screenshot());
  writeFileSync(join(OUT, `${name}.png`), Buffer.from(UPNG.encode(UPNG.toRGBA8(image), image.width, image.height, 256)));
  await page.close();
  console.log(join(OUT, `${name}.png`));
}
await browser.close();
site.stop();
server.stop();
process.exit(0);
