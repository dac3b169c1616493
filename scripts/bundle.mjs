// Runs after the compiler: puts the programs in dist/ and the packages they use into the few files of dist/bundle/, and leaves
// doors to them. Node spends half of a start on finding, reading and linking two thousand small files.
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const programs = ['main', 'desk', 'gatehouse', 'migrate', 'withdrawal'];
// Not JavaScript alone, or for the sandbox alone, which production does not load.
const apart = /^(libsql|@css-inline|swagger-ui-dist|smtp-server|postal-mime)(\/|$)/;

const bundle = await rolldown({
  input: programs.map((program) => join(root, 'dist', `${program}.js`)),
  platform: 'node',
  external: apart,
  // As Node finds packages, so that none is there twice.
  resolve: { mainFields: ['main'] },
  plugins: [
    {
      name: 'visible-require',
      transform: { filter: { id: /@nestjs/ }, handler: withVisibleRequire },
    },
  ],
  // Packages ask for others that may be there, such as drivers of databases that nobody uses here.
  logLevel: 'silent',
  // A module may do something when it is loaded that nobody imports.
  treeshake: false,
});
await bundle.write({
  dir: join(root, 'dist/bundle'),
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
  sourcemap: true,
  // Entities, errors and the OpenAPI document go by the names of their classes.
  keepNames: true,
});
for (const program of programs)
  writeFileSync(join(root, 'dist', `${program}.js`), `import './bundle/${program}.js';\n`);

/** Nest's packages look for others by a `require` of their own, which would load a second copy of them. */
function withVisibleRequire(code) {
  return code.replace(/^const require = createRequire\(import\.meta\.url\);$/m, '');
}
