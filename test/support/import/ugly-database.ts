import { hash } from 'node:crypto';
import { TextDecoder } from 'node:util';
import { encode } from 'iconv-lite';
import type { Connection } from 'mysql2/promise';
import { seededRandom } from '../seeded-random.js';

/** Describes what a generated row of the old table means, and therefore what must arrive. */
export interface UglyPlayer {
  uid: bigint;
  name: string;
  /** This is empty if the old service removed it. */
  hash: string;
  /** This is null if a reset code could not reach the address. */
  mailbox: string | null;
  /** Undefined means no ban, and null means a permanent ban. */
  bannedUntil?: number | null;
  /** The forum identity may be shared with other players. */
  identity?: string;
  server: number;
  promoter: number | null;
  registered: number;
  login: number;
}

const WORDS = ['dragon', 'lord', 'jose', '李四', '神龙', 'abc', 'Wolf', 'padded'];
const WIDE = 0xfe_e0;
const KNOWN_ID = 66_666_666n;
const NEW_ID = 60_000_000n;
const MAX_NAME = 64;
const HOUR = 3600;
const DAY = 24 * HOUR;
const ZERO_WIDTH = '\u200b';
/** The old service stored one of these values as the end of a permanent ban. */
const NEVER = ['0', '', '9999-12-31 23:59:59'];
/** The import cannot read this time unless the map declares the date order. */
const UNREADABLE = '31.12.2090';
const ROWS_PER_INSERT = 1000;
const RENUMBERED = 900;
const NAMES = { players: 'usr_main', promoters: 'prom', servers: 'zone_cfg' };
/** Each game database stores account names in a different character set. `latin1` columns hold GBK bytes. */
const GAME_CHARSETS = ['utf8mb4', 'gbk', 'latin1'];

interface World {
  tables?: typeof NAMES;
  /** The key of the players' table is the name. */
  isByName?: boolean;
  /** The players' table is a view. */
  isView?: boolean;
}

export function uglyMap({ tables = NAMES, isByName = false }: World = {}): string {
  const { players, promoters, servers } = tables;
  const refers = isByName ? 'player: whoname, refers_to: account' : 'player: who, refers_to: id';
  return `
charset: gbk
charsets: { ${players}.mail: utf8, ${servers}.title: big5 }
timezone: "+08:00"
players:
  table: ${players}
  where: st <> 9 AND uid IS NOT NULL
  columns: { id: ${isByName ? 'null' : 'uid'}, account: uname, password: pwd, email: mail, registered: reg, last_login: lt, last_server: zone, promoter: prom, device: dev }
bans: { table: usr_ban, ${refers}, until: till, reason: why }
links: { table: usr_forum, ${refers}, connect_id: fid }
promoters: { table: ${promoters}, id: id, name: name }
servers: { table: ${servers}, columns: { id: id, name: title, address: host, port: port }, renumber: { 0: ${RENUMBERED} } }
`;
}

/**
 * Generates an irregular database of a previous generation from a seed, with MyISAM, GBK and UTF-8 bytes in latin1 and
 * every known problem.
 */
export class UglyDatabase {
  /** Holds the players who must arrive. */
  readonly players: UglyPlayer[] = [];
  /** Maps each spelling in the game, as the service reads it, to the name that it means. */
  readonly roles = new Map<string, string>();
  private readonly known = 'tester';
  private readonly random: () => number;
  private readonly tables: typeof NAMES;
  private readonly taken = new Set<string>();
  private count = 0;
  private late = 0n;
  private readonly frozen = new Set<UglyPlayer>();
  private readonly waiting = new Map<string, string[]>();

  constructor(
    private readonly connection: Connection,
    private readonly games: string[],
    private readonly key: string,
    readonly seed: number,
    readonly world: World = {},
  ) {
    this.random = seededRandom(seed);
    this.tables = world.tables ?? NAMES;
  }

