import { randomBytes } from 'node:crypto';
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';
import { md5 } from '../accounts.js';
import { seededRandom } from '../seeded-random.js';

export interface OldAccount {
  id?: number;
  name: string;
  password: string;
  /** The table stores this value instead of the correct hash. */
  hash?: string;
  email?: string;
  registered?: string;
  login?: number;
  banned?: boolean;
  /** The name's encoding is GBK by default. */
  charset?: 'utf8mb4';
  /** The account name in the game's table may differ. */
  inGame?: string;
}

const NAMES = ['dragon', 'Tiger', '李四', '王小明', 'crane', '神龙', 'Wolf', 'panda'];
const FORMS = ['1546398245', '1546398245000', '2019-01-02 03:04:05', '2019/1/2 3:04', ''];
/** Lists one account for each known problem. `login` is in seconds; the highest is the most recent. */
export const TROUBLES = {
  upperHash: { name: 'shouting', password: 'pw-shouting' },
  spaces: { name: 'padded  ', password: 'pw-padded', inGame: 'padded  ' },
  bob: { name: 'Bob', password: 'pw-Bob', login: 100, inGame: 'Bob' },
  bobLower: { name: 'bob', password: 'pw-bob', login: 300, inGame: 'bob' },
  bobUpper: { name: 'BOB', password: 'pw-BOB', login: 200 },
  jose: { name: 'jose', password: 'pw-jose', login: 500 },
  joseAccent: { name: 'josé', password: 'pw-josé', login: 400 },
  wide: { name: 'ｊｏｓｅ', password: 'pw-wide', login: 300 },
  chinese: { name: '张三丰', password: '密码123', inGame: '张三丰' },
  utf8: { name: '诸葛亮', password: 'pw-utf8', charset: 'utf8mb4' },
  lowerInGame: { name: 'MixedCase', password: 'pw-mixed', inGame: 'mixedcase' },
  shortHash: { name: 'sixteen', password: 'pw-short', hash: '0123456789abcdef' },
  noHash: { name: 'hashless', password: 'pw-none', hash: '' },
  banned: { name: 'cheater', password: 'pw-cheater', banned: true },
  first: { name: 'first_of_mail', password: 'pw-first', email: 'Shared@mail.example', login: 10 },
  last: { name: 'last_of_mail', password: 'pw-last', email: 'shared@mail.example', login: 20 },
} satisfies Record<string, OldAccount>;

export const OLD_MAP = `
charset: gbk
timezone: "+08:00"
players:
  table: player
  columns: { id: id, account: account, password: password, email: email, registered: reg_time, last_login: login_time, last_server: server_id, promoter: agent_id }
  banned: { column: status, values: [1] }
links: { table: player_connect_threeparty, player: account, connect_id: connect_id }
promoters: { table: agent, id: id, name: name }
servers: { table: server, columns: { id: id, name: name, address: address, port: port } }
`;

/**
 * Creates a database of the previous generation with GBK in latin1 columns, case-sensitive names, and every known
 * problem.
 */
export class OldGeneration {
  readonly accounts: OldAccount[] = [];
  private nextId = 1;

  private constructor(
    readonly connection: Connection,
    readonly url: string,
    readonly database: string,
    readonly gameUrl: string,
    readonly gamePattern: string,
  ) {}

  /** Creates a new database unless one is given. */
  static async create(rootUrl: string, count: number, database?: string): Promise<OldGeneration> {
    const connection = await createConnection({ uri: rootUrl, charset: 'utf8mb4' });
    const tag = randomBytes(5).toString('hex');
    const name = database ?? `old_${tag}`;
    if (!database) await connection.query(`CREATE DATABASE ${name}`);
    await connection.query(`CREATE DATABASE game_${tag}_s1`);
    await connection.query(`USE ${name}`);
    const pattern = `game_${tag}_s{server_id}`;
    const old = new OldGeneration(connection, `${rootUrl}/${name}`, name, rootUrl, pattern);
    await old.createTables(`game_${tag}_s1`);
    for (const account of Object.values(TROUBLES)) await old.register(account);
    await old.hash(TROUBLES.upperHash.name, md5(TROUBLES.upperHash.password).toUpperCase());
    await old.registerMany(count);
    return old;
  }

  async drop(): Promise<void> {
    await this.connection.query(`DROP DATABASE IF EXISTS ${this.database}`);
    await this.connection.query(`DROP DATABASE ${this.gamePattern.replace('{server_id}', '1')}`);
    await this.connection.end();
  }

