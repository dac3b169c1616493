import vue from '@vitejs/plugin-vue';
import type { UserConfig } from 'vite';
import { precompress } from './precompress.ts';

/** Returns the configuration of both front ends. `vendor` matches the packages that every page needs. */
export function frontEnd(vendor: RegExp) {
  return {
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
        output: {
          codeSplitting: {
            groups: [
              // Libraries change less often than our code, so browsers can cache them across releases.
              { name: 'vendor', test: vendor },
              // Texts compress better in their own chunk than mixed with code.
              { name: 'texts', test: /i18n.(en|zh|errors)\.ts/ },
            ],
          },
        },
      },
    },
  } satisfies UserConfig;
}