  async fill(count: number): Promise<void> {
    this.count = count;
    const { promoters, servers } = this.tables;
    const latin1 = 'ENGINE = MyISAM DEFAULT CHARSET = latin1 COLLATE = latin1_bin';
    await this.connection.query(`
      CREATE TABLE ${this.base} (uid BIGINT UNIQUE, uname VARCHAR(400), pwd VARCHAR(40), mail VARCHAR(64) CHARACTER SET utf8mb4,
        reg VARCHAR(32), lt INT, st INT, zone INT(11) ZEROFILL, prom INT(11) ZEROFILL, dev VARCHAR(32)
        ${this.world.isByName ? ', UNIQUE (uname)' : ''}) ${latin1};
      CREATE TABLE usr_ban (who BIGINT, whoname VARCHAR(400), till VARCHAR(32), why VARCHAR(64) CHARACTER SET gbk, KEY (who)) ${latin1};
      CREATE TABLE usr_forum (who BIGINT, whoname VARCHAR(400), fid VARCHAR(64), KEY (who)) ${latin1};
      INSERT INTO usr_forum VALUES (99999999, 'x', 'of-nobody');
      CREATE TABLE ${promoters} (id INT, name VARCHAR(32)) ${latin1};
      CREATE TABLE ${servers} (id INT, title VARBINARY(32), host VARCHAR(64), port INT) ${latin1};
      INSERT INTO ${promoters} VALUES (0, 'nobody'), (-3, 'negative'), (7, 'seven');
      INSERT INTO ${servers} VALUES (0, 'zero', 'z.example', 7000), (1, x'${encode('龍門', 'big5').toString('hex')}', 'one.example', 7001),
        (2, 'no address', '', 7002), (3, 'bad port', 'three.example', 70000), (-1, 'negative', 'm.example', 7003),
        (4, 'no host', 's80 legend', 7004);
      INSERT INTO ${this.base} VALUES (NULL, 'without id', '', '', '', 0, 0, 0, 0, '')`);
    if (this.world.isView)
      await this.connection.query(
        `CREATE VIEW ${this.tables.players} AS SELECT * FROM ${this.base}`,
      );
    for (const [at, game] of this.games.entries())
      await this.connection.query(
        `CREATE TABLE ${game}.actors (actorid BIGINT AUTO_INCREMENT PRIMARY KEY, actorname VARCHAR(32),
          accountname VARCHAR(80) CHARACTER SET ${charsetAt(at)} COLLATE ${charsetAt(at)}_bin,
          level INT DEFAULT 1, nonbindyuanbao INT DEFAULT 0)`,
      );
    for (let at = 0; at < count; at++) await this.register(this.name(), this.uid(at));
    await this.register(`ghost${this.seed}`, 77_777_777n, 9);
    await this.play(`ghost${this.seed}`);
    await this.register('x'.repeat(300), 77_777_778n);
    await this.register(this.known, KNOWN_ID);
    await this.flush();
  }

  /** Returns an account and its password, for `--try`. */
  get knownPassword(): string {
    return `${this.known}:pw-${this.seed}-${KNOWN_ID}`;
  }

  /** Makes the changes that players and operators of the old service make between two runs. */
  async change(): Promise<void> {
    // If the name is the key, a renamed player would be a new player.
    if (!this.world.isByName) await this.changeNames();
    for (let at = 0; at < this.changes; at++)
      await this.register(this.name(), NEW_ID + ++this.late);
    await this.flush();
    await this.changeBans();
    await this.changeLinks();
    await this.changeMailboxes();
    for (const player of this.some(() => true))
      await this.update(player, { hash: md5(`${++this.late}`) });
    for (const player of this.some(() => true)) await this.update(player, { hash: '' });
    for (const player of this.some(() => true))
      await this.update(player, { login: player.login + DAY, server: (player.server % 9) + 1 });
    await this.flush();
  }

  private get changes(): number {
    return Math.max(10, Math.floor(this.count / 2000));
  }

  private get base(): string {
    return this.world.isView ? 'usr_base' : this.tables.players;
  }

  /** Picks different players whose rows are usable. */
  private some(isWanted: (player: UglyPlayer) => boolean): UglyPlayer[] {
    const picked = new Set<UglyPlayer>();
    for (let attempt = 0; picked.size < this.changes && attempt < 100 * this.changes; attempt++) {
      const player = this.pick(this.players);
      if (player.uid !== KNOWN_ID && !this.frozen.has(player) && isWanted(player))
        picked.add(player);
    }
    return [...picked];
  }

