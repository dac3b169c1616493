import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { md5 } from '../../support/accounts.js';
import { Client } from '../../support/api/client.js';
import { type Deployment, freshDeployment } from '../../support/api/deployment.js';
import { type Gatehouse, startGatehouse } from '../../support/servers/gatehouse-process.js';
import { ImportCommand } from '../../support/import/import-command.js';
import { type OldAccount, OldGeneration, TROUBLES } from '../../support/import/old-generation.js';
import { until } from '../../support/until.js';

const PLAYERS = 12_000;

const run = inject('database');
let command: ImportCommand;
let deployment: Deployment;
let old: OldGeneration;
let env: Record<string, string>;
let service: Gatehouse;
let client: Client;

beforeAll(async () => {
  if (run.kind === 'embedded') throw new Error('the previous generation was on MariaDB or MySQL');
  command = new ImportCommand();
  old = await OldGeneration.create(run.rootUrl, PLAYERS);
  await old.link(TROUBLES.chinese.name, 'forum-1');
  await old.link(TROUBLES.bob.name, 'forum-2');
  await old.link('nobody', 'forum-3');
  deployment = await freshDeployment();
  env = command.environmentOf(old, deployment.env);
  service = await startGatehouse(env);
  client = new Client(service.url);
});
afterAll(async () => {
  await service?.stop();
  await deployment?.drop();
  await old?.drop();
  command.cleanUp();
});

const begin = (args: string[]) => command.begin(args, env);
const runCommand = (args: string[]) => command.run(args, env);
const from = () => ['--from', old.url];

async function query<Row = RowDataPacket>(sql: string, url = deployment.url): Promise<Row[]> {
  const connection = await createConnection({ uri: url, charset: 'utf8mb4' });
  const [rows] = await connection.query<RowDataPacket[]>(sql);
  await connection.end();
  return rows as unknown as Row[];
}

const playerOf = async ({ name }: OldAccount) => {
  const account = old.accounts.find((each) => each.name === name)!;
  const [row] = await query(`SELECT * FROM player WHERE id = ${account.id}`);
  return row!;
};

const login = async ({ name, password }: Pick<OldAccount, 'name' | 'password'>) => {
  const { status, body } = await client.post('/api/login', { account: name, password });
  return status === 200 ? 'ok' : String(body.error);
};

