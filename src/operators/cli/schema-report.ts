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
    'The service keeps running, except that a statement with ALGORITHM=COPY blocks writes to its table. Migrations wait for dumps and open transactions.',
  ].join('\n\n');
}
