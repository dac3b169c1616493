import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NestFactory } from '@nestjs/core';
import type { INestApplicationContext, Type } from '@nestjs/common';
import {
  CheckCommand,
  CheckCommandModule,
} from '../../../src/operators/cli/check/check.command.js';
import { registerCheck } from '../../../src/operators/cli/check/check.options.js';
import type { CheckResult } from '../../../src/operators/cli/check/check-result.js';
import { CommandModule } from '../../../src/operators/cli/command-context.js';
import {
  EventsCommand,
  EventsCommandModule,
} from '../../../src/operators/cli/events/events.command.js';
import { registerEvents } from '../../../src/operators/cli/events/events.options.js';
import { GameServerCall, RefusedRequest } from '../../../src/platform/audit/audit.entity.js';
import { RequestEventLog } from '../../../src/platform/audit/request-event-log.js';
import { Environment } from '../../../src/platform/config/environment.js';
import { unique } from '../../support/accounts.js';
import { signatureHeaders } from '../../support/api/callback-signature.js';
import { captureLog } from '../../support/api/captured-log.js';
import { createPlayer } from '../../support/api/factories.js';
import { QUERY_OP } from '../../support/api/game-server.js';
import { runCommand } from '../../support/api/run-command.js';
import { GM_TIMEOUT, Withdrawals } from '../../support/api/withdrawals.js';
import { until } from '../../support/until.js';

const SECRET = 'a-secret-of-the-game-servers';
const GAME_SERVERS = ['192.0.2.0/24', '127.0.0.1'];
const SETTINGS = { game_server_ips: GAME_SERVERS, withdraw: GM_TIMEOUT };
const TARGET = '/api/link?connect_id=10293';

let w: Withdrawals;
const contexts: INestApplicationContext[] = [];

beforeAll(async () => {
  w = await Withdrawals.start({}, { GAME_CALLBACK_SECRET: SECRET });
  await w.service.changeSettings(SETTINGS);
});
afterAll(async () => {
  for (const context of contexts) await context.close();
  await w.stop();
});

/** Starts a command's services with the service's database and settings. */
async function contextOf(module: Type): Promise<INestApplicationContext> {
  const context = await NestFactory.createApplicationContext(
    CommandModule.forRoot(w.service.app.get(Environment), module),
    { logger: false, abortOnError: false },
  );
  contexts.push(context);
  return context;
}

const stored = async () => {
  await w.service.app.get(RequestEventLog).flush();
  return w.service.database.getRepository(RefusedRequest).find({ order: { id: 'DESC' } });
};

/** Signs the path without its query, which is a common mistake. */
const linkWithoutQuery = (from: string) => {
  const headers = signatureHeaders({ method: 'GET', path: '/api/link', secret: SECRET });
  return w.service.client.get(TARGET, { from, headers });
};

const link = (from: string, time?: number) => {
  const headers = signatureHeaders({ method: 'GET', path: TARGET, secret: SECRET, time });
  return w.service.client.get(TARGET, { from, headers });
};

describe('A refused callback', () => {
  it('is stored and logged with its reason and the text to sign, but without the secret', async () => {
    const log = captureLog();
    const answer = await linkWithoutQuery('192.0.2.1');
    expect(answer.body).toMatchObject({ error: 'caller_not_allowed' });
    expect(answer.text).not.toContain('query');
    const id = answer.body.request_id as string;
    const [row] = await stored();
    log.release();
    expect(row).toMatchObject({
      requestId: id,
      method: 'GET',
      path: '/api/link',
      address: '192.0.2.1',
      reason: 'signature wrong: the path lacks the query',
      signedText: expect.stringMatching(
        /^\d{10}\nGET\n\/api\/link\?connect_id=10293\n[0-9a-f]{64}$/,
      ),
    });
    const line = log.lines.find(({ msg }) => String(msg).includes('the path lacks the query'));
    expect(line).toMatchObject({ request_id: id, address: '192.0.2.1' });
    const command = (await contextOf(EventsCommandModule)).get(EventsCommand);
    const { text } = await runCommand(registerEvents, command, ['events', 'request', id]);
    expect(text).toContain('Why: signature wrong: the path lacks the query');
    expect(text).toContain(row!.signedText);
    expect(JSON.stringify([row, text, log.text])).not.toContain(SECRET);
  });

  it('is stored if the address is not allowed, without a text to sign', async () => {
    const answer = await link('198.51.100.7');
    const row = (await stored()).find(({ requestId }) => requestId === answer.body.request_id);
    expect(row).toMatchObject({
      reason: '198.51.100.7 is not in game_server_ips',
      signedText: null,
    });
  });

  it('is stored if it repeats a signature whose link was removed', async () => {
    const player = await createPlayer(w.service);
    const body = JSON.stringify({ account: player.account, connect_id: unique('id') });
    const path = '/api/bind_account';
    const headers = signatureHeaders({ method: 'POST', path, body, secret: SECRET });
    const bind = () => w.service.client.post(path, body, { headers, from: '192.0.2.1' });
    expect((await bind()).status).toBe(200);
    await w.service.database.query(
      `DELETE FROM player_connect_threeparty WHERE player_id = ${player.id}`,
    );
    const answer = await bind();
    const row = (await stored()).find(({ requestId }) => requestId === answer.body.request_id);
    expect(row?.reason).toContain('used before');
  });

  it('is not stored if only its link is missing', async () => {
    const answer = await link('192.0.2.1');
    expect(answer.body.error).toBe('link_not_found');
    const ids = (await stored()).map(({ requestId }) => requestId);
    expect(ids).not.toContain(answer.body.request_id);
  });

  it('from a stranger does not displace those from game servers', async () => {
    // The minute in which refused requests are counted must not end during the test.
    Object.assign(w.service.app.get(RequestEventLog)['minute'], {
      since: Infinity,
      anonymous: 0,
      gameServer: 0,
    });
    const before = (await stored()).length;
    for (let i = 0; i < 70; i++) await link('198.51.100.8');
    const answer = await linkWithoutQuery('192.0.2.1');
    const rows = await stored();
    expect(rows.length - before).toBe(61);
    expect(rows.map(({ requestId }) => requestId)).toContain(answer.body.request_id);
  });
});

