import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import mysql, { type Connection } from 'mysql2';
import type { GameDatabaseFiles } from './game-database-files.js';

const UTF8MB4 = 45;
const VARCHAR = 253;
const BIGINT = 8;
// The server offers all capabilities except compression and TLS.
const CAPABILITIES = 0xffffff ^ 0x20 ^ 0x800;
const SYNTAX_ERROR = 1064;

const ESCAPES: Record<string, string> = {
  '0': '\0',
  b: '\b',
  n: '\n',
  r: '\r',
  t: '\t',
  Z: '\x1a',
};

/** Declares members of mysql2's server connection that its types lack. */
interface ServerConnection extends Connection {
  sequenceId: number;
  serverHandshake(options: object): void;
  writeOk(options?: object): void;
  writeError(error: { code: number; message: string }): void;
  writeColumns(columns: object[]): void;
  writeTextRow(values: unknown[]): void;
  writeEof(): void;
}

/** Serves the sandbox's SQLite files over the MySQL protocol, with the features that reading roles needs. */
export async function startGameDatabaseServer(
  files: GameDatabaseFiles,
): Promise<{ port: number; close(): void }> {
  // The socket listens directly, because mysql2's own listen() does not report when the port is open.
  const { _server: listener } = mysql.createServer((connection) =>
    serve(connection as unknown as ServerConnection, files),
  ) as unknown as { _server: Server };
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  return { port, close: () => listener.close() };
}

function serve(connection: ServerConnection, files: GameDatabaseFiles): void {
  let database = '';
  const answer = (write: () => void) => {
    write();
    connection.sequenceId = 0;
  };
  connection.serverHandshake({
    protocolVersion: 10,
    serverVersion: '8.0.0-sandbox',
    connectionId: 1,
    statusFlags: 2,
    characterSet: UTF8MB4,
    capabilityFlags: CAPABILITIES,
    authCallback: (login: { database: string }, allow: (error: null) => void) => {
      database = login.database;
      answer(() => allow(null));
    },
  });
  // mysql2 reports SET statements as prepared statements.
  connection.on('stmt_prepare', () => answer(() => connection.writeOk()));
  connection.on('query', (statement: string) =>
    answer(() => run(connection, files, database, statement)),
  );
  connection.on('error', () => undefined);
}

function run(
  connection: ServerConnection,
  files: GameDatabaseFiles,
  database: string,
  statement: string,
): void {
  if (!/^\s*select\b/i.test(statement)) return connection.writeOk();
  try {
    const text = toSqliteStatement(statement);
    for (const [, account] of text.matchAll(/`accountname` = '((?:[^']|'')+)'/g))
      files.createRoles(database, account!.replaceAll("''", "'"));
    const rows = files.database(database).prepare(text).all() as Array<Record<string, unknown>>;
    return writeRows(connection, rows);
  } catch (error) {
    return connection.writeError({ code: SYNTAX_ERROR, message: (error as Error).message });
  }
}

function writeRows(connection: ServerConnection, rows: Array<Record<string, unknown>>): void {
  const names = Object.keys(rows[0] ?? { nothing: '' });
  connection.writeColumns(
    names.map((name) => ({
      catalog: 'def',
      schema: '',
      table: '',
      orgTable: '',
      name,
      orgName: name,
      characterSet: UTF8MB4,
      columnLength: 1024,
      columnType: typeof rows[0]?.[name] === 'number' ? BIGINT : VARCHAR,
      flags: 0,
      decimals: 0,
    })),
  );
  for (const row of rows) connection.writeTextRow(names.map((name) => row[name]));
  connection.writeEof();
}

/** Converts quotes inside strings, because MySQL writes \' and SQLite writes ''. */
export function toSqliteStatement(statement: string): string {
  return statement.replaceAll(/'((?:[^'\\]|\\.|'')*)'/gs, (_, inside: string) => {
    const value = inside
      .replaceAll("''", "'")
      .replaceAll(/\\(.)/gs, (_escape, letter: string) => ESCAPES[letter] ?? letter);
    return `'${value.replaceAll("'", "''")}'`;
  });
}
