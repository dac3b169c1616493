// Runs after the compiler: puts the programs in dist/ and the packages they use into the few files of dist/bundle/, and leaves
// doors to them. Node spends half of a start on finding, reading and linking two thousand small files.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const programs = ['main', 'desk', 'gatehouse'];
// Not JavaScript alone, or for the sandbox alone, which production does not load.
const apart = /^(libsql|@css-inline|swagger-ui-dist|smtp-server|postal-mime)(\/|$)/;
// Nest asks for them in case they are there.
const optional = /^(@nestjs\/(microservices|websockets)|@fastify\/static)(\/|$)/;
const problems = [];
let withoutOwnRequire = 0;

const bundle = await rolldown({
  input: programs.map((program) => join(root, 'dist', `${program}.js`)),
  platform: 'node',
  external: apart,
  // As Node finds packages, so that none is there twice.
  resolve: { mainFields: ['main'] },
  plugins: [
    {
      name: 'compiled',
      load: { filter: { id: { exclude: /node_modules/ } }, handler: withMap },
    },
    {
      name: 'visible-require',
      transform: { filter: { id: /@nestjs/ }, handler: withVisibleRequire },
    },
    {
      name: 'own-folder',
      transform: {
        filter: { id: /node_modules/, code: /\b__(dir|file)name\b/ },
        handler: withOwnFolder,
      },
    },
  ],
  onLog: noteUnresolved,
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
if (withoutOwnRequire === 0) problems.push('no package of Nest has a require of its own any more');
if (problems.length > 0) throw new Error(problems.join('\n'));
for (const program of programs) {
  writeFileSync(join(root, 'dist', `${program}.js`), `import './bundle/${program}.js';\n`);
  // The compiler's, of what is no longer there.
  rmSync(join(root, 'dist', `${program}.js.map`));
}

/** The compiler's map goes into the bundle's, so that a stack can name the lines of `src/`. */
function withMap(id) {
  if (!id.startsWith(join(root, 'dist'))) return null;
  return { code: readFileSync(id, 'utf8'), map: readFileSync(`${id}.map`, 'utf8') };
}

/** Nest's packages look for others by a `require` of their own, which would load a second copy of them. */
function withVisibleRequire(code) {
  const visible = code.replace(/^const require = createRequire\(import\.meta\.url\);$/m, '');
  if (visible === code) return null;
  withoutOwnRequire++;
  return { code: visible, map: null };
}

/** Packages find their own files by these, which ES modules do not have. */
function withOwnFolder(code, id) {
  const file = id
    .split(/node_modules[/\\]/)
    .at(-1)
    .replaceAll('\\', '/');
  const place = `require.resolve(${JSON.stringify(file)})`;
  const placed = code
    .replaceAll(/\b__dirname\b/g, `require("node:path").dirname(${place})`)
    .replaceAll(/\b__filename\b/g, place);
  return { code: placed, map: null };
}

function noteUnresolved(level, log, tell) {
  if (log.code !== 'UNRESOLVED_IMPORT') tell(level, log);
  else if (!optional.test(log.exporter)) problems.push(log.message);
}
