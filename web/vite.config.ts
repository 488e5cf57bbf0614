import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

// The server's policy allows no inline script or style and no address of another host, so nothing is inlined. Names of classes are made
// from paths under `rootDir`, which is otherwise the folder that the build is started in.
export default defineConfig({
  plugins: [svelte({ compilerOptions: { rootDir: import.meta.dirname } })],
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
  },
  server: { proxy: { '/api': process.env.HALFMOVE_SERVER ?? 'http://127.0.0.1:9002' } },
  test: { include: ['unit/**/*.test.ts'], environment: 'node' },
});