  private async changeBans(): Promise<void> {
    for (const player of this.some(({ bannedUntil }) => bannedUntil !== undefined)) {
      await this.connection.query(`DELETE FROM usr_ban WHERE who = ${player.uid}`);
      player.bannedUntil = undefined;
    }
    const past = Math.floor(Date.now() / 1000) - DAY;
    for (const player of this.some(({ bannedUntil }) => bannedUntil !== undefined)) {
      await this.connection.query(`UPDATE usr_ban SET till = '${past}' WHERE who = ${player.uid}`);
      player.bannedUntil = undefined;
    }
    for (const player of this.some(({ bannedUntil }) => bannedUntil === undefined))
      await this.ban(player, null);
  }

  private async changeLinks(): Promise<void> {
    for (const player of this.some(({ identity }) => identity !== undefined))
      await this.link(player, undefined);
    for (const player of this.some(({ identity }) => identity !== undefined))
      await this.link(player, `changed-${++this.late}`);
    for (const player of this.some(({ identity }) => identity !== undefined)) {
      const [heir] = this.some(({ identity }) => identity === undefined);
      await this.link(heir!, player.identity);
      await this.link(player, undefined);
    }
  }

  /** Lets players swap mailboxes, hand one over, and take one that is in use. */
  private async changeMailboxes(): Promise<void> {
    for (const player of this.some(({ mailbox }) => mailbox !== null)) {
      const others = this.some(({ uid, mailbox }) => uid !== player.uid && mailbox !== null);
      const [other = player, heir = other] = others;
      const { mailbox } = player;
      await this.update(player, { mailbox: other.mailbox });
      await this.update(other, { mailbox });
      await this.update(heir, { mailbox: player.mailbox });
      await this.update(player, { mailbox: `new${++this.late}@mail.example` });
      for (const taker of this.some(({ uid }) => uid !== player.uid).slice(0, 1))
        await this.update(taker, { mailbox: player.mailbox });
    }
  }

  /** Swaps names, renames a player, whose roles keep the former name, and makes names unusable. */
  private async changeNames(): Promise<void> {
    const seen = new Map<string, number>();
    for (const { name } of this.players) seen.set(fold(name), (seen.get(fold(name)) ?? 0) + 1);
    const alone = [0, 1, 2].flatMap(() => this.some(({ name }) => seen.get(fold(name)) === 1));
    const [one, other, renamed, empty, long] = new Set(alone);
    if (!one || !other || !renamed || !empty || !long) return;
    const { name } = one;
    await this.update(one, { name: other.name });
    await this.update(other, { name });
    await this.update(renamed, { name: `~renamed${++this.late}` });
    for (const [player, unusable] of new Map([
      [empty, ''],
      [long, 'n'.repeat(70)],
    ])) {
      await this.connection.query(
        `UPDATE ${this.base} SET uname = '${unusable}' WHERE uid = ${player.uid}`,
      );
      // The import keeps such a player unchanged.
      this.frozen.add(player);
    }
  }

  private async register(given: string, uid: bigint, status = 0): Promise<void> {
    const isTaken = this.world.isByName && this.taken.has(fold(given));
    const name = isTaken ? `${fold(given)}_${uid}` : given;
    this.taken.add(fold(name));
    const mail = this.mail(uid);
    const zone = Math.floor(this.random() * 10);
    const player: UglyPlayer = {
      uid,
      name,
      hash: this.digest(uid),
      mailbox: /^[\w-]+@mail\.example$/.test(mail) ? mail.toLowerCase() : null,
      server: zone || RENUMBERED,
      promoter: Math.floor(this.random() * 8) || null,
      registered: 1_500_000_000 + Math.floor(this.random() * 10_000_000),
      login: 1_600_000_000 + Math.floor(this.random() * 1000),
    };
    const isUtf8 = /[一-龥]/.test(name) && this.random() < 0.2;
    const bytes = `x'${encode(name, isUtf8 ? 'utf8' : 'gbk').toString('hex')}'`;
    const registered = this.pick(writeTime(player.registered));
    await this.insert(
      this.base,
      `(${uid}, ${bytes}, '${player.hash}', '${mail}', '${registered}', ${player.login}, ${status}, ${zone}, ${player.promoter ?? 0}, 'dev${uid}')`,
    );
    if (status === 9 || name.length > MAX_NAME) return;
    this.players.push(player);
    if (this.random() < 0.5) await this.play(name);
    if (this.random() < 0.1)
      await this.link(player, `forum-${Math.floor(this.random() * this.count)}`, bytes);
    if (this.random() < 0.2)
      await this.ban(player, this.pick([null, Math.floor(Date.now() / 1000) + DAY]), bytes);
  }

