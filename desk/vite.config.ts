import { defineConfig } from 'vite';
import { frontEnd } from '../ui/vite.ts';

export default defineConfig({
  ...frontEnd(/node_modules/),
  server: {
    host: '127.0.0.1',
    port: 5174,
    proxy: { '^/api/': process.env.DESK_URL ?? 'http://127.0.0.1:3002' },
  },
});
