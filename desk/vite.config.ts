import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';
import { precompress } from '../web/precompress.ts';

export default defineConfig({
  plugins: [vue(), precompress()],
  define: {
    __VUE_OPTIONS_API__: false,
    __VUE_I18N_FULL_INSTALL__: false,
    __VUE_I18N_LEGACY_API__: false,
    __INTLIFY_PROD_DEVTOOLS__: false,
  },
  build: {
    target: 'es2022',
    reportCompressedSize: false,
    rolldownOptions: {
      checks: { bundlerTimings: false },
      // Libraries change less often than our code, so browsers cache them across releases.
      output: { codeSplitting: { groups: [{ name: 'vendor', test: /node_modules/ }] } },
    },
  },
  server: {
    host: '127.0.0.1',
    port: 5174,
    proxy: { '^/api/': process.env.DESK_URL ?? 'http://127.0.0.1:3002' },
  },
});
