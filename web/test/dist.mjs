// The committed page against a new build of its sources: run by `make page-test`.

import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

const WEB = join(import.meta.dirname, '..');

function files(folder) {
  const paths = readdirSync(folder, { recursive: true }).map((name) => join(folder, name));
  return new Map(paths.filter((path) => statSync(path).isFile()).map((path) => [relative(folder, path), readFileSync(path)]).sort());
}

test('web/dist is what the sources build', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'halfmove-dist-'));
  try {
    await build({ root: WEB, logLevel: 'error', build: { outDir: folder, emptyOutDir: true } });
    const [built, committed] = [files(folder), files(join(WEB, 'dist'))];
    assert.deepEqual([...committed.keys()], [...built.keys()], 'run `make page` and commit web/dist');
    for (const [path, bytes] of built) assert.ok(bytes.equals(committed.get(path)), `${path} is old: run \`make page\` and commit web/dist`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the page is at most 80 kB on the wire, the lab, when it is opened, at most 30 kB more, and they name no other host', () => {
  const sizes = { page: 0, lab: 0 };
  for (const [path, bytes] of files(join(WEB, 'dist'))) {
    sizes[/Lab-[\w-]+\.js$/.test(path) ? 'lab' : 'page'] += gzipSync(bytes, { level: 9 }).length;
    const hosts = bytes.toString().match(/https?:\/\/[^\s"'`)]+/g) ?? [];
    const foreign = hosts.filter((host) => !/^https?:\/\/(www\.w3\.org|svelte\.dev)\//.test(host) && host !== 'http://localhost');
    assert.deepEqual(foreign, [], `${path} names another host`);
  }
  assert.ok(sizes.page <= 80_000 && sizes.lab > 0 && sizes.lab <= 30_000, JSON.stringify(sizes));
  assert.doesNotMatch(readFileSync(join(WEB, 'dist/index.html'), 'utf8'), /Lab-/, 'the lab is loaded with the page');
});

test('the page has no inline script or style, which the policy of the server forbids', () => {
  const html = files(join(WEB, 'dist')).get('index.html').toString();
  assert.doesNotMatch(html, /<style|style=|<script(?![^>]*src=)|\son\w+=/);
});