  private async update(
    player: UglyPlayer,
    change: Partial<Pick<UglyPlayer, 'name' | 'hash' | 'mailbox' | 'login' | 'server'>>,
  ): Promise<void> {
    const { name, hash: pwd, mailbox, login, server } = change;
    const set = [
      name === undefined ? [] : `uname = x'${encode(name, 'gbk').toString('hex')}'`,
      pwd === undefined ? [] : `pwd = '${pwd}'`,
      mailbox === undefined ? [] : `mail = '${mailbox}'`,
      login === undefined ? [] : `lt = ${login}, zone = ${server}`,
    ].flat();
    await this.connection.query(
      `UPDATE ${this.base} SET ${set.join(', ')} WHERE uid = ${player.uid}`,
    );
    Object.assign(player, change);
  }

  /** Creates a role. Equal names have their roles in the same game database. */
  private async play(name: string): Promise<void> {
    const at = fold(name).charCodeAt(0) % this.games.length;
    const charset = charsetAt(at);
    const bytes = encode(name, charset === 'utf8mb4' ? 'utf8' : 'gbk');
    const spelling = charset === 'latin1' ? new TextDecoder('latin1').decode(bytes) : name;
    this.roles.set(spelling, name);
    await this.insert(
      `${this.games[at]}.actors (actorname, accountname)`,
      `('role${this.roles.size}', x'${bytes.toString('hex')}')`,
    );
  }

  private async link(player: UglyPlayer, identity?: string, bytes?: string): Promise<void> {
    player.identity = identity;
    if (bytes === undefined) {
      await this.flush();
      await this.connection.query(`DELETE FROM usr_forum WHERE who = ${player.uid}`);
    }
    if (identity !== undefined)
      await this.insert(
        'usr_forum',
        `(${player.uid}, ${bytes ?? this.nameOf(player)}, '${identity}')`,
      );
  }

  private async ban(player: UglyPlayer, until: number | null, bytes?: string): Promise<void> {
    player.bannedUntil = until;
    const till = this.pick(until === null ? [...NEVER, UNREADABLE] : writeTime(until));
    await this.insert(
      'usr_ban',
      `(${player.uid}, ${bytes ?? this.nameOf(player)}, '${till}', '外挂')`,
    );
  }

  private nameOf({ uid }: UglyPlayer): string {
    return `(SELECT uname FROM ${this.base} WHERE uid = ${uid})`;
  }

  private digest(uid: bigint): string {
    const password = `pw-${this.seed}-${uid}`;
    if (uid === KNOWN_ID) return md5(password + this.key);
    return this.pick([
      md5(password + this.key),
      md5(password),
      md5(encode(`密码${password}${this.key}`, 'gbk')),
    ]);
  }

  /** Some addresses are shared, some look like another one, and some cannot receive a code. */
  private mail(uid: bigint): string {
    const chance = this.random();
    if (chance < 0.2)
      return `Shared${Math.floor(chance * 5 * (1 + this.count / 1000))}@mail.example`;
    if (chance < 0.25) return `m${ZERO_WIDTH}${uid - 1n}@mail.example`;
    return `m${uid}@${chance < 0.5 ? 'localhost' : 'mail.example'}`;
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

  /** Reuses few words, so that many names differ only in case, width, accents or spaces. */
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

function charsetAt(at: number): string {
  return GAME_CHARSETS[at % GAME_CHARSETS.length]!;
}

function md5(text: string | Buffer): string {
  return hash('md5', text);
}

/** Returns one text for names that most databases consider equal. */
function fold(name: string): string {
  return name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().trimEnd();
}

/** Returns a time in every format that the old service used, some of which are in UTC+8. */
function writeTime(seconds: number): string[] {
  const text = (at: number) => new Date(at * 1000).toISOString().slice(0, 19);
  const local = text(seconds + 8 * HOUR).replace('T', ' ');
  return [
    String(seconds),
    `${seconds}000`,
    local,
    local.replaceAll('-', '/'),
    local.replaceAll(/\D/g, ''),
    `${text(seconds)}+00:00`,
  ];
}
