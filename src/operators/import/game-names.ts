import { type Connection, createConnection, escapeId, type RowDataPacket } from 'mysql2';
import { CommandFailed } from '../cli/command.js';
import type { DatabaseTarget } from '../../platform/config/database-url.js';
import type { SettingsValues } from '../../platform/config/settings.schema.js';
import { decodeText } from './old-text.js';

/** What `game_account` can hold. */
const MAX_NAME = 64;

interface Spelling {
  /** As the service reads it, and compares it with `game_account`. */
  seen: string;
  /** Its bytes, decoded in the old character set. */
  decoded: string;
}

/** The account names in the game's tables, each in its own spelling. About 100 MB for a million. */
export class GameNames {
  /** A plain string if there is only one ordinary spelling. */
  private readonly names = new Map<string, string | Spelling[]>();
  readonly databases: string[] = [];

  static async read(
    servers: DatabaseTarget | undefined,
    { pattern, table, columns }: SettingsValues['game_database'],
    charset: string,
  ): Promise<GameNames> {
    const game = new GameNames();
    if (!servers) return game;
    const isServer = new RegExp(`^${escapeRegex(pattern).replace('\\{server_id\\}', '\\d+')}$`);
    const connection = connect(servers);
    let reading = 'cannot be reached';
    try {
      const [rows] = await connection.promise().query<RowDataPacket[]>('SHOW DATABASES');
      for (const name of rows.map(({ Database }) => String(Database))) {
        if (!isServer.test(name)) continue;
        reading = `cannot be read (${name}.${table}, by settings game_database)`;
        const from = `${escapeId(name)}.${escapeId(table)}`;
        await game.readServer(connection, from, escapeId(columns.account), charset);
        game.databases.push(name);
      }
    } catch (error) {
      const { message, code } = error as NodeJS.ErrnoException;
      throw new CommandFailed(`the game's database ${reading}: ${message || code}`);
    } finally {
      connection.destroy();
    }
    return game;
  }

  /** Row by row, because a server may have millions. */
  private async readServer(connection: Connection, from: string, account: string, charset: string) {
    const sql = `SELECT DISTINCT CAST(${account} AS BINARY), CONVERT(${account} USING utf8mb4) FROM ${from}`;
    const rows = connection.query({ sql, rowsAsArray: true }).stream();
    for await (const [raw, seen] of rows as AsyncIterable<[Buffer | null, string | null]>)
      if (raw && seen !== null) this.add(seen, decodeText(raw, charset)?.text ?? seen);
  }

  get size(): number {
    return this.names.size;
  }

  /** Every spelling that may be this name: any case, with or without trailing spaces. */
  spellingsOf(name: string): Spelling[] {
    if (this.names.size === 0) return [];
    const found = this.names.get(foldName(name)) ?? [];
    return typeof found === 'string' ? [{ seen: found, decoded: found }] : found;
  }

  /** The spelling that belongs to this player: exactly the old name, or the only one. */
  spellingOf(name: string): string | undefined {
    const all = this.spellingsOf(name);
    const exact = all.find(({ seen, decoded }) => seen === name || decoded === name);
    return exact?.seen ?? (all.length === 1 ? all[0]?.seen : undefined);
  }

  /** Only exactly this name. */
  exactSpellingOf(name: string): string | undefined {
    return this.spellingsOf(name).find(({ seen, decoded }) => seen === name || decoded === name)
      ?.seen;
  }

  add(seen: string, decoded: string): void {
    if (seen.length > MAX_NAME) return;
    this.addUnder(foldName(seen), seen, decoded);
    if (decoded !== seen && foldName(decoded) !== foldName(seen))
      this.addUnder(foldName(decoded), seen, decoded);
  }

  private addUnder(key: string, seen: string, decoded: string): void {
    const known = this.names.get(key);
    if (known === undefined) this.names.set(key, seen === decoded ? seen : [{ seen, decoded }]);
    else if (known === seen) return;
    else {
      const all = typeof known === 'string' ? [{ seen: known, decoded: known }] : known;
      if (all.some((each) => each.seen === seen)) return;
      this.names.set(key, [...all, { seen, decoded }]);
    }
  }
}

function connect({ hosts, user, password, ssl }: DatabaseTarget): Connection {
  const options = { user, password, ssl, charset: 'utf8mb4', connectTimeout: 10_000 };
  return createConnection({ ...hosts[0], ...options });
}

export function foldName(name: string): string {
  return name.toLowerCase().replace(/ +$/, '');
}

function escapeRegex(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
