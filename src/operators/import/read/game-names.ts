import { type Connection, createConnection, escapeId, type RowDataPacket } from 'mysql2';
import { MAX_NAME } from '../../../platform/auth/account-name.js';
import { CommandFailed } from '../../cli/command.js';
import type { DatabaseTarget } from '../../../platform/config/database-url.js';
import type { SettingsValues } from '../../../platform/config/settings.schema.js';
import { decodeText, foldName } from './old-values.js';

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
  /** Holds the spellings that match new players. A renamed player gets one only if it is exactly the player's name. */
  readonly wanted = new Set<string>();

  static async read(
    servers: DatabaseTarget | undefined,
    { pattern, table, columns }: SettingsValues['game_database'],
    charset: string,
  ): Promise<GameNames> {
    const game = new GameNames();
    if (!servers) return game;
    const isServer = new RegExp(`^${pattern.replace('{server_id}', '\\d+')}$`);
    const { hosts, user, password, ssl } = servers;
    const options = { user, password, ssl, charset: 'utf8mb4', connectTimeout: 10_000 };
    const connection = createConnection({ ...hosts[0], ...options });
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
    return this.under(foldName(name));
  }

  /** Returns the exact old name if the game has it, or the spelling if there is only one and no new player wants it. */
  spellingOf(name: string): string | undefined {
    const [lone, ...others] = this.spellingsOf(name).map(({ seen }) => seen);
    const isFree = lone !== undefined && others.length === 0 && !this.wanted.has(lone);
    return this.exactSpellingOf(name) ?? (isFree ? lone : undefined);
  }

  exactSpellingOf(name: string): string | undefined {
    return this.exactSpellingsOf(name)[0];
  }

  /** Returns several spellings if the servers' character sets differ. */
  exactSpellingsOf(name: string): string[] {
    const exact = this.spellingsOf(name).filter((each) => [each.seen, each.decoded].includes(name));
    return exact.map(({ seen }) => seen);
  }

  /** Returns the spellings in the game that do not belong to anybody, whichever way they are decoded. */
  *spellingsWithout(isOwned: (folded: string) => boolean): Generator<string> {
    for (const key of this.names.keys())
      for (const { seen, decoded } of this.under(key))
        if (foldName(seen) === key && !isOwned(key) && !isOwned(foldName(decoded))) yield seen;
  }

  private under(key: string): Spelling[] {
    const found = this.names.get(key) ?? [];
    return typeof found === 'string' ? [{ seen: found, decoded: found }] : found;
  }

  private add(seen: string, decoded: string): void {
    if (seen.length > MAX_NAME) return;
    for (const key of new Set([seen, decoded].map(foldName))) {
      const known = this.under(key);
      if (known.some((each) => each.seen === seen)) continue;
      const isOrdinary = known.length === 0 && seen === decoded;
      // Unlike a spread, `concat` reserves no space for more elements.
      this.names.set(key, isOrdinary ? seen : known.concat({ seen, decoded }));
    }
  }
}