describe('gatehouse import', () => {
  it('reports every problem and changes nothing with --check', async () => {
    const { status, output } = await runCommand([...from(), '--check']);
    expect(output).toContain(`${PLAYERS / 1000} 0${Object.keys(TROUBLES).length} players`);
    expect(status).toBe(0);
    const csv = command.report('check');
    for (const [kind, account] of [
      ['renamed', 'Bob'],
      ['renamed', 'BOB'],
      ['renamed', 'josé'],
      ['hash', 'sixteen'],
      ['hash', 'hashless'],
      ['bytes', '诸葛亮'],
      ['shared mailbox', 'first_of_mail'],
      ['other spelling in the game', 'MixedCase'],
      ['link lost', 'nobody'],
    ])
      expect(csv).toMatch(new RegExp(`^${kind},[^,]*,${account},`, 'm'));
    expect(csv).toContain('not gbk, but utf-8: 诸葛亮');
    expect(csv).toMatch(/^spaces at the end,2,"padded {2}",/m);
    expect(await query('SELECT 1 FROM player')).toEqual([]);
  });

  it('continues with --run after kill -9, loses and duplicates no player, and allows logins meanwhile', async () => {
    const inTheWay = await createConnection(deployment.url);
    await inTheWay.query('START TRANSACTION');
    await inTheWay.query("INSERT INTO player (id, account, password) VALUES (11000, 'held', '')");
    const killed = begin([...from(), '--run']);
    const taken = async () => (await query('SELECT 1 FROM import_chunk')).length;
    await until(async () => (await taken()) === 2, { within: 150_000 });
    await killed.stop('SIGKILL');
    await inTheWay.query('ROLLBACK');
    await inTheWay.end();
    expect(await taken()).toBe(2);
    const second = begin([...from(), '--run']);
    const outcomes = new Set<string>();
    while (!second.hasExited) outcomes.add(await login(TROUBLES.chinese));
    expect(await second.exit).toBe(0);
    expect([...outcomes]).toEqual(['ok']);
    const all = PLAYERS + Object.keys(TROUBLES).length;
    const moved = 'SELECT 1 FROM import_player m JOIN player p ON p.id = m.player_id';
    expect(await query(moved)).toHaveLength(all);
    expect(await query('SELECT 1 FROM player')).toHaveLength(all);
    // The killed run renamed this player.
    expect(command.report('run')).toMatch(/^renamed,3,Bob,/m);
  });

  it('keeps ids, bans, promoters, servers, links, times and e-mail addresses', async () => {
    expect(await playerOf(TROUBLES.chinese)).toMatchObject({
      account: '张三丰',
      server_id: 1,
      agent_id: 7,
      disabled_at: null,
      created_at: new Date('2019-01-02T03:04:05Z'),
    });
    const [ban] = await query(
      'SELECT p.account, b.until FROM player_ban b JOIN player p ON p.id = b.player_id ORDER BY p.id LIMIT 1',
    );
    expect(ban).toEqual({ account: 'cheater', until: null });
    expect(await query('SELECT name FROM server')).toEqual([{ name: '一区' }]);
    expect(await query('SELECT name FROM agent')).toEqual([{ name: '推广员' }]);
    const { body } = await client.get('/api/link?connect_id=forum-1');
    expect(body.data).toEqual({ account: '张三丰' });
    expect((await playerOf(TROUBLES.last)).email).toBe('shared@mail.example');
    expect((await playerOf(TROUBLES.first)).email).toBeNull();
  });

  it('gives players whose names differ by case their own accounts and roles', async () => {
    for (const twin of [TROUBLES.bob, TROUBLES.bobLower, TROUBLES.bobUpper]) {
      const { id, game_account } = await playerOf(twin);
      expect(game_account).toBe(twin.name);
      const pair = { account: twin.name, token: md5(twin.password) };
      const { body } = await client.post('/api/check', pair);
      expect(body.data).toEqual({ account: twin.name, format: 'md5' });
      expect(await login(twin)).toBe('ok');
      expect(old.accounts.find(({ name }) => name === twin.name)?.id).toBe(id);
    }
    expect((await playerOf(TROUBLES.bobLower)).account).toBe('bob');
    expect(await login({ name: 'josé', password: TROUBLES.joseAccent.password })).toBe('ok');
    expect((await playerOf(TROUBLES.chinese)).game_account).toBe('张三丰');
    expect((await playerOf(TROUBLES.lowerInGame)).game_account).toBe('mixedcase');
    expect((await playerOf(TROUBLES.spaces)).game_account).toBe('padded  ');
  });

  it('lets exactly those players log in who could log in before', async () => {
    const plain = old.accounts.filter((_, at) => at % 150 === 0);
    for (const account of [...Object.values(TROUBLES), ...plain] as OldAccount[]) {
      const { name, password, charset, banned } = account;
      const before = await old.logsIn(name, password, charset);
      expect([name, await login(account)]).toEqual([
        name,
        before ? 'ok' : banned ? 'account_disabled' : 'bad_credentials',
      ]);
    }
    for (const name of ['padded', 'padded  ', 'PADDED '])
      expect(await login({ name, password: TROUBLES.spaces.password })).toBe('ok');
  });

  it('imports only new and changed data the second time, and keeps what a player changed since', async () => {
    await old.register({ name: 'latecomer', password: 'pw-late' });
    await old.hash(TROUBLES.jose.name, md5('changed there'));
    await old.hash(TROUBLES.wide.name, md5('changed there too'));
    await query(
      `UPDATE player SET password = '${md5('changed here')}', ver = 1 WHERE account = 'ｊｏｓｅ~8'`,
    );
    await old.connection.query("UPDATE player SET status = 0 WHERE account = 'cheater'");
    const { output } = await runCommand([...from(), '--run']);
    expect(output).toContain('1 players moved, 3 brought up to date');
    expect(await login({ name: 'latecomer', password: 'pw-late' })).toBe('ok');
    expect(await login({ name: 'jose', password: 'changed there' })).toBe('ok');
    expect(await login({ name: TROUBLES.wide.name, password: 'changed here' })).toBe('ok');
    expect(command.report('run')).toContain('password changed here since');
    expect(await login(TROUBLES.banned)).toBe('ok');
  });

  it('ignores changes to a closed account in the old database', async () => {
    const { id, name } = old.accounts[5]!;
    await query(`UPDATE player SET closing_at = '2026-01-01' WHERE id = ${id}`);
    const find = async () => (await query(`SELECT * FROM player WHERE id = ${id}`))[0]!;
    // An instance closes due accounts at startup.
    const instance = await startGatehouse(env);
    await until(async () => (await find()).closed_at !== null, { within: 120_000 });
    await instance.stop();
    await old.hash(name, md5('changed there'));
    await old.connection.query(
      `UPDATE player SET email = 'there@mail.example' WHERE account = '${name}'`,
    );
    await old.link(name, 'forum-4');
    const { status, output } = await runCommand([...from(), '--run']);
    expect(output).toContain('1 brought up to date');
    expect(status).toBe(0);
    expect(await find()).toMatchObject({ password: '!'.repeat(32), email: null });
    expect(await query(`SELECT * FROM player_connect_threeparty WHERE player_id = ${id}`)).toEqual(
      [],
    );
    expect(await login({ name, password: 'changed there' })).toBe('bad_credentials');
  });

  it('verifies every player with --verify', async () => {
    const { status, output } = await runCommand([...from(), '--verify']);
    const all = `12 0${Object.keys(TROUBLES).length + 1}`;
    expect(output.trim().split('\n').at(-1)).toBe(
      `${all} players, ${all} proven, 0 accepted, 0 lost`,
    );
    expect(status).toBe(0);
  });

  it('rejects a table without a key and prints the statement that adds one', async () => {
    await old.connection.query('CREATE TABLE user (name VARCHAR(64), pass CHAR(32))');
    const map = 'players: { table: user, columns: { account: name, password: pass } }';
    writeFileSync(join(command.folder, 'user.yaml'), map);
    const { status, output } = await runCommand([
      ...from(),
      '--map',
      join(command.folder, 'user.yaml'),
    ]);
    expect(output).toContain('ALTER TABLE `user` ADD import_id');
    expect(status).toBe(1);
  });
});
