import { hash } from 'node:crypto';
import { encode } from 'iconv-lite';
import type { Connection } from 'mysql2/promise';
import { seededRandom } from '../seeded-random.js';

/** Describes a generated row of the old table. */
export interface UglyPlayer {
  uid: bigint;
  name: string;
  hash: string;
  mail: string;
  /** Undefined means no ban, and null means a permanent ban. */
  bannedUntil?: number | null;
  hasRoles: boolean;
}

const WORDS = ['dragon', 'lord', 'jose', '李四', '神龙', 'abc', 'Wolf', 'padded'];
const WIDE = 0xfe_e0;
const KNOWN_ID = 66_666_666n;
const HOUR = 3600;
const DAY = 24 * HOUR;
const MAX_NAME = 64;
const HOSTS = ['mail.example', 'mail.example', 'localhost'];
/** The old service wrote these ends for a permanent ban. */
const NEVER = ['0', '', '9999-12-31 23:59:59'];
const ROWS_PER_INSERT = 1000;
const TABLES = { players: 'usr_main', promoters: 'prom', servers: 'zone_cfg' };

export const uglyMap = ({ players, promoters, servers } = TABLES) => `
charset: gbk
timezone: "+08:00"
players:
  table: ${players}
  where: st <> 9
  columns: { id: uid, account: uname, password: pwd, email: mail, last_login: lt, last_server: zone, promoter: prom }
bans: { table: usr_ban, player: who, refers_to: id, until: till, reason: why }
links: { table: usr_forum, player: who, refers_to: id, connect_id: fid }
promoters: { table: ${promoters}, id: id, name: name }
servers: { table: ${servers}, columns: { id: id, name: title, address: host, port: port }, renumber: { 0: 900 } }
`;

/**
 * Generates an irregular database of a previous generation from a seed, with MyISAM, GBK bytes in latin1 and every
 * known problem.
 */
export class UglyDatabase {
  readonly players: UglyPlayer[] = [];
  private readonly known = 'tester';
  private readonly random: () => number;
  private count = 0;
  private readonly waiting = new Map<string, string[]>();

  constructor(
    private readonly connection: Connection,
    private readonly game: string,
    private readonly key: string,
    readonly seed: number,
    private readonly tables = TABLES,
  ) {
    this.random = seededRandom(seed);
  }

  async fill(count: number): Promise<void> {
    this.count = count;
    const { players, promoters, servers } = this.tables;
    const latin1 = 'ENGINE = MyISAM DEFAULT CHARSET = latin1 COLLATE = latin1_bin';
    await this.connection.query(`
      CREATE TABLE ${players} (uid BIGINT PRIMARY KEY, uname VARCHAR(400), pwd VARCHAR(40), mail VARCHAR(64),
        lt INT, st INT, zone INT(11) ZEROFILL, prom INT(11) ZEROFILL) ${latin1};
      CREATE TABLE usr_ban (who BIGINT, till VARCHAR(32), why VARCHAR(64), ends DATETIME) ${latin1};
      CREATE TABLE usr_forum (who BIGINT, fid VARCHAR(64)) ${latin1};
      INSERT INTO usr_forum VALUES (99999999, 'of-nobody');
      CREATE TABLE ${promoters} (id INT, name VARCHAR(32)) ${latin1};
      CREATE TABLE ${servers} (id INT, title VARCHAR(32), host VARCHAR(64), port INT) ${latin1};
      INSERT INTO ${promoters} VALUES (0, 'nobody'), (-3, 'negative'), (7, 'seven');
      INSERT INTO ${servers} VALUES (0, 'zero', 'z.example', 7000), (1, 'one', 'one.example', 7001),
        (2, 'no address', '', 7002), (3, 'bad port', 'three.example', 70000), (-1, 'negative', 'm.example', 7003);
      CREATE TABLE ${this.game}.actors (actorid BIGINT AUTO_INCREMENT PRIMARY KEY, actorname VARCHAR(32),
        accountname VARCHAR(80) COLLATE utf8mb4_bin, level INT DEFAULT 1, nonbindyuanbao INT DEFAULT 0)
        DEFAULT CHARSET = utf8mb4`);
    for (let at = 0; at < count; at++) await this.register(this.name(), this.uid(at));
    await this.register('deleted', 77_777_777n, 9);
    await this.register('x'.repeat(300), 77_777_778n);
    await this.register(this.known, KNOWN_ID);
    await this.flush();
  }

  /** Is an account and its password, for `--try`. */
  get knownPassword(): string {
    return `${this.known}:pw-${this.seed}-${KNOWN_ID}`;
  }

