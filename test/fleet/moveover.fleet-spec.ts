import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { Client } from '../support/client.js';
import { type Deployment, freshDeployment, SECRETS } from '../support/deployment.js';
import { type Gatehouse, inProject, startGatehouse } from '../support/gatehouse-process.js';
import {
  md5,
  OLD_MAP,
  OldGeneration,
  type OldAccount,
  TROUBLES,
} from '../support/old-generation.js';
import { ManagedProcess } from '../support/processes.js';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const PLAYERS = 12_000;

const run = inject('database');
let folder: string;
let deployment: Deployment;
let old: OldGeneration;
let env: Record<string, string>;
let service: Gatehouse;
let client: Client;

beforeAll(async () => {
  if (run.kind === 'embedded') throw new Error('the previous generation was on MariaDB or MySQL');
  folder = temporaryFolder('moveover');
  writeFileSync(join(folder, 'map.yaml'), OLD_MAP);
  old = await OldGeneration.create(run.rootUrl, PLAYERS);
  await old.link(TROUBLES.chinese.name, 'forum-1');
  await old.link(TROUBLES.bob.name, 'forum-2');
  await old.link('nobody', 'forum-3');
  deployment = await freshDeployment();
  env = environmentOf(old, deployment.env);
  service = await startGatehouse(env);
  client = new Client(service.url);
});
afterAll(async () => {
  await service?.stop();
  await deployment?.drop();
  await old?.drop();
  removeFolder(folder);
});

function environmentOf({ gameUrl, gamePattern }: OldGeneration, more: Record<string, string>) {
  const settings = join(folder, `${gamePattern.replaceAll(/\W/g, '')}.yaml`);
  writeFileSync(
    settings,
    `game_database: { pattern: "${gamePattern}" }\nlogin_throttle: { address: { failures: 100000 } }`,
  );
  return { ...more, GAME_DATABASE_URL: gameUrl, SETTINGS_FILE: settings };
}

function begin(args: string[], environment: Record<string, string> = env): ManagedProcess {
  const more = ['--map', join(folder, 'map.yaml'), '--report', join(folder, 'report')];
  return new ManagedProcess(
    'node',
    [inProject('dist/gatehouse.js'), 'moveover', ...more, ...args],
    {
      cwd: folder,
      env: { AGREEMENT_FILE: inProject('config/agreement.html'), ...environment },
    },
  );
}

async function moveover(args: string[], environment?: Record<string, string>) {
  const command = begin(args, environment);
  const status = await command.exit;
  return { status, output: command.output };
}

const from = () => ['--from', old.url];
const report = (name: string) => readFileSync(join(folder, 'report', `${name}.csv`), 'utf8');

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

