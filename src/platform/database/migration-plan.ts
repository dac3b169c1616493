import type { DataSource } from 'typeorm';
import { BATCH_ROWS, type Statement } from './migrations/dialect.js';
import { splitAtCommas } from './migrations/sqlite-table.js';
import { migrationsOf, newerMigrations, pendingMigrations, SchemaProblem } from './schema-state.js';

/** Limits the size of a table that a migration may block. Players would notice if a larger table were blocked. */
const BLOCKING_ROWS = 10_000;

type Effect = 'creates' | 'instant' | 'index' | 'online' | 'batches' | 'rows' | 'blocks';

const EFFECTS: Record<Effect, string> = {
  creates: 'creates the table',
  instant: 'changes only the definition, at once, without a lock',
  index: 'builds the index while reads and writes go on',
  online: 'may rewrite the table, while reads and writes go on',
  batches: `changes the rows in batches of ${BATCH_ROWS}, and locks only those of one batch`,
  rows: 'changes rows, which stay locked until it is done',
  blocks: 'rewrites the table, and blocks writes to it until it is done',
};
const QUICK = new Set<Effect>(['creates', 'instant', 'batches']);
const BLOCKING = new Set<Effect>(['rows', 'blocks']);

const TABLE =
  /^(?:ALTER TABLE|CREATE TABLE(?: IF NOT EXISTS)?|CREATE (?:UNIQUE )?INDEX \w+ ON|INSERT(?: IGNORE)? INTO|DELETE FROM|UPDATE|DROP TABLE(?: IF EXISTS)?|RENAME TABLE|TRUNCATE(?: TABLE)?) "?(\w+)/;
/**
 * Maps clauses to actions of the previous release that they break. The first match counts, and an empty string means
 * that nothing breaks.
 */
const DANGERS: Array<[RegExp, string]> = [
  [/^CREATE TABLE IF NOT EXISTS /, ''],
  [/^(ADD (KEY|INDEX) |CREATE INDEX )/, ''],
  [/^ADD COLUMN .*\b(UNIQUE|PRIMARY|CHECK|REFERENCES)\b/, 'may write what this forbids'],
  [/^ADD COLUMN \w+ (?=.*\bNOT NULL\b)(?!.*\bDEFAULT\b)/, 'inserts rows without this column'],
  [/^ADD COLUMN \w+ /, ''],
  [/^(DROP|RENAME|CHANGE|TRUNCATE)\b/, 'may still use what this removes or renames'],
  [/^(ADD|CREATE UNIQUE)\b/, 'may write what this forbids'],
  [/^(MODIFY|ALTER)\b/, 'may not fit the new definition'],
  [/^(UPDATE|INSERT|DELETE|REPLACE)\b/, 'may need the rows as they were'],
  [/^/, 'may fail after this, because Gatehouse does not know this kind of statement'],
];

export interface StatementPlan {
  readonly sql: string;
  readonly table?: string;
  /** The number is the database's estimate. It is missing if the table does not exist yet. */
  readonly rows?: number;
  readonly effect: string;
  /** Says why the previous release cannot keep working, or is missing if it can. */
  readonly danger?: string;
  readonly survives?: string;
}

export interface SchemaPlan {
  readonly migrations: Array<{ name: string; statements: StatementPlan[] }>;
  /** Lists migrations of a newer release. */
  readonly newer: string[];
  readonly isEmbedded: boolean;
  /** This is true if there is no player who could notice anything. */
  readonly isEmpty: boolean;
}

/** Describes what the pending migrations would do to this database, without doing it. */
export async function planMigrations(dataSource: DataSource): Promise<SchemaPlan> {
  const isEmbedded = dataSource.options.type === 'better-sqlite3';
  const names = await pendingMigrations(dataSource);
  const rows = await (isEmbedded ? countRows(dataSource) : estimateRows(dataSource));
  const isGalera = !isEmbedded && (await isGaleraNode(dataSource));
  const migrations = [];
  for (const { name, statements } of migrationsOf(dataSource)) {
    if (!names.includes(name)) continue;
    const plans = [];
    for (const statement of statements(isEmbedded))
      if (!(await isDone(dataSource, statement, rows)))
        plans.push(planStatement(statement, rows, { isEmbedded, isGalera }));
    migrations.push({ name, statements: plans });
  }
  const isEmpty =
    !rows.has('player') ||
    (await dataSource.query<unknown[]>('SELECT 1 FROM player LIMIT 1')).length === 0;
  return { migrations, newer: await newerMigrations(dataSource), isEmbedded, isEmpty };
}

/** Throws an error before anything changes, if the previous release could not keep working. */
export function refuseToStopTheWorld({ migrations, isEmbedded, isEmpty }: SchemaPlan): void {
  // No other release uses the embedded database, which is copied first, and an empty database is not in use yet.
  if (isEmbedded || isEmpty) return;
  for (const { name, statements } of migrations) {
    const found = statements.find(({ danger }) => danger);
    if (found)
      throw new SchemaProblem(
        `${name} cannot run while instances are running, because ${found.danger}: ${firstLine(found.sql)}. Nothing was changed. ` +
          'Make a backup, stop every instance, run `gatehouse migrate --stop-the-world`, and start this release.',
      );
  }
}

