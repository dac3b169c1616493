import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DataSource, getMetadataArgsStorage } from 'typeorm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { Player } from '../../../src/platform/auth/player.entity.js';
import { PlayerBan } from '../../../src/platform/auth/player-ban.entity.js';
import { ChatMessage } from '../../../src/features/chat/chat-message.entity.js';
import { Environment } from '../../../src/platform/config/environment.js';
import {
  createDataSource,
  migrationDataSourceOptions,
} from '../../../src/platform/database/data-source.js';
import { isDuplicateKey } from '../../../src/platform/database/database-errors.js';
import { migrate } from '../../../src/platform/database/migrate.js';
import { unique } from '../../support/accounts.js';
import { type TestApp, startApp } from '../../support/api/app.js';
import { createPlayer } from '../../support/api/factories.js';
import { runAsEditor } from '../../support/api/sql-editor.js';

const embedded = inject('database').kind === 'embedded';
let service: TestApp;
let database: DataSource;

beforeAll(async () => {
  service = await startApp();
  database = service.database;
});
afterAll(() => service.stop());

const SOURCES = fileURLToPath(new URL('../../../src/', import.meta.url));

/** Opens the same database with all entities, because the service does not load the desk's. */
async function withAllEntities(): Promise<DataSource> {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
  const declaresEntity = (name: string) =>
    name.endsWith('.ts') && readFileSync(join(SOURCES, name), 'utf8').includes('@Entity(');
  for (const file of files.filter(declaresEntity)) await import(`${SOURCES}${file}`);
  const entities = getMetadataArgsStorage().tables.map(({ target }) => target);
  const options = migrationDataSourceOptions(service.app.get(Environment));
  return createDataSource({ ...options, entities }).initialize();
}

/** Only raw SQL accesses these tables. */
const WITHOUT_ENTITY = [
  'migration_claim',
  'migrations',
  'import_chunk',
  'import_finding',
  'import_player',
  'import_state',
  'player_alias',
  'reserved_name',
];

const TYPEORM_TABLES = ['migrations', 'typeorm_metadata'];

async function tablesOf(schema: DataSource): Promise<string[]> {
  const rows: object[] = await schema.query(
    embedded
      ? `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~'`
      : 'SHOW TABLES',
  );
  return rows.map((row) => String(Object.values(row)[0]));
}

/** Copies the comments from the database into the metadata because the entities do not repeat them. */
async function ignoreComments(schema: DataSource): Promise<void> {
  if (embedded) return;
  for (const metadata of schema.entityMetadatas) {
    const [table] = await schema.query('SHOW TABLE STATUS LIKE ?', [metadata.tableName]);
    metadata.comment = table.Comment;
    const columns = await schema.query(`SHOW FULL COLUMNS FROM ${metadata.tableName}`);
    for (const { Field, Comment } of columns) {
      const column = metadata.findColumnWithDatabaseName(Field);
      if (column) column.comment = Comment || undefined;
    }
  }
}

/** Ignores generated columns, which TypeORM compares with its metadata table instead of the real columns. */
async function ignoreExpressions(schema: DataSource): Promise<void> {
  await schema.query(
    'CREATE TABLE typeorm_metadata (type TEXT, name TEXT, `schema` TEXT, `table` TEXT, `value` TEXT, `database` TEXT)',
  );
  for (const { columns } of schema.entityMetadatas)
    for (const column of columns) if (column.generatedType) column.asExpression = '';
}

/** Adapts the entities to SQLite, which has one type for row ids and its own expression for the current time. */
function adaptToSqlite(schema: DataSource): void {
  if (!embedded) return;
  for (const { ownColumns } of schema.entityMetadatas)
    for (const column of ownColumns)
      if (column.isGenerated) Object.assign(column, { type: 'integer', unsigned: false });
  for (const entity of [ChatMessage, PlayerBan])
    schema.getMetadata(entity).findColumnWithPropertyName('createdAt')!.default = () =>
      `strftime('%Y-%m-%d %H:%M:%f', 'now')`;
}

