import { escapeId } from 'mysql2';
import { CommandFailed } from '../../cli/command.js';
import {
  foreignTables,
  presentTables,
  renameTablesSql,
  tablesToCreate,
} from '../../../platform/database/schema-state.js';
import type { ImportTarget } from './import-target.js';
import { formatNumber } from './import-report.js';

const OLD_PREFIX = 'old_';
const DROPPED_PREFIX = 'undone_';
/** An undo does not count all rows of these tables as lost, because the import wrote most of them. */
const WRITTEN_BY_IMPORT = new Set([
  'player',
  'player_alias',
  'player_ban',
  'player_connect_threeparty',
  'agent',
  'server',
  'reserved_name',
  'import_player',
  'import_finding',
  'import_chunk',
  'import_state',
]);

/** Moves old tables aside if they use this service's table names in the same database, and restores them. */
export class InPlaceTables {
  constructor(private readonly target: ImportTarget) {}

  async resolveNames(): Promise<(table: string) => string> {
    const present = await presentTables(this.target.dataSource);
    return (table) => (present.has(OLD_PREFIX + table) ? OLD_PREFIX + table : table);
  }

  /** Renames the old tables in one statement and returns it, or returns undefined if they were renamed before. */
  async moveAside(): Promise<string | undefined> {
    const present = await presentTables(this.target.dataSource);
    const foreign = [...(await foreignTables(this.target.dataSource)).keys()];
    if (foreign.length === 0) {
      if ([...present.keys()].some((table) => table.startsWith(OLD_PREFIX))) return undefined;
      throw new CommandFailed('there are no old tables under our names here: nothing to adopt');
    }
    const taken = foreign.filter((table) => present.has(OLD_PREFIX + table));
    if (taken.length > 0)
      throw new CommandFailed(
        `${taken.map((table) => OLD_PREFIX + table).join(', ')} is in the way: rename or drop it first`,
      );
    const sql = renameTablesSql(new Map(foreign.map((table) => [table, OLD_PREFIX + table])));
    await this.target.query(sql);
    return sql;
  }

  /** Lists what an undo would lose, such as `withdraw: 3`. */
  async listNewRows(): Promise<string[]> {
    const present = await presentTables(this.target.dataSource);
    // If this table is missing, the move was interrupted before any player could be imported.
    if (!present.has('import_player')) return [];
    const finished = await this.target.getState('finished');
    const since = this.target.literal(finished ? new Date(finished) : new Date());
    const imported = 'player p JOIN import_player m ON m.player_id = p.id';
    const counted: Record<string, string> = {
      'players who registered here':
        'player p WHERE NOT EXISTS (SELECT 1 FROM import_player m WHERE m.player_id = p.id)',
      'passwords changed here': `${imported} WHERE CRC32(p.password) <> m.password_sum`,
      'mailboxes changed here': `${imported} WHERE CRC32(COALESCE(p.email, '')) <> m.email_sum`,
      'links made here': `player_connect_threeparty WHERE created_at > ${since}`,
      'bans made here': `player_ban WHERE created_by <> 'import'`,
    };
    for (const table of tablesToCreate(this.target.dataSource, new Set()))
      if (present.has(table) && !WRITTEN_BY_IMPORT.has(table)) counted[table] = escapeId(table);
    const lines: string[] = [];
    for (const [what, from] of Object.entries(counted)) {
      const count = await this.target.count(from);
      if (count > 0) lines.push(`${what}: ${formatNumber(count)}`);
    }
    return lines;
  }

  /** Restores the old tables in one statement, and then drops this service's tables. */
  async restore(): Promise<string> {
    const created = tablesToCreate(this.target.dataSource, new Set());
    const ours = [...created, 'migrations', 'migration_claim'];
    const present = await presentTables(this.target.dataSource);
    const old = ours.filter((table) => present.has(OLD_PREFIX + table));
    if (old.length === 0) throw new CommandFailed('no old tables were moved aside here');
    const current = ours.filter((table) => present.has(table));
    const renamed = new Map<string, string>();
    for (const table of current) renamed.set(table, DROPPED_PREFIX + table);
    for (const table of old) renamed.set(OLD_PREFIX + table, table);
    const sql = renameTablesSql(renamed);
    await this.target.query(sql);
    await this.target.transaction(async (manager) => {
      await manager.query('SET FOREIGN_KEY_CHECKS = 0');
      const all = current.map((table) => escapeId(DROPPED_PREFIX + table)).join(', ');
      await manager.query(`DROP TABLE ${all}`);
      await manager.query('SET FOREIGN_KEY_CHECKS = 1');
    });
    return sql;
  }
}