  async register(account: OldAccount): Promise<number> {
    const id = account.id ?? this.nextId;
    this.nextId = id + 1;
    this.accounts.push({ ...account, id });
    await this.insert([{ ...account, id }]);
    if (account.inGame !== undefined)
      await this.connection.query(
        `INSERT INTO ${this.gamePattern.replace('{server_id}', '1')}.actors (actorid, actorname, accountname)
         VALUES (?, ?, ?)`,
        [id, `role${id}`, account.inGame],
      );
    return id;
  }

  /** Registers ordinary accounts that are generated from a seed. */
  async registerMany(count: number, seed = 20_261_115): Promise<void> {
    const random = seededRandom(seed);
    const fresh: OldAccount[] = [];
    for (let at = 0; at < count; at++) {
      const id = this.nextId++;
      const name = `${NAMES[Math.floor(random() * NAMES.length)]}${id}`;
      const registered = FORMS[Math.floor(random() * FORMS.length)];
      const banned = random() < 0.02;
      const email = random() < 0.7 ? `p${id}@mail.example` : '';
      fresh.push({ id, name, password: `pw-${id}`, registered, banned, email });
    }
    this.accounts.push(...fresh);
    for (let at = 0; at < fresh.length; at += 1000) await this.insert(fresh.slice(at, at + 1000));
  }

  async hash(name: string, hash: string): Promise<void> {
    await this.connection.query(
      `UPDATE player SET password = ? WHERE account = ${bytesOf({ name })}`,
      [hash],
    );
  }

  async link(name: string, connectId: string): Promise<void> {
    await this.connection.query(
      `INSERT INTO player_connect_threeparty (account, connect_id) VALUES (${bytesOf({ name })}, ?)`,
      [connectId],
    );
  }

  /** Returns whether the old login page would accept this password. */
  async logsIn(name: string, password: string, charset?: 'utf8mb4'): Promise<boolean> {
    const [rows] = await this.connection.query<RowDataPacket[]>(
      `SELECT password FROM player WHERE account = ${bytesOf({ name, charset })} AND status = 0`,
    );
    return rows.some((row) => String(row.password).toLowerCase() === md5(password));
  }

  private async insert(accounts: OldAccount[]): Promise<void> {
    const rows = accounts.map(
      ({ id, name, password, hash, email, registered, login, banned, charset }) => {
        const values = [hash ?? md5(password), email ?? '', registered ?? '1546398245'];
        const texts = values.map((value) => `'${value}'`).join(', ');
        return `(${id}, ${bytesOf({ name, charset })}, ${texts}, ${1_600_000_000 + (login ?? id ?? 0)}, 1, 7, ${banned ? 1 : 0})`;
      },
    );
    await this.connection.query(
      `INSERT INTO player (id, account, password, email, reg_time, login_time, server_id, agent_id, status)
       VALUES ${rows.join(', ')}`,
    );
  }

  private async createTables(game: string): Promise<void> {
    const statements = [
      `CREATE TABLE player (id INT AUTO_INCREMENT PRIMARY KEY, account VARCHAR(64) NOT NULL UNIQUE,
        password VARCHAR(32), email VARCHAR(100), reg_time VARCHAR(32), login_time INT, server_id INT,
        agent_id INT, status TINYINT NOT NULL DEFAULT 0) ENGINE = InnoDB DEFAULT CHARSET = latin1 COLLATE = latin1_bin`,
      `CREATE TABLE player_connect_threeparty (id INT AUTO_INCREMENT PRIMARY KEY, account VARCHAR(64),
        connect_id VARCHAR(64)) DEFAULT CHARSET = latin1 COLLATE = latin1_bin`,
      'CREATE TABLE agent (id INT PRIMARY KEY, name VARCHAR(32)) DEFAULT CHARSET = latin1',
      `INSERT INTO agent VALUES (7, ${bytesOf({ name: '推广员' })})`,
      `CREATE TABLE server (id INT PRIMARY KEY, name VARCHAR(32), address VARCHAR(64), port INT) DEFAULT CHARSET = latin1`,
      `INSERT INTO server VALUES (1, ${bytesOf({ name: '一区' })}, 'server.example', 7000)`,
      `CREATE TABLE ${game}.actors (actorid BIGINT PRIMARY KEY, actorname VARCHAR(32), accountname VARCHAR(80) COLLATE utf8mb4_bin,
        level INT DEFAULT 1, nonbindyuanbao INT DEFAULT 0) DEFAULT CHARSET = utf8mb4`,
    ];
    for (const sql of statements) await this.connection.query(sql);
  }
}

/** Returns the name in its encoding. The server converts it because Node.js cannot encode GBK. */
function bytesOf({ name, charset }: Pick<OldAccount, 'name' | 'charset'>): string {
  const text = `_utf8mb4 x'${Buffer.from(name).toString('hex')}'`;
  return `CAST(CONVERT(${text} USING ${charset ?? 'gbk'}) AS BINARY)`;
}
