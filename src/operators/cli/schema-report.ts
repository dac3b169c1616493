import type { SchemaCheck } from './schema-check.js';
import { describeForeignTables } from '../../platform/database/schema/foreign-tables.js';

export function schemaReport({ pending, foreign }: SchemaCheck): string {
  if (foreign.size > 0) return describeForeignTables(foreign);
  if (pending.length === 0) return 'the schema is up to date';
  return [
    `${pending.length} ${pending.length === 1 ? 'migration is' : 'migrations are'} pending; nothing was changed:`,
    ...pending.map(({ name, statements }) =>
      [name, ...statements.map((sql) => `    ${sql.trim()};`)].join('\n'),
    ),
    'The service goes on meanwhile, except where a statement says ALGORITHM=COPY: nobody can write to that table until it is copied. A dump, or a transaction left open, is waited for.',
  ].join('\n\n');
}
