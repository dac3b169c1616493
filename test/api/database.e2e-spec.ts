import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Libsql from 'libsql';
import { createConnection } from 'mysql2/promise';
import { DataSource, type EntityManager, getMetadataArgsStorage } from 'typeorm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { Promoter } from '../../src/features/accounts/promoter.entity.js';
import { Player } from '../../src/platform/auth/player.entity.js';
import { ChatMessage } from '../../src/features/chat/chat-message.entity.js';
import { Environment } from '../../src/platform/config/environment.js';
import {
  createDataSource,
  migrationDataSourceOptions,
} from '../../src/platform/database/data-source.js';
import {
  isDatabaseUnavailable,
  isDuplicateKey,
} from '../../src/platform/database/database-errors.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { inOneTrip, MADE, type Step } from '../../src/platform/database/one-trip.js';
import { inTransaction } from '../../src/platform/database/transaction.js';
import { type TestApp, startApp } from '../support/api/app.js';
import { createPlayer, unique } from '../support/api/factories.js';

let service: TestApp;
let database: DataSource;

beforeAll(async () => {
  service = await startApp();
  database = service.database;
});
afterAll(() => service.stop());

const SOURCES = fileURLToPath(new URL('../../src/', import.meta.url));

/** The same database with every entity that there is: the service does not load those of the desk. */
async function withAllEntities(): Promise<DataSource> {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => name.endsWith('.entity.ts')))
    await import(`${SOURCES}${file}`);
  const entities = getMetadataArgsStorage().tables.map(({ target }) => target);
  const options = migrationDataSourceOptions(service.app.get(Environment));
  return createDataSource({ ...options, entities }).initialize();
}

/** Only SQL reads them. */
const WITHOUT_ENTITY = [
  'migration_claim',
  'migrations',
  'import_chunk',
  'import_player',
  'import_state',
  'player_alias',
];

const TYPEORM_TABLES = ['migrations', 'typeorm_metadata'];

async function tablesOf(schema: DataSource): Promise<string[]> {
  const embedded = inject('database').kind === 'embedded';
  const rows: object[] = await schema.query(
    embedded
      ? `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~'`
      : 'SHOW TABLES',
  );
  return rows.map((row) => String(Object.values(row)[0]));
}

