import { createHash } from 'node:crypto';

/**
 * Describes what clients, operators and databases rely on. The caller passes the parts of the
 * service, because `npm run release` describes the build and the tests describe the sources.
 */
export async function describeSurface({
  document,
  registry,
  program,
  migrations,
  plannedStatements,
}) {
  return {
    openapi: sorted(document),
    metrics: await metricsIn(registry),
    commands: sorted(Object.fromEntries(commandsIn(program))),
    migrations: Object.fromEntries(
      await Promise.all(migrations.map((one) => hashOf(one, plannedStatements))),
    ),
  };
}

async function metricsIn(registry) {
  const own = registry.getMetricsAsArray().filter(({ name }) => name.startsWith('gatehouse_'));
  const entries = own.map(async (metric) => {
    const { type } = await metric.get();
    return [metric.name, { type, labels: metric.labelNames.toSorted() }];
  });
  return sorted(Object.fromEntries(await Promise.all(entries)));
}

/** Returns the arguments and options of every command without subcommands. */
function commandsIn(command, path = []) {
  return command.commands.flatMap((child) => {
    const name = [...path, child.name()];
    if (child.commands.length > 0) return commandsIn(child, name);
    const options = child.options.map(({ long, flags, mandatory, argChoices }) => [
      long,
      { flags, required: mandatory, choices: argChoices },
    ]);
    const args = child.registeredArguments.map((argument) => ({
      name: argument.name(),
      required: argument.required,
      several: argument.variadic,
      choices: argument.argChoices,
    }));
    return [[name.join(' '), { arguments: args, options: Object.fromEntries(options) }]];
  });
}

/** Hashes statements instead of files, so that comments may change and a changed helper is noticed. */
async function hashOf(migration, plannedStatements) {
  const statements = await Promise.all(
    ['mysql', 'better-sqlite3'].map((type) => plannedStatements(migration, type)),
  );
  return [migration.name, createHash('sha256').update(JSON.stringify(statements)).digest('hex')];
}

/** Sorts the names in objects. The items of a list stay in order, because the order of a list may have a meaning. */
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(
    entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, inner]) => [name, sorted(inner)]),
  );
}
