// What tests and screenshots share: the program that serves, and the browser of this machine.

import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { chromium } from 'playwright-core';

const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The path of a browser, or null where there is none. */
export function browserPath() {
  const own = process.env.HALFMOVE_BROWSER;
  if (own) return own;
  const known = BROWSERS.find((path) => existsSync(path));
  if (known) return known;
  try {
    return existsSync(chromium.executablePath()) ? chromium.executablePath() : null;
  } catch {
    return null;
  }
}

export function launch(options = {}) {
  return chromium.launch({ executablePath: browserPath(), args: ['--no-sandbox'], ...options });
}

/** Starts `halfmove serve` and waits for its address. */
export async function serve(program, args) {
  const child = spawn(program, ['serve', ...args, '--listen', '127.0.0.1:0', '--no-open'], { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  const address = await new Promise((done, fail) => {
    const hear = (bytes) => {
      text += bytes;
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(text);
      if (found) done(found[0]);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.on('exit', (code) => fail(new Error(`halfmove serve ended with ${code}: ${text}`)));
  });
  return { address, stop: () => child.kill('SIGINT') };
}

const MEDIA = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };

/**
 * Serves the folder `dist` under the server's own headers and hands every other request on to it, so that a page that was
 * built after the program is tested with the program's policy.
 */
export async function front(address, dist) {
  const policy = (await fetch(`${address}/api/archives`)).headers.get('content-security-policy');
  if (!policy) throw new Error('the server sends no Content-Security-Policy');
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const file = resolve(join(dist, pathname === '/' ? 'index.html' : pathname));
    if (file.startsWith(resolve(dist)) && existsSync(file) && statSync(file).isFile()) {
      response.writeHead(200, { 'Content-Type': MEDIA[extname(file)] ?? 'application/octet-stream', 'Content-Security-Policy': policy });
      return response.end(readFileSync(file));
    }
    const stop = new AbortController();
    response.on('close', () => stop.abort());
    try {
      const answer = await fetch(address + request.url, { signal: stop.signal });
      response.writeHead(answer.status, { 'Content-Type': answer.headers.get('content-type') ?? 'text/plain', 'Content-Security-Policy': policy });
      for await (const part of answer.body ?? []) response.write(part);
      response.end();
    } catch {
      response.destroy();
    }
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { address: `http://127.0.0.1:${server.address().port}`, stop: () => server.close() };
}
