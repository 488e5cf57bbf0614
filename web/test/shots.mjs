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

const OWN = '1. e4 c5 (1... e5 2. Nf3 Nc6 3. Bb5 a6 (3... Nf6 4. O-O)) (1... e6 2. d4 d5 3. Nc3) 2. Nf3 d6 (2... Nc6 3. Bb5 g6) 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 *';

async function repertoire(page) {
  await page.setInputFiles('input[type=file]', { name: 'own.pgn', mimeType: 'text/plain', buffer: Buffer.from(OWN) });
  await page.waitForSelector('ol li');
  await page.getByRole('button', { name: 'Where do games leave?' }).click();
  await page.waitForTimeout(6500);
}

/** Name, address, width, height, scheme, and what is done before. */
const SHOTS = [
  ['page', '?moves=e2e4,c7c5', 1280, 860, 'light'],
  ['game', '?archive=study&game=2&node=7', 1280, 760, 'light'],
  ['setup', '?board=setup&structure=iqp&pattern=8/8/8/3n4/3P4/8/8/8', 1280, 960, 'light'],
  ['player', '?player=karpov&panel=player', 1280, 1080, 'light'],
  ['pictures', '?moves=e2e4,e7e5,g1f3,b8c6,f1b5&panel=pictures', 1280, 1130, 'dark'],
  ['repertoire', '?panel=repertoire', 1280, 860, 'light', repertoire],
  ['lab', '?panel=lab&moves=e2e4,e7e5,g1f3,b8c6,f1b5,a7a6', 1280, 940, 'light'],
  ['makruk', '?archive=makruk&variant=makruk&game=4&node=215', 1280, 760, 'light'],
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
for (const [name, query, width, height, colorScheme, act] of SHOTS) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme });
  await page.goto(`${site.address}/${query}`);
  await page.waitForTimeout(900);
  // The second time, the server has what it needs in memory.
  await page.reload();
  await page.waitForTimeout(400);
  await page.waitForFunction(() => document.querySelectorAll('[aria-busy="true"]').length === 0);
  await act?.(page);
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
