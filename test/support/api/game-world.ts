import { createPool, type Pool, type RowDataPacket } from 'mysql2/promise';
import type { RoleBalances } from './game-server.js';
import { type MariaDb, startMariaDb } from '../servers/mariadb.js';

export interface RoleOptions {
  account: string;
  balance?: number;
  name?: string;
  level?: number;
}

/** Holds one game database per server. */
export interface GameRoles extends RoleBalances {
  readonly port: number;
  urlAt(port?: number): string;
  addServer(id: number): Promise<void>;
  createRole(server: number, role: RoleOptions): Promise<number>;
  removeRole(server: number, role: number): Promise<void>;
  /** Copies every role, as the game does for a server merge. */
  moveRoles(from: number, into: number): Promise<void>;
  balanceOf(server: number, role: number): Promise<number>;
  stop(): Promise<void>;
}

/** Runs the game's databases, one per server, on a private MariaDB. */
export class GameWorld implements GameRoles {
  private nextRole = 1000;
  private readonly servers: number[] = [];

  private constructor(
    readonly mariadb: MariaDb,
    private readonly pool: Pool,
  ) {}

  static async start(): Promise<GameWorld> {
    const mariadb = await startMariaDb();
    const pool = createPool({ uri: mariadb.rootUrl, charset: 'utf8mb4', connectionLimit: 8 });
    await pool.query("CREATE USER 'reader'@'127.0.0.1' IDENTIFIED BY 'reader'");
    await pool.query("GRANT SELECT ON `mir\\_actor\\_%`.* TO 'reader'@'127.0.0.1'");
    return new GameWorld(mariadb, pool);
  }

  get port(): number {
    return this.mariadb.port;
  }

  /** Returns the URL of a read-only user. */
  urlAt(port = this.mariadb.port): string {
    return `mysql://reader:reader@127.0.0.1:${port}`;
  }

  async addServer(id: number): Promise<void> {
    this.servers.push(id);
    await this.pool.query(`CREATE DATABASE mir_actor_s${id}`);
    await this.pool.query(
      `CREATE TABLE mir_actor_s${id}.actors (
        actorid BIGINT NOT NULL PRIMARY KEY,
        actorname VARCHAR(32) NOT NULL,
        accountname VARCHAR(80) NOT NULL,
        level INT NOT NULL DEFAULT 1,
        nonbindyuanbao INT UNSIGNED NOT NULL DEFAULT 0,
        serverindex INT NOT NULL DEFAULT 0,
        status INT NOT NULL DEFAULT 0,
        KEY accountname (accountname)
      ) ENGINE = MyISAM`,
    );
  }

  /** Makes account names case-sensitive, as some games do. */
  async makeAccountsCaseSensitive(server: number): Promise<void> {
    await this.pool.query(
      `ALTER TABLE mir_actor_s${server}.actors MODIFY accountname VARCHAR(80) COLLATE utf8mb4_bin NOT NULL`,
    );
  }

  /** Stores account names in latin1, as old games do. Such a column cannot be compared with every name. */
  async storeAccountsAsLatin1(server: number): Promise<void> {
    await this.pool.query(
      `ALTER TABLE mir_actor_s${server}.actors MODIFY accountname VARCHAR(80) CHARACTER SET latin1 NOT NULL`,
    );
  }

  async createRole(server: number, { account, balance = 1000, name, level = 50 }: RoleOptions) {
    const id = this.nextRole++;
    await this.pool.query(
      `INSERT INTO mir_actor_s${server}.actors (actorid, actorname, accountname, level, nonbindyuanbao)
       VALUES (?, ?, ?, ?, ?)`,
      [id, name ?? `role${id}`, account, level, balance],
    );
    return id;
  }

  async removeRole(server: number, role: number): Promise<void> {
    await this.pool.query(`DELETE FROM mir_actor_s${server}.actors WHERE actorid = ?`, [role]);
  }

  async moveRoles(from: number, into: number): Promise<void> {
    await this.pool.query(
      `INSERT INTO mir_actor_s${into}.actors SELECT * FROM mir_actor_s${from}.actors`,
    );
  }

  async balanceOf(server: number, role: number): Promise<number> {
    const [[row]] = await this.pool.query<RowDataPacket[]>(
      `SELECT nonbindyuanbao AS balance FROM mir_actor_s${server}.actors WHERE actorid = ?`,
      [role],
    );
    return Number(row?.balance);
  }

  /** Returns how many connections the service holds to a server's database. */
  async connections(server: number): Promise<number> {
    const [rows] = await this.pool.query<RowDataPacket[]>('SHOW PROCESSLIST');
    return rows.filter(({ User, db }) => User === 'reader' && db === `mir_actor_s${server}`).length;
  }

  async deduct(server: number, role: number, account: string, amount: number): Promise<boolean> {
    const [result] = await this.pool.query(
      `UPDATE mir_actor_s${server}.actors SET nonbindyuanbao = nonbindyuanbao - ?
       WHERE actorid = ? AND accountname = ? AND nonbindyuanbao >= ?`,
      [amount, role, account, amount],
    );
    return (result as { affectedRows: number }).affectedRows === 1;
  }

  /** Restarts after a kill and repairs the tables, which MyISAM does not do automatically. */
  async restart(): Promise<void> {
    await this.mariadb.restart();
    for (const server of this.servers)
      await this.pool.query(`REPAIR TABLE mir_actor_s${server}.actors`);
  }

  async stop(): Promise<void> {
    await this.pool.end().catch(() => undefined);
    await this.mariadb.stop();
  }
}
