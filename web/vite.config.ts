import { brotliCompressSync, gzipSync } from 'node:zlib';
import vue from '@vitejs/plugin-vue';
import { defineConfig, type Plugin } from 'vite';

const COMPRESSIBLE = /\.(js|css|svg|html)$/;

/** Compresses at build time; the service picks the encoding that the browser accepts. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        for (const file of Object.values(bundle)) {
          if (!COMPRESSIBLE.test(file.fileName)) continue;
          const source = Buffer.from(file.type === 'chunk' ? file.code : file.source);
          const emit = (ending: string, bytes: Uint8Array) =>
            this.emitFile({
              type: 'asset',
              fileName: `${file.fileName}.${ending}`,
              source: bytes,
            });
          emit('br', brotliCompressSync(source));
          emit('gz', gzipSync(source, { level: 9 }));
        }
      },
    },
  };
}

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
