import { type MariaDb, query, startMariaDb } from './mariadb.js';

const USER = 'app';
const PASSWORD = 'app';

/** Runs a plain primary and its replica, without a quorum that decides between them. */
export class ReplicatedPair {
  private constructor(
    readonly primary: MariaDb,
    readonly replica: MariaDb,
  ) {}

  static async start(): Promise<ReplicatedPair> {
    const [primary, replica] = await Promise.all([1, 2].map(startReplicated));
    await query(primary!.rootUrl, 'CREATE DATABASE gatehouse');
    await query(replica!.rootUrl, 'CREATE DATABASE gatehouse');
    const position = "SELECT REPLACE(@@gtid_current_pos, '\\n', '') AS position";
    const [row] = await query(primary!.rootUrl, position);
    await query(replica!.rootUrl, 'SET GLOBAL gtid_slave_pos = ?', [row!.position]);
    await query(
      replica!.rootUrl,
      `CHANGE MASTER TO MASTER_HOST = '127.0.0.1', MASTER_PORT = ${primary!.port},
        MASTER_USER = '${USER}', MASTER_PASSWORD = '${PASSWORD}', MASTER_USE_GTID = slave_pos`,
    );
    await query(replica!.rootUrl, 'START SLAVE');
    await setReadOnly(replica!, true);
    return new ReplicatedPair(primary!, replica!);
  }

  /** Returns a URL with both hosts, the primary first, and a user whom `read_only` restricts. */
  get url(): string {
    const hosts = [this.primary, this.replica].map(({ port }) => `127.0.0.1:${port}`);
    return `mysql://${USER}:${PASSWORD}@${hosts.join()}/gatehouse`;
  }

  /** Waits until the replica has all data that the primary has now. The service may go on writing meanwhile. */
  async untilReplicated(): Promise<void> {
    const [row] = await query(this.primary.rootUrl, 'SELECT @@gtid_binlog_pos AS position');
    const sql = 'SELECT MASTER_GTID_WAIT(?, 50) AS result';
    const [waited] = await query(this.replica.rootUrl, sql, [row!.position]);
    if (Number(waited!.result) !== 0)
      throw new Error(`the replica did not reach ${String(row!.position)} within 50 s`);
  }

  /** Promotes the replica, like a tool that considers the primary lost. */
  async promoteReplica(): Promise<void> {
    await query(this.replica.rootUrl, 'STOP SLAVE');
    await setReadOnly(this.replica, false);
  }

  async stop(): Promise<void> {
    await Promise.all([this.primary.stop(), this.replica.stop()]);
  }
}

export async function setReadOnly({ rootUrl }: MariaDb, on: boolean): Promise<void> {
  await query(rootUrl, `SET GLOBAL read_only = ${on ? 1 : 0}`);
}

async function startReplicated(serverId: number): Promise<MariaDb> {
  const args = [`--server-id=${serverId}`, '--log-bin=binlog', '--log-basename=db'];
  const server = await startMariaDb({ args });
  await query(server.rootUrl, `CREATE USER '${USER}'@'127.0.0.1' IDENTIFIED BY '${PASSWORD}'`);
  await query(server.rootUrl, `GRANT ALL ON gatehouse.* TO '${USER}'@'127.0.0.1'`);
  await query(server.rootUrl, `GRANT REPLICATION SLAVE ON *.* TO '${USER}'@'127.0.0.1'`);
  return server;
}