/** The comments in the tables are for people who type SQL; the entities do not repeat them. */
async function takeCommentsAsGiven(schema: DataSource): Promise<void> {
  if (inject('database').kind === 'embedded') return;
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

/** TypeORM compares expressions with notes of its own, not with the table. What they do is shown by the withdrawals. */
async function takeExpressionsAsGiven(schema: DataSource): Promise<void> {
  await schema.query(
    'CREATE TABLE typeorm_metadata (type TEXT, name TEXT, `schema` TEXT, `table` TEXT, `value` TEXT, `database` TEXT)',
  );
  for (const { columns } of schema.entityMetadatas)
    for (const column of columns) if (column.generatedType) column.asExpression = '';
}

/** SQLite has but one kind of row number, and says “now, to the millisecond” in its own words. */
function sayItInSqlite(schema: DataSource): void {
  if (inject('database').kind !== 'embedded') return;
  for (const { ownColumns } of schema.entityMetadatas)
    for (const column of ownColumns) {
      if (column.isGenerated) Object.assign(column, { type: 'integer', unsigned: false });
      // The embedded database computes these two when they are read.
      if (column.generatedType && column.propertyName.startsWith('gameAccount'))
        column.generatedType = 'VIRTUAL';
    }
  const { ownColumns } = schema.getMetadata(ChatMessage);
  for (const column of ownColumns) {
    if (column.isCreateDate) column.default = () => `strftime('%Y-%m-%d %H:%M:%f', 'now')`;
  }
}

describe('the schema', () => {
  it('that the migrations make is the one that the entities describe, those of the desk too', async () => {
    const schema = await withAllEntities();
    const described = schema.entityMetadatas.map(({ tableName }) => tableName);
    expect(described).toEqual(expect.arrayContaining(['operator', 'operator_session']));
    const known = new Set([...described, ...WITHOUT_ENTITY]);
    expect((await tablesOf(schema)).filter((table) => !known.has(table))).toEqual([]);
    await takeCommentsAsGiven(schema);
    await takeExpressionsAsGiven(schema);
    sayItInSqlite(schema);
    const { upQueries } = await schema.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
    await schema.destroy();
  });

  it('explains every table and column to people who type SQL', async () => {
    // SQLite has no comments.
    if (inject('database').kind === 'embedded') return;
    const unexplained = await database.query(
      `SELECT table_name AS name FROM information_schema.tables
        WHERE table_schema = DATABASE() AND table_comment = '' AND table_name NOT IN (?)
        UNION ALL SELECT CONCAT(table_name, '.', column_name) FROM information_schema.columns
        WHERE table_schema = DATABASE() AND column_comment = '' AND table_name NOT IN (?)`,
      [TYPEORM_TABLES, TYPEORM_TABLES],
    );
    expect(unexplained).toEqual([]);
  });

  it('is left alone by a second run of the migrations, also by two at once', async () => {
    const environment = service.app.get(Environment);
    expect(await Promise.all([migrate(environment), migrate(environment)])).toEqual([[], []]);
  });

  it.each([
    ["name = ''", 'server'],
    ["address = ' '", 'server'],
    ['port = 0', 'server'],
    ['port = 65536', 'server'],
    ["status = 'opne'", 'server'],
    ['gm_port = 70000', 'server'],
    ["gm_path = 'gm'", 'server'],
    ['db_port = -1', 'server'],
    ["address = 'http://a.example'", 'server'],
    ["gm_address = 'http://a.example/'", 'server'],
    ["db_host = 'a.example/b'", 'server'],
    ['merged_into = -1', 'server'],
    ['id = -1', 'server'],
  ])('refuses a server with %s', async (assignment) => {
    await database.query("INSERT INTO server (name, address, port) VALUES ('z', 'a.example', 1)");
    await expect(database.query(`UPDATE server SET ${assignment}`)).rejects.toThrow();
    await database.query('DELETE FROM server');
  });

  it('holds account names and e-mails unique without regard to case', async () => {
    const { account } = await createPlayer(service, { email: 'some@one.example' });
    const again = (player: Partial<Player>) => createPlayer(service, player).catch(isDuplicateKey);
    expect(await again({ account: account.toUpperCase() })).toBe(true);
    expect(await again({ email: 'SOME@one.example' })).toBe(true);
    const players = database.getRepository(Player);
    expect(await players.findOneBy({ account: account.toUpperCase() })).toMatchObject({ account });
  });

  it('gives a name in the game to one player, byte by byte, and finds it by an index in any case', async () => {
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
    const explain = inject('database').kind === 'embedded' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN';
    const plan = await database.query(`${explain} ${search}`, [name]);
    expect(JSON.stringify(plan)).toContain('player_game_folded');
  });

  it('explains itself to people who type SQL', async () => {
    if (inject('database').kind === 'embedded') {
      const [table] = await database.query("SELECT sql FROM sqlite_master WHERE name = 'server'");
      expect(table.sql).toContain('CHECK');
      return;
    }
    const columns = await database.query('SHOW FULL COLUMNS FROM server');
    for (const { Field, Comment } of columns) expect(Comment, Field).not.toBe('');
  });
});

describe('a connection', () => {
  it('has UTC, the whole of its sql_mode, and an end to silence and to waiting for a lock', async () => {
    if (inject('database').kind === 'embedded') {
      expect(await database.query('PRAGMA busy_timeout')).toEqual([{ timeout: 20 }]);
      return;
    }
    const [session] = await database.query(
      `SELECT @@time_zone AS server, @@sql_mode AS mode, @@wait_timeout AS silence,
        @@innodb_lock_wait_timeout AS patience`,
    );
    const [{ version }] = await database.query('SELECT VERSION() AS version');
    expect(version.includes('MariaDB')).toBe(inject('database').kind === 'mariadb');
    expect(session).toEqual({
      server: '+00:00',
      mode: 'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION',
      silence: '60',
      patience: '3',
    });
  });
});

/** As a person's own client may hold it. */
async function lockFromOutside(): Promise<() => Promise<void>> {
  const { DATABASE_URL } = service.app.get(Environment);
  if (DATABASE_URL === undefined) {
    const client = new Libsql(database.options.database as string);
    client.exec('BEGIN IMMEDIATE');
    return async () => void client.close();
  }
  const client = await createConnection(DATABASE_URL);
  await client.query('LOCK TABLES agent WRITE');
  return () => client.end();
}

describe('transactions', () => {
  const rows = () => database.getRepository(Promoter).count();

  it('run side by side, roll back whole, and leave lone statements alone', async () => {
    await database.getRepository(Promoter).clear();
    const work = Array.from({ length: 60 }, async (_, index) => {
      if (index % 3 === 2) return database.getRepository(Promoter).insert({ name: unique('lone') });
      const outcome = inTransaction(database, async (manager) => {
        await manager.insert(Promoter, { name: unique('first') });
        await manager.query('SELECT 1');
        await manager.insert(Promoter, { name: unique('second') });
        if (index % 3 === 1) throw new Error('changed my mind');
      });
      return outcome.catch((error: Error) => expect(error.message).toBe('changed my mind'));
    });
    await Promise.all(work);
    // 20 committed with two rows each, 20 rolled back, 20 lone rows.
    expect(await rows()).toBe(60);
  });

  it('nest: an inner rollback keeps what the outer one did', async () => {
    await database.getRepository(Promoter).clear();
    await database.transaction(async (outer) => {
      await outer.insert(Promoter, { name: 'outer' });
      const inner = outer.transaction(async (manager) => {
        await manager.insert(Promoter, { name: 'inner' });
        throw new Error('inner');
      });
      await expect(inner).rejects.toThrow('inner');
    });
    expect(await database.getRepository(Promoter).find()).toMatchObject([{ name: 'outer' }]);
  });

  it('that break off leave the next ones free to start', async () => {
    await expect(database.transaction((manager) => manager.query('nonsense'))).rejects.toThrow();
    await expect(
      database.transaction((manager) => manager.query('SELECT 1')),
    ).resolves.toBeDefined();
    const abandoned = database.createQueryRunner();
    await abandoned.startTransaction();
    await abandoned.release();
    await expect(database.query('SELECT 1')).resolves.toBeDefined();
  });

  it('that meet a lock, or were ended by the database itself, leave the next ones free as well', async () => {
    const insert = (manager: EntityManager) => manager.insert(Promoter, { name: unique('after') });
    const unlock = await lockFromOutside();
    const refused = [await database.transaction(insert).catch(isDatabaseUnavailable)];
    const waiting = Promise.all(
      Array.from({ length: 5 }, () => insert(database.manager).catch(isDatabaseUnavailable)),
    );
    // Whoever needs no lock goes on meanwhile.
    const first = await Promise.race([waiting, service.client.get('/api/health/live')]);
    refused.push(...(await waiting));
    await unlock();
    expect(first).toMatchObject({ status: 200 });
    expect(refused).toEqual(Array(6).fill(true));
    await database.transaction(insert);
    const ended = database.transaction(async (manager) => {
      await manager.query('ROLLBACK');
      throw new Error('as after a full disk');
    });
    await expect(ended).rejects.toThrow('as after a full disk');
    await database.transaction(insert);
    await insert(database.manager);
  });

  it('that ask for the same rows in opposite order both succeed', async () => {
    const agents = database.getRepository(Promoter);
    const [one, two] = await agents.save([{ name: 'one' }, { name: 'two' }]);
    const rename = (first: Promoter, second: Promoter) =>
      inTransaction(database, async (manager) => {
        await manager.update(Promoter, first.id, { name: unique('renamed') });
        await manager.update(Promoter, second.id, { name: unique('renamed') });
      });
    await Promise.all(
      Array.from({ length: 10 }, (_, turn) => (turn % 2 ? rename(one!, two!) : rename(two!, one!))),
    );
  });
});

describe('a transaction in one round trip', () => {
  const insert = (account: string): Step => ({
    sql: "INSERT INTO player (account, password) VALUES (?, '')",
    values: [account],
  });
  const ENTER = 'UPDATE player SET enter_count = enter_count + 1 WHERE id =';
  const enter = (id: number): Step => ({ sql: `${ENTER} ?`, values: [id] });
  const enterMade: Step = { sql: `${ENTER} ${MADE}`, values: [] };
  const entriesOf = async (account: string) =>
    (await database.getRepository(Player).findOneBy({ account }))?.enterCount;
  const isThere = inject('database').kind === 'mariadb';

  it('does everything, and gives the id that it made; servers without it do nothing', async () => {
    const account = unique("'; COMMIT; --");
    const done = await inOneTrip(database, [insert(account), enterMade, enterMade]);
    const player = await database.getRepository(Player).findOneBy({ account });
    expect(done).toEqual(isThere ? { made: player?.id } : undefined);
    expect(player?.enterCount).toBe(isThere ? 2 : undefined);
  });

  it.each<[string, Step]>([
    ['a statement changes nothing', enter(0)],
    ['a condition does not hold', { condition: '(SELECT COUNT(*) FROM player) < ?', values: [1] }],
  ])('does nothing where %s', async (_, step) => {
    const account = unique('whole');
    expect(await inOneTrip(database, [insert(account), step, enterMade])).toBeUndefined();
    expect(await inOneTrip(database, [insert(account), enterMade, step])).toBeUndefined();
    expect(await entriesOf(account)).toBeUndefined();
  });

  it('that fails leaves nothing, and no lock', async () => {
    const { id, account } = await createPlayer(service);
    const failing = inOneTrip(database, [enter(id), insert(account)]);
    if (isThere) await expect(failing).rejects.toSatisfy(isDuplicateKey);
    else expect(await failing).toBeUndefined();
    expect(await entriesOf(account)).toBe(0);
    // Each connection of the pool would find the other's lock, or its own transaction still open.
    await Promise.all(Array.from({ length: 12 }, () => inOneTrip(database, [enter(id)])));
    expect(await entriesOf(account)).toBe(isThere ? 12 : 0);
  });

  it('that was prepared does the same after a migration has changed the table', async () => {
    const { id, account } = await createPlayer(service);
    const enterAll = () =>
      Promise.all(Array.from({ length: 12 }, () => inOneTrip(database, [enter(id)])));
    await enterAll();
    await database.query('ALTER TABLE player ADD COLUMN trip_test INT');
    await enterAll();
    await database.query('ALTER TABLE player DROP COLUMN trip_test');
    await enterAll();
    expect(await entriesOf(account)).toBe(isThere ? 36 : 0);
  });
});
