import { type Connection, createConnection, escapeId, type RowDataPacket } from 'mysql2';
import { CommandFailed } from '../../cli/command.js';
import type { DatabaseTarget } from '../../../platform/config/database-url.js';
import type { SettingsValues } from '../../../platform/config/settings.schema.js';
import { decodeText, foldName } from './old-values.js';

/** The column `game_account` has this length. */
const MAX_NAME = 64;

interface Spelling {
  /** The service reads this text and compares it with `game_account`. */
  seen: string;
  /** This is the same name, decoded with the old character set. */
  decoded: string;
}

/** Holds the account names in the game's tables as they are spelled there. A million names need about 100 MB. */
export class GameNames {
  /** To save memory, a name with one ordinary spelling is stored as a plain string. */
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
        try {
          await game.readServer(connection, from, escapeId(columns.account), charset);
          game.databases.push(name);
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ER_NO_SUCH_TABLE') throw error;
          console.log(`the game's database ${name} has no table ${table} and is left out`);
        }
      }
    } catch (error) {
      const { message, code } = error as NodeJS.ErrnoException;
      throw new CommandFailed(`the game's database ${reading}: ${message || code}`);
    } finally {
      connection.destroy();
    }
    return game;
  }

  /** Streams the rows, because a server may have millions. */
  private async readServer(connection: Connection, from: string, account: string, charset: string) {
    const sql = `SELECT DISTINCT CAST(${account} AS BINARY), CONVERT(${account} USING utf8mb4) FROM ${from}`;
    const rows = connection.query({ sql, rowsAsArray: true }).stream();
    for await (const [raw, seen] of rows as AsyncIterable<[Buffer | null, string | null]>)
      if (raw && seen !== null) this.add(seen, decodeText(raw, charset)?.text ?? seen);
  }

  /** Returns every spelling that matches this name regardless of case and trailing spaces. */
  spellingsOf(name: string): Spelling[] {
    const found = this.names.get(foldName(name)) ?? [];
    return typeof found === 'string' ? plain(found) : found;
  }

  /** Returns the exact old name if the game has it, or the spelling if there is only one. */
  spellingOf(name: string): string | undefined {
    const all = this.spellingsOf(name);
    return this.exactSpellingOf(name) ?? (all.length === 1 ? all[0]?.seen : undefined);
  }

  exactSpellingOf(name: string): string | undefined {
    return this.spellingsOf(name).find(({ seen, decoded }) => seen === name || decoded === name)
      ?.seen;
  }

  /** Returns the spellings in the game that do not belong to anybody, whichever way they are decoded. */
  *spellingsWithout(isOwned: (folded: string) => boolean): Generator<string> {
    for (const [key, found] of this.names)
      for (const { seen, decoded } of typeof found === 'string' ? plain(found) : found)
        if (foldName(seen) === key && !isOwned(key) && !isOwned(foldName(decoded))) yield seen;
  }

  private add(seen: string, decoded: string): void {
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
      const all = typeof known === 'string' ? plain(known) : known;
      if (all.some((each) => each.seen === seen)) return;
      this.names.set(key, [...all, { seen, decoded }]);
    }
  }
}

function plain(name: string): Spelling[] {
  return [{ seen: name, decoded: name }];
}

function connect({ hosts, user, password, ssl }: DatabaseTarget): Connection {
  const options = { user, password, ssl, charset: 'utf8mb4', connectTimeout: 10_000 };
  return createConnection({ ...hosts[0], ...options });
}

function escapeRegex(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
