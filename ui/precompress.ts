import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const COMPRESSIBLE = /\.(js|css|svg|html)$/;

/** Compresses files at build time. The service picks the encoding that the browser accepts. */
export function precompress(): Plugin {
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