  /** Makes the changes that players and operators of the old service make between two runs. */
  async change(): Promise<void> {
    await this.register(this.name(), 60_000_001n);
    await this.register('latecomer', 60_000_002n);
    const banned = this.players.filter(({ bannedUntil }) => bannedUntil !== undefined);
    for (const player of banned.slice(0, 3)) {
      await this.connection.query(`DELETE FROM usr_ban WHERE who = ${player.uid}`);
      player.bannedUntil = undefined;
    }
    const past = Math.floor(Date.now() / 1000) - DAY;
    for (const player of banned.slice(3, 5)) {
      await this.connection.query(
        `UPDATE usr_ban SET till = '${past}', ends = '2020-01-01' WHERE who = ${player.uid}`,
      );
      player.bannedUntil = undefined;
    }
    for (const player of this.players
      .filter(({ bannedUntil }) => bannedUntil === undefined)
      .slice(-3))
      await this.ban(player, null);
    await this.flush();
  }

  private async register(name: string, uid: bigint, status = 0): Promise<void> {
    const password = `pw-${this.seed}-${uid}`;
    const forms = [password + this.key, password, `密码${password}`];
    const form = uid === KNOWN_ID ? forms[0]! : this.pick(forms);
    const digest = hash('md5', form === forms[2] ? encode(form + this.key, 'gbk') : form);
    const shared = Math.floor((this.random() * this.count) / 1000);
    const mail =
      this.random() < 0.2 ? `Shared${shared}@mail.example` : `${uid}@${this.pick(HOSTS)}`;
    const hasRoles = this.random() < 0.5;
    const player: UglyPlayer = { uid, name, hash: digest, mail, hasRoles };
    const login = 1_600_000_000 + Math.floor(this.random() * 1000);
    await this.insert(
      this.tables.players,
      `(${uid}, x'${encode(name, 'gbk').toString('hex')}', '${digest}', '${mail}', ${login}, ${status}, 0, 0)`,
    );
    if (status === 9 || name.length > MAX_NAME) return;
    this.players.push(player);
    if (hasRoles)
      await this.insert(
        `${this.game}.actors (actorname, accountname)`,
        `('role${uid}', x'${Buffer.from(name).toString('hex')}')`,
      );
    // Several players may share an identity.
    const identity = Math.floor(this.random() * this.count);
    if (this.random() < 0.1) await this.insert('usr_forum', `(${uid}, 'forum-${identity}')`);
    if (this.random() < 0.2)
      await this.ban(player, this.pick([null, Math.floor(Date.now() / 1000) + DAY]));
  }

  private async ban(player: UglyPlayer, until: number | null): Promise<void> {
    player.bannedUntil = until;
    const [till, ends] = until === null ? [this.pick(NEVER), 'NULL'] : this.banEnd(until);
    await this.insert('usr_ban', `(${player.uid}, '${till}', 'cheating', ${ends})`);
  }

  /** Returns one of the forms in which the old service stored the end, and the end in UTC for the verifier. */
  private banEnd(until: number): [string, string] {
    const text = (seconds: number) =>
      new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
    const local = text(until + 8 * HOUR);
    const till = this.pick([
      String(until),
      local,
      local.replaceAll(/\D/g, ''),
      `${text(until).replace(' ', 'T')}+00:00`,
    ]);
    return [till, `'${text(until)}'`];
  }

  private async insert(table: string, row: string): Promise<void> {
    const rows = this.waiting.get(table) ?? [];
    this.waiting.set(table, rows);
    if (rows.push(row) >= ROWS_PER_INSERT) await this.flush();
  }

  private async flush(): Promise<void> {
    for (const [table, rows] of this.waiting)
      await this.connection.query(`INSERT INTO ${table} VALUES ${rows.join(', ')}`);
    this.waiting.clear();
  }

  /** Returns ids of 0 and below, ids above 2³¹ and 2³², and ordinary ids. */
  private uid(at: number): bigint {
    if (at === 0) return 0n;
    if (at % 29 === 1) return BigInt(-at);
    if (at % 31 === 2) return 2_147_483_647n + BigInt(at);
    if (at % 37 === 3) return 5_000_000_000n + BigInt(at);
    return BigInt(at);
  }

  /** Chooses from few names, so that many names collide by case, width, accents or spaces. */
  private name(): string {
    const isBare = this.random() * this.count < 120;
    const number = Math.floor(this.random() * Math.max(1000, this.count));
    const word = this.pick(WORDS) + (isBare ? '' : number);
    const ways = [
      (text: string) => text,
      (text: string) => text.toUpperCase(),
      (text: string) => text.replace('e', 'é').replace('a', 'à'),
      (text: string) =>
        text.replaceAll(/[a-zA-Z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + WIDE)),
      (text: string) => `${text}  `,
    ];
    return this.pick(ways)(word);
  }

  private pick<T>(from: T[]): T {
    return from[Math.floor(this.random() * from.length)]!;
  }
}
