import vue from '@vitejs/plugin-vue';
import { defineConfig, type Plugin } from 'vite';
import { precompress } from './precompress.ts';

/** The service sends the content security policy as a header; on another host the page carries it in a meta tag. */
function policyForAnotherHost(apiUrl: string | undefined): Plugin {
  return {
    name: 'policy-for-another-host',
    apply: 'build',
    transformIndexHtml: () =>
      apiUrl
        ? [
            {
              tag: 'meta',
              injectTo: 'head-prepend',
              attrs: {
                'http-equiv': 'Content-Security-Policy',
                content:
                  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
                  `font-src 'self'; connect-src 'self' ${new URL(apiUrl).origin}; manifest-src 'self'; ` +
                  "base-uri 'none'; form-action 'self'",
              },
            },
          ]
        : [],
  };
}

export default defineConfig({
  plugins: [vue(), policyForAnotherHost(process.env.VITE_API_URL), precompress()],
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
      // Libraries change less often than our code, so browsers cache them across releases. Only the agreement page needs
      // DOMPurify: it stays in that page's chunk.
      output: {
        codeSplitting: { groups: [{ name: 'vendor', test: /node_modules\/(?!dompurify\/)/ }] },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: { '^/(api|sandbox)/': process.env.GATEHOUSE_URL ?? 'http://127.0.0.1:3001' },
  },
});
