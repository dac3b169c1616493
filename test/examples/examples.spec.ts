import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { NestFactory } from '@nestjs/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sign } from '../../src/features/withdraw/game/gm-client.js';
import { CheckCommand, CheckCommandModule } from '../../src/operators/cli/check/check.command.js';
import { registerCheck } from '../../src/operators/cli/check/check.options.js';
import { CommandModule } from '../../src/operators/cli/command-context.js';
import { Environment } from '../../src/platform/config/environment.js';
import { PASSWORD, SECRETS, md5, unique } from '../support/accounts.js';
import { createPlayer, tokenOf } from '../support/api/factories.js';
import { runCommand } from '../support/api/run-command.js';
import { ASKING, Withdrawals } from '../support/api/withdrawals.js';
import { freePort } from '../support/servers/free-port.js';
import { inProject } from '../support/servers/gatehouse-process.js';
import { ManagedProcess } from '../support/servers/processes.js';
import { removeFolder, temporaryFolder } from '../support/servers/temporary-folder.js';
import { until } from '../support/until.js';

const run = promisify(execFile);
const CALLBACK_SECRET = 'a-secret-of-the-game-servers';
const EVENT_KEY = Buffer.from('a key for events of 32 bytes ...');
const START_BALANCE = 100_000;
const GSON = '/usr/share/java/gson.jar';

const folder = temporaryFolder('examples');
const example = (path: string) => inProject(`examples/${path}`);

/** Describes how to compile and start an example; `listen` replaces the usual arguments of the game server. */
interface Language {
  name: string;
  compile?: () => Promise<unknown>;
  command: string[];
  listen?: (port: number) => string[];
}

const LANGUAGES: Language[] = [
  { name: 'Lua', command: ['lua5.4', example('lua/example.lua')] },
  {
    name: 'PHP',
    command: ['php', example('php/example.php')],
    listen: (port) => ['php', '-S', `127.0.0.1:${port}`, example('php/example.php')],
  },
  {
    name: 'Java',
    compile: () => {
      const sources = ['Gatehouse', 'Example'].map((name) => example(`java/${name}.java`));
      return run('javac', ['-cp', GSON, '-d', join(folder, 'java'), ...sources]);
    },
    command: ['java', '-cp', `${GSON}:${join(folder, 'java')}`, 'Example'],
  },
  {
    name: 'Go',
    compile: () => {
      const env = { ...process.env, GOCACHE: join(folder, 'go-cache') };
      return run('go', ['build', '-o', join(folder, 'go'), '.'], { cwd: example('go'), env });
    },
    command: [join(folder, 'go')],
  },
  {
    name: 'C#',
    compile: () => {
      const sources = ['Gatehouse', 'Example', 'Vectors'].map((name) =>
        example(`csharp/${name}.cs`),
      );
      const libraries = ['-r:System.Net.Http', '-r:System.Runtime.Serialization'];
      return run('mcs', [
        '-langversion:latest',
        ...libraries,
        `-out:${join(folder, 'example.exe')}`,
        ...sources,
      ]);
    },
    command: ['mono', join(folder, 'example.exe')],
  },
];

let w: Withdrawals;

beforeAll(async () => {
  const [service] = await Promise.all([
    Withdrawals.start({ ...ASKING, min: 1 }, { GAME_CALLBACK_SECRET: CALLBACK_SECRET }),
    ...LANGUAGES.map(({ compile }) => compile?.()),
  ]);
  w = service;
});
afterAll(async () => {
  await w?.stop();
  removeFolder(folder);
});

const environment = (changes: object = {}) => ({
  ...process.env,
  GATEHOUSE: w.service.url,
  GAME_CALLBACK_SECRET: CALLBACK_SECRET,
  GM_SECRET: SECRETS.GM_SECRET,
  EVENT_SECRET: `whsec_${EVENT_KEY.toString('base64')}`,
  STATE_FILE: join(folder, 'state.json'),
  ...changes,
});

