import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

// The server's policy allows no inline script or style and no address of another host, so nothing is inlined.
export default defineConfig({
  plugins: [svelte()],
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
  },
  server: { proxy: { '/api': process.env.HALFMOVE_SERVER ?? 'http://127.0.0.1:9002' } },
  test: { include: ['unit/**/*.test.ts'], environment: 'node' },
});
