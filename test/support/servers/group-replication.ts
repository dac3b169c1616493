import { randomUUID } from 'node:crypto';
import { createConnection, type Connection } from 'mysql2/promise';
import { freePort } from './free-port.js';
import { type MySql, startMySql } from './mysql.js';
import { until } from '../until.js';

const REPLICATION = "CREATE USER 'repl'@'127.0.0.1' IDENTIFIED BY 'repl'";

export interface Group {
  readonly members: MySql[];
  primary(): Promise<number>;
  /** Makes a member the primary in a planned switch, during which connections stay open. */
  switchTo(place: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts MySQL group replication with a single primary and three servers on loopback. */
export async function startGroup(password: string): Promise<Group> {
  const name = randomUUID();
  const seats = [await freePort(), await freePort(), await freePort()];
  const seeds = seats.map((port) => `127.0.0.1:${port}`);
  const members = await Promise.all(
    seeds.map((seat, place) => startMySql(argsOf({ name, seat, seeds, place }), password)),
  );
  for (const [place, member] of members.entries()) await join(member, place === 0);
  const on = async <T>(place: number, work: (connection: Connection) => Promise<T>) => {
    const connection = await createConnection(members[place]!.rootUrl);
    return work(connection).finally(() => connection.destroy());
  };
  const ask = (place: number, sql: string) =>
    on(place, async (connection) => (await connection.query(sql))[0] as Array<{ value: unknown }>);
  const whoseTurn = async () => {
    const sql = `SELECT MEMBER_PORT AS value FROM performance_schema.replication_group_members
      WHERE MEMBER_ROLE = 'PRIMARY' AND MEMBER_STATE = 'ONLINE'`;
    // A dead member does not respond, and the other members agree.
    for (const place of members.keys()) {
      const rows = await ask(place, sql).catch(() => []);
      const port = Number(rows[0]?.value);
      if (rows.length > 0) return members.findIndex((member) => member.port === port);
    }
    return -1;
  };
  return {
    members,
    primary: whoseTurn,
    async switchTo(place) {
      const [row] = await ask(place, 'SELECT @@server_uuid AS value');
      await ask(place, `SELECT group_replication_set_as_primary('${String(row!.value)}') AS value`);
      await until(async () => (await whoseTurn()) === place);
    },
    stop: async () => void (await Promise.all(members.map((member) => member.stop()))),
  };
}

interface Seat {
  name: string;
  seat: string;
  seeds: string[];
  place: number;
}

function argsOf({ name, seat, seeds, place }: Seat): string[] {
  return [
    `--server-id=${place + 1}`,
    '--log-bin=binlog',
    '--gtid-mode=ON',
    '--enforce-gtid-consistency=ON',
    '--report-host=127.0.0.1',
    '--sync-binlog=0',
    '--plugin-load-add=group_replication.so',
    `--loose-group-replication-group-name=${name}`,
    `--loose-group-replication-local-address=${seat}`,
    `--loose-group-replication-group-seeds=${seeds.join()}`,
    '--loose-group-replication-start-on-boot=OFF',
    '--loose-group-replication-recovery-get-public-key=ON',
    '--loose-group-replication-ip-allowlist=127.0.0.1/8',
    '--loose-group-replication-member-expel-timeout=0',
  ];
}

async function join({ rootUrl }: MySql, first: boolean): Promise<void> {
  const connection = await createConnection(rootUrl);
  const run = (sql: string) => connection.query(sql);
  try {
    await run('SET SESSION sql_log_bin = 0');
    await run(REPLICATION);
    await run(`GRANT REPLICATION SLAVE, GROUP_REPLICATION_STREAM, BACKUP_ADMIN, CONNECTION_ADMIN
      ON *.* TO 'repl'@'127.0.0.1'`);
    await run('SET SESSION sql_log_bin = 1');
    await run('RESET BINARY LOGS AND GTIDS');
    if (first) await run('SET GLOBAL group_replication_bootstrap_group = ON');
    await run("START GROUP_REPLICATION USER = 'repl', PASSWORD = 'repl'");
    if (first) await run('SET GLOBAL group_replication_bootstrap_group = OFF');
    await until(async () => {
      const [rows] = await run(
        'SELECT MEMBER_STATE AS state FROM performance_schema.replication_group_members WHERE MEMBER_ID = @@server_uuid',
      );
      return (rows as Array<{ state: string }>)[0]?.state === 'ONLINE';
    });
  } finally {
    connection.destroy();
  }
}