describe('The migrations', () => {
  it("create the schema that the entities describe, including the desk's", async () => {
    const schema = await withAllEntities();
    const described = schema.entityMetadatas.map(({ tableName }) => tableName);
    expect(described).toEqual(expect.arrayContaining(['operator', 'operator_session']));
    const known = new Set([...described, ...WITHOUT_ENTITY]);
    expect((await tablesOf(schema)).filter((table) => !known.has(table))).toEqual([]);
    await ignoreComments(schema);
    await ignoreExpressions(schema);
    adaptToSqlite(schema);
    const { upQueries } = await schema.driver.createSchemaBuilder().log();
    // The entities declare only unique keys because no code depends on the other keys.
    const drift = upQueries
      .map(({ query }) => query)
      .filter((sql) => !sql.startsWith('DROP INDEX'));
    expect(drift).toEqual([]);
    await schema.destroy();
  });

  // SQLite cannot store comments on tables and columns.
  if (!embedded)
    it('explain every table and column in a comment', async () => {
      const unexplained = await database.query(
        `SELECT table_name AS name FROM information_schema.tables
          WHERE table_schema = DATABASE() AND table_comment = '' AND table_name NOT IN (?)
          UNION ALL SELECT CONCAT(table_name, '.', column_name) FROM information_schema.columns
          WHERE table_schema = DATABASE() AND column_comment = '' AND table_name NOT IN (?)`,
        [TYPEORM_TABLES, TYPEORM_TABLES],
      );
      expect(unexplained).toEqual([]);
    });

  it('change nothing when they run again, even twice in parallel', async () => {
    const environment = service.app.get(Environment);
    expect(await Promise.all([migrate(environment), migrate(environment)])).toEqual([[], []]);
  });
});

describe('The server table', () => {
  it.each([
    "name = ''",
    "address = ' '",
    "address = 'http://a.example'",
    'port = 0',
    'port = 65536',
    "status = 'opne'",
    "gm_address = 'http://a.example/'",
    "gm_address = ''",
    "gm_address = ' '",
    'gm_port = 70000',
    "gm_path = 'gm'",
    "db_host = 'a.example/b'",
    "db_host = ''",
    "db_host = ' '",
    'db_port = -1',
    'merged_into = -1',
    'merged_into = id',
    'id = -1',
    'id = 0',
  ])('rejects %s', async (assignment) => {
    await database.query(
      "INSERT INTO server (id, name, address, port) VALUES (1, 'z', 'a.example', 1)",
    );
    await expect(database.query(`UPDATE server SET ${assignment}`)).rejects.toThrow();
    await database.query('DELETE FROM server');
  });

  it('rejects an unknown status even in a session without strict mode', async () => {
    await database.query(
      "INSERT INTO server (id, name, address, port) VALUES (1, 'z', 'a.example', 1)",
    );
    await expect(runAsEditor(service, "UPDATE server SET status = 'opne'")).rejects.toThrow();
    await database.query('DELETE FROM server');
  });
});

describe('The withdraw table', () => {
  it.each([
    "status = 'faild'",
    "status = ''",
    "reason = ''",
    "order_no = ''",
    "idempotency_key = ''",
    "gm_host = ''",
    "gm_path = ''",
  ])('rejects %s', async (assignment) => {
    await database.query(
      `INSERT INTO withdraw (player_id, server_id, role_server_id, role_id, role_name, amount, status, created_at)
       VALUES (1, 1, 1, 1, 'x', 1, 'failed', '2026-01-01')`,
    );
    await expect(runAsEditor(service, `UPDATE withdraw SET ${assignment}`)).rejects.toThrow();
    await database.query('DELETE FROM withdraw');
  });
});

describe('The player table', () => {
  it.each(['email', 'game_account'])('rejects an empty %s', async (column) => {
    const { id } = await createPlayer(service);
    for (const blank of ['', ' ']) {
      const sql = `UPDATE player SET ${column} = '${blank}' WHERE id = ${id}`;
      await expect(runAsEditor(service, sql)).rejects.toThrow(/constraint/i);
    }
  });

  it('keeps account names and e-mail addresses unique regardless of case', async () => {
    const { account } = await createPlayer(service, { email: 'some@one.example' });
    const again = (player: Partial<Player>) => createPlayer(service, player).catch(isDuplicateKey);
    expect(await again({ account: account.toUpperCase() })).toBe(true);
    expect(await again({ email: 'SOME@one.example' })).toBe(true);
    const players = database.getRepository(Player);
    expect(await players.findOneBy({ account: account.toUpperCase() })).toMatchObject({ account });
  });

  it('keeps game names unique byte by byte and finds them regardless of case through an index', async () => {
    const players = database.getRepository(Player);
    const [one, other] = [await createPlayer(service), await createPlayer(service)];
    const name = unique('Dragon');
    await players.update({ id: one.id }, { gameAccount: name });
    const same = players.update({ id: other.id }, { gameAccount: name });
    await expect(same).rejects.toSatisfy(isDuplicateKey);
    for (const gameAccount of [`${name} `, name.toUpperCase()])
      await players.update({ id: other.id }, { gameAccount });
    const search = 'SELECT id FROM player WHERE game_account_folded = ?';
    expect(await database.query(search, [name.toLowerCase()])).toHaveLength(2);
    const explain = embedded ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN';
    const plan = await database.query(`${explain} ${search}`, [name]);
    expect(JSON.stringify(plan)).toContain('player_game_folded');
  });
});
