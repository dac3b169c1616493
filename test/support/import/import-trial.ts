import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';
import { inject, vi } from 'vitest';
import { parseEnvironment } from '../../../src/platform/config/parse-environment.js';
import { ImportCommand } from '../../../src/operators/import/import.command.js';
import { freshDeployment } from '../api/deployment.js';
import { inProject } from '../servers/gatehouse-process.js';
import { createDatabase } from '../servers/mariadb.js';
import { removeFolder, temporaryFolder } from '../servers/temporary-folder.js';

const WRITTEN = [
  'player_ban',
  'player_connect_threeparty',
  'player',
  'player_alias',
  'player_change',
  'reserved_name',
  'server',
  'agent',
  'import_player',
  'import_finding',
  'import_chunk',
  'import_state',
];

/** Runs `gatehouse import` inside the test process on tables that the test creates. */
export class ImportTrial {
  private readonly folder = temporaryFolder('import-trial');
  private readonly log = vi.spyOn(console, 'log').mockReturnValue();

  private constructor(
    readonly url: string,
    readonly connection: Connection,
    private readonly environment: Record<string, string>,
    private readonly drop: () => Promise<void>,
  ) {}

  static async start(more: Record<string, string> = {}): Promise<ImportTrial> {
    const run = inject('database');
    if (run.kind === 'embedded') throw new Error('the previous generation was on MariaDB or MySQL');
    const deployment = await freshDeployment();
    const old = await createDatabase(run.rootUrl);
    const options = { charset: 'utf8mb4', timezone: 'Z', multipleStatements: true };
    const connection = await createConnection({ uri: old.url, ...options });
    const drop = async () => {
      await connection.end();
      await deployment.drop();
      await old.drop();
    };
    return new ImportTrial(old.url, connection, { ...deployment.env, ...more }, drop);
  }

  async stop(): Promise<void> {
    this.log.mockRestore();
    removeFolder(this.folder);
    await this.drop();
  }

  /** Removes old tables, reports and imported players. */
  async clear(): Promise<void> {
    this.log.mockClear();
    for (const file of readdirSync(this.folder)) rmSync(join(this.folder, file));
    for (const table of await this.tablesOf('DATABASE()'))
      await this.connection.query(`DROP VIEW IF EXISTS ${table}; DROP TABLE IF EXISTS ${table}`);
    const ours = await this.tablesOf(`'${this.here}'`);
    for (const table of WRITTEN.filter((each) => ours.includes(each)))
      await this.connection.query(`DELETE FROM ${this.here}.${table}`);
  }

  /** Runs the import and returns its exit code. */
  async runImport(
    mode: 'check' | 'run' | 'verify',
    map: string,
    from = this.url,
    accept?: string,
    known?: string,
  ): Promise<number> {
    const file = join(this.folder, 'map.yaml');
    writeFileSync(file, map);
    const environment = parseEnvironment({
      SETTINGS_FILE: inProject('config/settings.yaml'),
      AGREEMENT_FILE: inProject('config/agreement.html'),
      ...this.environment,
    });
    // The hashes of most tests belong to no password.
    if (mode === 'verify' && known === undefined)
      await this.ours("INSERT IGNORE INTO import_state VALUES ('hash_form', 'test')");
    const options = { from, map: file, report: this.folder, accept, try: known || undefined };
    return new ImportCommand(environment, options)[mode]();
  }

  get printed(): string {
    return this.log.mock.calls.join('\n');
  }

  get lastLine(): string | undefined {
    return this.printed.split('\n').at(-1);
  }

  report(name: string): string {
    return readFileSync(this.reportPath(name), 'utf8');
  }

  reportPath(name: string): string {
    return join(this.folder, `${name}.csv`);
  }

  /** Returns the players ordered by id. */
  players(columns: string): Promise<RowDataPacket[]> {
    return this.ours(`SELECT ${columns} FROM player ORDER BY id`);
  }

  /** Queries the account database. */
  async ours(sql: string): Promise<RowDataPacket[]> {
    await this.connection.query(`USE ${this.here}`);
    const [rows] = await this.connection.query<RowDataPacket[]>(sql);
    await this.connection.query(`USE ${this.oldName}`);
    return rows;
  }

  /** Returns the account database's tables. */
  tables(): Promise<string[]> {
    return this.tablesOf(`'${this.here}'`);
  }

  get oldName(): string {
    return new URL(this.url).pathname.slice(1);
  }

  get here(): string {
    return new URL(this.environment.DATABASE_URL ?? '').pathname.slice(1);
  }

  private async tablesOf(schema: string): Promise<string[]> {
    const [rows] = await this.connection.query<RowDataPacket[]>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = ${schema}`,
    );
    return rows.map(({ name }) => String(name));
  }
}