describe('gatehouse check --game-server', () => {
  const check = async (id: number) => {
    const command = (await contextOf(CheckCommandModule)).get(CheckCommand);
    const line = ['check', '--game-server', `${id}`];
    const { data, ok } = await runCommand(registerCheck, command, line);
    const texts = (data as CheckResult[]).map(({ state, text }) => `${state} ${text}`);
    return { ok, texts: texts.join('\n') };
  };
  const accepted = async (address: string) => {
    const calls = w.service.database.getRepository(GameServerCall);
    await until(async () => (await calls.findBy({ address })).length > 0);
    return calls.findBy({ address });
  };

  it('tests commands, clock and callbacks without touching money', async () => {
    const quiet = await check(w.server);
    expect(quiet.texts).toContain('good its database can be read');
    expect(quiet.texts).toMatch(/note no callback or chat report has arrived from 127\.0\.0\.1/);
    expect(quiet.texts).toContain('note no command was sent');
    expect(quiet.texts).toMatch(/good its clock is \d+ s/);

    await w.service.changeSettings({
      ...SETTINGS,
      withdraw: { ...GM_TIMEOUT, gm_query_op: Number(QUERY_OP) },
    });
    const refused = await linkWithoutQuery('127.0.0.1');
    await stored();
    const bad = await check(w.server);
    expect(bad.ok).toBe(false);
    expect(bad.texts).toContain('good it answers a signed query');
    expect(bad.texts).toContain('good it refuses a query with a wrong signature');
    expect(bad.texts).toMatch(
      /wrong GET \/api\/link was refused 1 times.*the path lacks the query/,
    );
    expect(bad.texts).toContain(`gatehouse events request ${refused.body.request_id}`);

    await link('127.0.0.1', Math.floor(Date.now() / 1000) - 100);
    expect(await accepted('127.0.0.1')).toMatchObject([
      { path: '/api/link', clockSkew: expect.closeTo(-100, -2) },
    ]);
    const good = await check(w.server);
    expect(good.texts).toMatch(/good \/api\/link from 127\.0\.0\.1: last accepted/);
    expect(good.texts).toContain('and accepted since');
    expect(good.ok).toBe(true);
    expect([...w.game.ledger]).toEqual([]);
  });

  it('reports a game server that accepts wrong signatures', async () => {
    w.game['hasValidSignature'] = () => true;
    const { texts, ok } = await check(w.server);
    delete (w.game as unknown as Record<string, unknown>).hasValidSignature;
    expect(texts).toContain('wrong it accepts a wrong signature');
    expect(ok).toBe(false);
  });

  it('reports a game server whose callbacks are not allowed or that does not answer', async () => {
    await w.service.changeSettings({ ...SETTINGS, game_server_ips: ['192.0.2.1'] });
    expect((await check(w.server)).texts).toContain(
      'wrong its callbacks would be refused: add 127',
    );
    const dead = await w.addServer({ gmPort: 1 });
    await w.untilListed(`"id":${dead},`);
    expect((await check(dead)).texts).toContain('wrong its GM interface does not answer HTTP');
    expect((await check(99_999)).texts).toContain('there is no server 99999');
  });
});