/** Classifies a statement for MySQL and MariaDB. An unknown statement counts as blocking and dangerous. */
export function classify({ sql, along, survives }: Statement): { effect: Effect; danger: string } {
  const text = withoutTexts(sql);
  const [, clauses] = /^ALTER TABLE \w+ (.*)$/.exec(text) ?? [];
  const parts = clauses ? splitAtCommas(clauses) : [text];
  const changes = parts.filter((part) => !/^(ALGORITHM|LOCK) ?=/.test(part));
  const dangers = changes.map((change) => DANGERS.find(([form]) => form.test(change))![1]);
  return {
    effect: along ? 'batches' : effectOf(text, changes),
    danger: survives ? '' : (dangers.find(Boolean) ?? ''),
  };
}

function effectOf(text: string, changes: string[]): Effect {
  if (text.startsWith('CREATE TABLE ')) return 'creates';
  if (/^(INSERT|UPDATE|DELETE|REPLACE) /.test(text)) return 'rows';
  if (/\bALGORITHM ?= ?INSTANT\b/.test(text)) return 'instant';
  if (!/\bALGORITHM ?= ?INPLACE,? LOCK ?= ?NONE$/.test(text)) return 'blocks';
  const onlyIndexes = changes.every((change) => /^(ADD (KEY|INDEX)|CREATE INDEX) /.test(change));
  return onlyIndexes ? 'index' : 'online';
}

/** Removes quoted strings, whose words could be mistaken for clauses, and the delimiters of executable comments. */
function withoutTexts(sql: string): string {
  return sql
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/\/\*M?!\d*|\*\//g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function planStatement(
  statement: Statement,
  tables: Map<string, number>,
  { isEmbedded, isGalera }: { isEmbedded: boolean; isGalera: boolean },
): StatementPlan {
  const { sql, survives } = statement;
  const table = TABLE.exec(withoutTexts(sql))?.[1];
  const rows = table === undefined ? undefined : tables.get(table);
  if (isEmbedded)
    return { sql, table, rows, effect: 'nothing else writes to the database until it is done' };
  const { effect, danger } = classify(statement);
  const blocksCluster = isGalera && !QUICK.has(effect);
  const isLong = (rows ?? 0) > BLOCKING_ROWS && (blocksCluster || BLOCKING.has(effect));
  const description = blocksCluster
    ? 'blocks every write to the Galera cluster until it is done'
    : EFFECTS[effect];
  return {
    sql,
    table,
    rows,
    effect: description,
    survives,
    danger: danger
      ? `the previous release ${danger}`
      : isLong
        ? `it ${description}, and ${table} has about ${rows} rows`
        : undefined,
  };
}

/** Returns whether an interrupted run has executed the statement. */
async function isDone(
  dataSource: DataSource,
  { done, sql }: Statement,
  tables: Map<string, number>,
): Promise<boolean> {
  const text = withoutTexts(sql);
  if (text.startsWith('CREATE TABLE')) return tables.has(TABLE.exec(text)?.[1] ?? '');
  return done !== undefined && (await dataSource.query<unknown[]>(done)).length > 0;
}

async function estimateRows(dataSource: DataSource): Promise<Map<string, number>> {
  const runner = dataSource.createQueryRunner();
  try {
    // MySQL's estimates may be a day old otherwise. MariaDB does not know the variable.
    await runner.query('SET SESSION information_schema_stats_expiry = 0').catch(() => undefined);
    const found = await dataSource.query<Array<{ name: string; n: number | string | null }>>(
      `SELECT table_name AS name, table_rows AS n
        FROM information_schema.tables WHERE table_schema = DATABASE()`,
      [],
      runner,
    );
    return new Map(found.map(({ name, n }) => [name, Number(n ?? 0)]));
  } finally {
    await runner.release();
  }
}

async function countRows(dataSource: DataSource): Promise<Map<string, number>> {
  const tables = await dataSource.query<Array<{ name: string }>>(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
  );
  const counts = new Map<string, number>();
  for (const { name } of tables) {
    const [row] = await dataSource.query<Array<{ n: number }>>(
      `SELECT COUNT(*) AS n FROM "${name}"`,
    );
    counts.set(name, row!.n);
  }
  return counts;
}

async function isGaleraNode(dataSource: DataSource): Promise<boolean> {
  const rows = await dataSource.query<Array<{ Value: string }>>(
    "SHOW GLOBAL VARIABLES LIKE 'wsrep_on'",
  );
  return rows[0]?.Value === 'ON';
}

function firstLine(sql: string): string {
  const text = sql.replaceAll(/\s+/g, ' ').trim();
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