describe.each(LANGUAGES)('The example in $name', ({ command: [program, ...first], listen }) => {
  const call = async (args: string[], changes: object = {}) => {
    const { stdout } = await run(program!, [...first, ...args], { env: environment(changes) });
    return stdout.trim();
  };

  it('passes every test vector of the service', async () => {
    expect(await call(['vectors', example('vectors.json')])).toBe('0 wrong');
  });

  it('checks players with both kinds of token', async () => {
    const player = await createPlayer(w.service);
    const { account } = player;
    const loud = account.toUpperCase();
    expect(await call(['check', loud, md5(PASSWORD)])).toBe(account);
    expect(await call(['check', loud, tokenOf(w.service, player)])).toBe(account);
    expect(await call(['check', account, md5('wrong')])).toBe('token_invalid');
  });

  it('links accounts to identities with any characters, and finds them', async () => {
    const { account } = await createPlayer(w.service);
    const id = `a/b &c=d+e%20 龙🐉 ${unique('id')}`;
    expect(await call(['link', id])).toBe('link_not_found');
    expect(await call(['bind', account, id])).toBe(account);
    expect(await call(['link', id])).toBe(account);
    expect(await call(['bind', 'nobody_at_all', id])).toBe('account_not_found');
  });

  it('is refused with another secret, and reports a service that is down', async () => {
    const wrong = { GAME_CALLBACK_SECRET: 'another-secret' };
    expect(await call(['link', '10293'], wrong)).toBe('caller_not_allowed');
    const nobody = { GATEHOUSE: `http://127.0.0.1:${await freePort()}` };
    expect(await call(['link', '10293'], nobody)).toBe('no_answer');
  });

  it('reports chat', async () => {
    const content = `你好 "dragon" ${unique('words')}`;
    expect(await call(['chat', String(w.server), 'dragon_slayer', content])).toBe('1');
    const rows = await w.service.database.query<unknown[]>(
      `SELECT account FROM chat WHERE content = '${content}'`,
    );
    expect(rows).toEqual([{ account: 'dragon_slayer' }]);
  });

  describe('as a game server', () => {
    let game: ManagedProcess;
    let port: number;
    let server: number;

    beforeAll(async () => {
      port = await freePort();
      const [command, ...args] = listen?.(port) ?? [program, ...first, 'listen', String(port)];
      const STATE_FILE = join(folder, `state-${port}.json`);
      game = new ManagedProcess(command!, args as string[], { env: environment({ STATE_FILE }) });
      await game.waitUntil(() => isListening(port));
      server = await w.addServer({ gmPort: port, gmPath: '/gm' });
      await w.untilListed(`"id":${server},`);
    });
    afterAll(() => game?.stop('SIGKILL'));

    const post = (path: string, body: string, headers: Record<string, string>) =>
      fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body, headers });

    it('deducts withdrawals, and refuses those that the role cannot cover', async () => {
      const rich = await w.createFundedRole(1_000_000, server);
      expect((await w.withdraw(rich, 700)).body.data).toMatchObject({ status: 'succeeded' });
      const refused = await w.withdraw(rich, START_BALANCE);
      expect(refused.body.error).toBe('withdrawal_refused');
      expect((await w.withdraw(rich, START_BALANCE - 700)).status).toBe(200);
    });

    it('answers a repeated order as before, without deducting again', async () => {
      const send = async (orderNo: string, amount: number, key = SECRETS.GM_SECRET) => {
        const order = { role_id: 77, account: '龙骑士 a&b=c', amount, order_no: orderNo };
        const fields = {
          op: 10030,
          server_id: server,
          time: Math.floor(Date.now() / 1000),
          ...order,
        };
        const form = new URLSearchParams(
          Object.entries(fields).map(([k, v]) => [k, String(v)] as [string, string]),
        );
        form.set('sign', sign(fields, key));
        const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
        return (await post('/gm', form.toString(), type)).json();
      };
      const [one, other] = [unique('W1-'), unique('W2-')];
      const done = { code: 0, order_no: one };
      expect(await send(one, 60_000)).toEqual(done);
      expect(await send(one, 60_000)).toEqual(done);
      expect(await send(other, 40_000)).toMatchObject({ code: 0 });
      expect(await send(unique('W3-'), 1)).toMatchObject({ code: 1 });
      expect(await send(unique('W4-'), 1, 'another-secret')).toMatchObject({ code: -1 });
    });

    it('passes gatehouse check --game-server', async () => {
      const context = await NestFactory.createApplicationContext(
        CommandModule.forRoot(w.service.app.get(Environment), CheckCommandModule),
        { logger: false },
      );
      const line = ['check', '--game-server', String(server)];
      const { text } = await runCommand(registerCheck, context.get(CheckCommand), line);
      await context.close();
      expect(text).toContain('it answers a signed query');
      expect(text).toContain('it refuses a query with a wrong signature');
      expect(text).not.toContain('does not answer HTTP');
    });

    it('handles a repeated event once, and refuses a forged one', async () => {
      const id = unique('evt_');
      const type = `player.${unique('banned')}`;
      const body = JSON.stringify({ type, timestamp: new Date(), data: { account: '龙骑士' } });
      const timestamp = String(Math.floor(Date.now() / 1000));
      const send = async (key: Buffer) => {
        const mac = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`);
        const answer = await post('/events', body, {
          'Content-Type': 'application/json',
          'webhook-id': id,
          'webhook-timestamp': timestamp,
          'webhook-signature': `v1,${mac.digest('base64')}`,
        });
        return answer.status;
      };
      expect(await send(Buffer.from('another key'))).toBe(401);
      expect(await send(EVENT_KEY)).toBe(204);
      expect(await send(EVENT_KEY)).toBe(204);
      await until(() => game.output.includes(type));
      expect(game.output.split(type)).toHaveLength(2);
    });
  });
});

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}
