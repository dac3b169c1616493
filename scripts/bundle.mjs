// Runs after the compiler. Bundles the programs in dist/ and their packages into dist/bundle/, and
// replaces the programs with entry points. Without bundles, Node spends half of its startup on
// resolving, reading and linking two thousand small files.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const programs = ['main', 'desk', 'gatehouse'];
// These packages have native or data files.
const apart = /^(libsql|@css-inline|swagger-ui-dist)(\/|$)/;
// Nest tries to load these optional packages.
const optional = /^(@nestjs\/(microservices|websockets)|@fastify\/static)(\/|$)/;
const problems = [];
let withoutOwnRequire = 0;

const bundle = await rolldown({
  input: programs.map((program) => join(root, 'dist', `${program}.js`)),
  platform: 'node',
  external: apart,
  // Resolves packages as Node does, so that no package is included twice.
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
  // Keeps modules that are imported only for their side effects.
  treeshake: false,
});
await bundle.write({
  dir: join(root, 'dist/bundle'),
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
  sourcemap: true,
  // Entities, errors and the OpenAPI document depend on class names.
  keepNames: true,
  // Drops doc comments, because V8 keeps the source text of every file in memory.
  comments: { jsdoc: false },
});
if (withoutOwnRequire === 0) problems.push('no package of Nest has a require of its own any more');
if (problems.length > 0) throw new Error(problems.join('\n'));
for (const program of programs) {
  writeFileSync(join(root, 'dist', `${program}.js`), `import './bundle/${program}.js';\n`);
  // The compiler's source map no longer matches the entry point.
  rmSync(join(root, 'dist', `${program}.js.map`));
}

/** Loads a file with the compiler's source map, so that stack traces show lines of `src/`. */
function withMap(id) {
  if (!id.startsWith(join(root, 'dist'))) return null;
  return { code: readFileSync(id, 'utf8'), map: readFileSync(`${id}.map`, 'utf8') };
}

/**
 * Removes the `createRequire` of Nest's packages, which would otherwise load the bundled packages a
 * second time.
 */
function withVisibleRequire(code) {
  const visible = code.replace(/^const require = createRequire\(import\.meta\.url\);$/m, '');
  if (visible === code) return null;
  withoutOwnRequire++;
  return { code: visible, map: null };
}

/** Replaces `__dirname` and `__filename`, which ES modules lack, with the paths in node_modules. */
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