describe('gatehouse moveover', () => {
  it('--check tells every trouble and changes nothing', async () => {
    const { status, output } = await moveover([...from(), '--check']);
    expect(output).toContain(`${PLAYERS / 1000} 0${Object.keys(TROUBLES).length} players`);
    expect(status).toBe(0);
    const csv = report('check');
    for (const [kind, account] of [
      ['name: case', 'Bob'],
      ['name: case', 'BOB'],
      ['name: accents', 'josé'],
      ['hash', 'sixteen'],
      ['hash', 'hashless'],
      ['bytes', '诸葛亮'],
      ['shared mailbox', 'first_of_mail'],
      ['other spelling in the game', 'MixedCase'],
      ['link lost', 'nobody'],
    ])
      expect(csv).toMatch(new RegExp(`^${kind},[^,]*,${account},`, 'm'));
    expect(csv).toContain('not gbk, looks like utf-8');
    expect(csv).toMatch(/^spaces at the end,2,"padded {2}",/m);
    expect(await query('SELECT 1 FROM player')).toEqual([]);
  });

  it('--run goes on after kill -9, with nothing lost and nothing doubled, while clients log in', async () => {
    const inTheWay = await createConnection(deployment.url);
    await inTheWay.query('START TRANSACTION');
    await inTheWay.query("INSERT INTO player (id, account, password) VALUES (11000, 'held', '')");
    const killed = begin([...from(), '--run']);
    const taken = async () => (await query('SELECT 1 FROM moveover_chunk')).length;
    await until(async () => (await taken()) === 2, { within: 60_000 });
    await killed.stop('SIGKILL');
    await inTheWay.query('ROLLBACK');
    await inTheWay.end();
    expect(await taken()).toBe(2);
    const second = begin([...from(), '--run']);
    const outcomes = new Set<string>();
    const trouble = TROUBLES.chinese;
    while (!second.hasExited) outcomes.add(await login(trouble));
    expect(await second.exit).toBe(0);
    expect([...outcomes]).toEqual(['ok']);
    const [counts] = await query(
      'SELECT COUNT(*) AS players, COUNT(DISTINCT m.old_key) AS moved FROM moveover_player m JOIN player p ON p.id = m.player_id',
    );
    const all = PLAYERS + Object.keys(TROUBLES).length;
    expect(counts).toEqual({ players: all, moved: all });
    expect((await query('SELECT 1 FROM player')).length).toBe(all);
  });

  it('keeps ids, bans, promoters, zones, links, times and mailboxes', async () => {
    expect(await playerOf(TROUBLES.chinese)).toMatchObject({
      account: '张三丰',
      server_id: 1,
      agent_id: 7,
      disabled_at: null,
      created_at: new Date('2019-01-02T03:04:05Z'),
    });
    expect((await playerOf(TROUBLES.banned)).disabled_at).not.toBeNull();
    expect(await query('SELECT name FROM server')).toEqual([{ name: '一区' }]);
    expect(await query('SELECT name FROM agent')).toEqual([{ name: '推广员' }]);
    const { body } = await client.get('/api/link?connect_id=forum-1');
    expect(body.data).toEqual({ account: '张三丰' });
    expect((await playerOf(TROUBLES.last)).email).toBe('shared@mail.example');
    expect((await playerOf(TROUBLES.first)).email).toBeNull();
  });

  it('gives twins their own account and their own roles, each by the name they always typed', async () => {
    for (const twin of [TROUBLES.bob, TROUBLES.bobLower, TROUBLES.bobUpper]) {
      const { id, game_account } = await playerOf(twin);
      expect(game_account).toBe(twin.name);
      const { body } = await client.post('/api/check', {
        account: twin.name,
        token: md5(twin.password),
      });
      expect(body.data).toEqual({ account: twin.name, format: 'md5' });
      expect(await login(twin)).toBe('ok');
      expect(old.accounts.find(({ name }) => name === twin.name)?.id).toBe(id);
    }
    expect((await playerOf(TROUBLES.bobLower)).account).toBe('bob');
    expect(await login({ name: 'JOSÉ', password: TROUBLES.joseAccent.password })).toBe('ok');
    expect((await playerOf(TROUBLES.lowerInGame)).game_account).toBe('mixedcase');
    expect((await playerOf(TROUBLES.spaces)).game_account).toBe('padded  ');
  });

  it('lets everybody in who got in before', async () => {
    const plain = old.accounts.filter((_, at) => at % 150 === 0);
    for (const account of [...Object.values(TROUBLES), ...plain] as OldAccount[]) {
      const { name, password, charset, banned } = account;
      const before = await old.logsIn(name, password, charset);
      expect([name, await login(account)]).toEqual([
        name,
        before ? 'ok' : banned ? 'account_disabled' : 'bad_credentials',
      ]);
    }
    for (const name of ['padded', 'padded  ', 'PADDED ', '张三丰 '])
      expect(await login({ name, password: name.startsWith('张') ? '密码123' : 'pw-padded' })).toBe(
        'ok',
      );
  });

  it('takes only what is new or changed the second time, and keeps what a player changed here', async () => {
    await old.register({ name: 'latecomer', password: 'pw-late' });
    await old.hash(TROUBLES.jose.name, md5('changed there'));
    await old.hash(TROUBLES.wide.name, md5('changed there too'));
    await query(
      `UPDATE player SET password = '${md5('changed here')}', ver = 1 WHERE account = 'ｊｏｓｅ~8'`,
    );
    await old.connection.query("UPDATE player SET status = 0 WHERE account = 'cheater'");
    const { output } = await moveover([...from(), '--run']);
    expect(output).toContain('1 players moved, 3 brought up to date');
    expect(await login({ name: 'latecomer', password: 'pw-late' })).toBe('ok');
    expect(await login({ name: 'jose', password: 'changed there' })).toBe('ok');
    expect(await login({ name: TROUBLES.wide.name, password: 'changed here' })).toBe('ok');
    expect(report('run')).toContain('password changed here since');
    expect(await login(TROUBLES.banned)).toBe('ok');
  });

  it('--verify proves every player, by the code behind /api/check and over HTTP', async () => {
    const { status, output } = await moveover([
      ...from(),
      '--verify',
      '--sample',
      '50',
      '--url',
      service.url,
    ]);
    const all = `12 0${Object.keys(TROUBLES).length + 1}`;
    expect(output.trim().split('\n').at(-1)).toBe(`${all} players, ${all} proven, 0 lost`);
    expect(output).toContain('50 tokens shown');
    expect(status).toBe(0);
    await query(`UPDATE player SET password = '${md5('wrong')}' WHERE account = 'crane1'`);
    await query("DELETE FROM player_alias WHERE name = '=BOB'");
    const lost = await moveover([...from(), '--verify']);
    expect(lost.output).toContain('1 lost');
    expect(lost.status).toBe(1);
    expect(report('verify')).toMatch(/^lost,5,BOB,/m);
  });

  it('moves into the embedded database too', async () => {
    const embedded = environmentOf(old, { ...SECRETS, DATA_DIR: join(folder, 'data') });
    expect(await moveover([...from(), '--run'], embedded)).toMatchObject({ status: 0 });
    const { status, output } = await moveover([...from(), '--verify'], embedded);
    expect(output).toContain('0 lost');
    expect(status).toBe(0);
  });

  it('refuses a map with every problem at once, and a source that it cannot tell apart', async () => {
    writeFileSync(join(folder, 'bad.yaml'), 'charset: klingon\nplayers: { table: x }\nsurprise: 1');
    const command = begin([...from(), '--check', '--map', join(folder, 'bad.yaml')]);
    expect(await command.exit).toBe(1);
  });
});

describe('gatehouse moveover --adopt', () => {
  it('takes tables over that bear our names, and puts them back', async () => {
    const adopted = await freshDeployment();
    const name = new URL(adopted.url).pathname.slice(1);
    const { rootUrl } = run as { rootUrl: string };
    const theirs = await OldGeneration.create(rootUrl, 200, name);
    const environment = environmentOf(theirs, adopted.env);
    const sum = () => query('CHECKSUM TABLE player, agent, server', adopted.url);
    const before = await sum();
    try {
      const { status, output } = await moveover(['--adopt'], environment);
      expect(output).toContain('RENAME TABLE');
      expect(output).toContain('0 lost');
      expect(status).toBe(0);
      await query("INSERT INTO player (account, password) VALUES ('newcomer', '')", adopted.url);
      const refused = await moveover(['--undo'], environment);
      expect(refused.output).toContain('1 who registered here since');
      expect(refused.status).toBe(1);
      expect((await moveover(['--undo', '--yes'], environment)).status).toBe(0);
      expect(await sum()).toEqual(before);
      expect(await query('SHOW TABLES', adopted.url)).toHaveLength(4);
    } finally {
      await theirs.drop();
    }
  });
});
