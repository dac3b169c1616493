import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ExportService } from '../../../src/features/closing/export.service.js';
import { LoginEventLog } from '../../../src/platform/audit/login-event-log.js';
import { RequestEventLog } from '../../../src/platform/audit/request-event-log.js';
import { IdentityService } from '../../../src/platform/auth/identity.service.js';
import type { Player } from '../../../src/platform/auth/player.entity.js';
import { Session } from '../../../src/platform/auth/session.entity.js';
import type { RequestContext } from '../../../src/platform/http/request/request-context.js';
import { newMailbox, PASSWORD, unique } from '../../support/accounts.js';
import { addServer, banPlayer, createPlayer, passwordHash } from '../../support/api/factories.js';
import { inParallel } from '../../support/api/parallel.js';
import type { MailApp } from '../../support/api/mail-app.js';
import { profileRequests, startProfileApp } from '../../support/api/profile.js';
import { withClockAhead } from '../../support/api/shift-clock.js';
import { until } from '../../support/until.js';

const WITHDRAWALS = 501;
let service: MailApp;
let serverId: number;

beforeAll(async () => {
  service = await startProfileApp();
  serverId = (await addServer(service.database, { name: 'Dragon Gate' })).id;
});
afterAll(() => service.stop());

const { post, bind, login, tokenFor } = profileRequests(() => service);
const download = (token: string) => service.client.get('/api/account/export', { token });
const identify = (token: string) => service.app.get(IdentityService).identifyForGame(token);
const sql = (text: string) => service.database.query(text);

/** Creates a player with rows in every exported table; the rows contain the player's name where possible. */
async function createKnownPlayer(withdrawals: number): Promise<{ player: Player; token: string }> {
  const player = await createPlayer(service, { email: newMailbox(), ip: '203.0.113.7' });
  const { id, account } = player;
  const token = await tokenFor(player);
  await bind(`forum_${account}`, {}, token);
  await post('enter_game', { server_id: serverId }, token);
  await login(account, 'a guess', { from: '198.51.100.9' });
  await banPlayer(service, player, {
    scope: 'withdraw',
    reason: `reason of ${account}`,
    note: `note about ${account}`,
    until: new Date('2099-01-01T00:00:00Z'),
  });
  await service.app.get(LoginEventLog).flush();
  await sql(`INSERT INTO player_alias VALUES ('alias ${account}', ${id})`);
  await sql(`INSERT INTO mail_event (created_at, player_id, kind, outcome, mailbox)
    VALUES ('2026-01-01', ${id}, 'ban', 'sent', 'mail ${account}')`);
  await sql(`INSERT INTO player_change (created_at, player_id, what, detail, address, request_id)
    VALUES ('2026-01-01', ${id}, 'email', 'detail of ${account}', '203.0.113.7', 'r')`);
  await sql(`INSERT INTO refused_request (created_at, player_id, method, path, error, address, request_id)
    VALUES ('2026-01-01', ${id}, 'GET', '/api/x', 'not_found', '198.51.100.9', 'r')`);
  const rows = Array.from({ length: withdrawals }, (_, at) => {
    return `(${id}, ${serverId}, ${serverId}, ${id}, 'hero ${account}', ${at + 1}, '2026-01-01', 'succeeded', 'W${id}-${at}')`;
  });
  await sql(`INSERT INTO withdraw (player_id, server_id, role_server_id, role_id, role_name, amount, created_at, status, order_no)
    VALUES ${rows.join(', ')}`);
  await sql(`INSERT INTO withdraw_event (withdraw_id, from_status, to_status, cause, evidence, created_at)
    SELECT id, 'unknown', 'succeeded', 'person', 'anna: settled', '2026-01-02' FROM withdraw WHERE player_id = ${id}`);
  return { player, token };
}

describe('GET /api/account/export', () => {
  it('returns a file with all data about the player and none about other players', async () => {
    const { player, token } = await createKnownPlayer(WITHDRAWALS);
    const other = await createKnownPlayer(1);
    const { status, headers, text, body } = await download(token);
    expect(status).toBe(200);
    expect(headers.get('content-disposition')).toMatch(
      /^attachment; filename="gatehouse-[\d-]+\.json"$/,
    );
    expect(headers.get('cache-control')).toBe('no-store');
    const { account, email } = player;
    expect(body.profile).toMatchObject({ account, email, ip: '127.0.0.1', enter_count: 1 });
    expect(body.profile.created_at).toBe(player.createdAt.toISOString());
    expect(body).toMatchObject({
      old_names: [{ name: `alias ${account}` }],
      links: [{ provider: 'forum', connect_id: `forum_${account}` }],
      sessions: [{ address: '127.0.0.1', ended_at: null }],
      known_addresses: [{ address: '127.0.0.1' }],
      servers: [{ server_id: serverId, name: 'Dragon Gate', enter_count: 1 }],
      refused_requests: [{ path: '/api/x', error: 'not_found' }],
      bans: [{ reason: `reason of ${account}`, until: '2099-01-01T00:00:00.000Z' }],
    });
    expect(body.changes).toContainEqual(
      expect.objectContaining({ what: 'email', detail: `detail of ${account}` }),
    );
    expect(body.mails).toContainEqual(expect.objectContaining({ mailbox: `mail ${account}` }));
    const failed = { outcome: 'bad_credentials', address: null, device: null };
    const ok = { outcome: 'ok', address: '127.0.0.1' };
    expect(body.sign_ins).toEqual(
      expect.arrayContaining([failed, ok].map((one) => expect.objectContaining(one))),
    );
    expect(new Set(body.withdrawals.map(({ amount }: { amount: number }) => amount)).size).toBe(
      WITHDRAWALS,
    );
    expect(body.withdrawals[0]).toMatchObject({
      role_id: player.id,
      role_name: `hero ${account}`,
      events: [{ to_status: 'succeeded', created_at: '2026-01-02T00:00:00.000Z' }],
    });
    const { cookie_hash } = (
      await sql(`SELECT cookie_hash FROM session WHERE player_id = ${player.id}`)
    )[0];
    const secrets = [
      passwordHash(service, PASSWORD),
      PASSWORD,
      token,
      cookie_hash,
      'anna',
      'note about',
    ];
    for (const secret of [...secrets, '198.51.100.9', other.player.account, other.player.email])
      if (secret) expect(text).not.toContain(secret);
  });

  it('allows one export per player a day, even for parallel requests', async () => {
    const player = await createPlayer(service);
    const token = await tokenFor(player);
    const answers = await inParallel(() => download(token));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const { body, headers } = answers.find(({ status }) => status !== 200)!;
    expect(body).toMatchObject({ code: 42900, error: 'too_many_requests' });
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(86_000);
    const other = await createPlayer(service);
    expect((await download(await tokenFor(other))).status).toBe(200);
    const exportedAt = new Date(Date.now() - 86_401_000);
    await service.database.getRepository('player').update(player.id, { exportedAt });
    expect((await download(token)).status).toBe(200);
  });

  it('rejects a HEAD request with method_not_allowed and does not count it as the daily export', async () => {
    const token = await tokenFor(await createPlayer(service));
    const answer = await service.client.send('HEAD', '/api/account/export', { token });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET']);
    expect((await download(token)).status).toBe(200);
  });

  it('returns an error if the first statement fails, and neither counts nor records the request as an export', async () => {
    const player = await createPlayer(service);
    const token = await tokenFor(player);
    await sql('ALTER TABLE player RENAME COLUMN browse TO renamed');
    let answer;
    try {
      answer = await download(token);
    } finally {
      await sql('ALTER TABLE player RENAME COLUMN renamed TO browse');
    }
    expect(answer.body).toMatchObject({ code: 50000, error: 'internal_error' });
    expect(answer.headers.get('content-disposition')).toBeNull();
    expect((await download(token)).status).toBe(200);
    const countRecorded = async () => {
      await service.app.get(RequestEventLog).flush();
      const recorded = { playerId: player.id, what: 'exported' };
      return service.database.getRepository('player_change').countBy(recorded);
    };
    await until(async () => (await countRecorded()) > 0);
    expect(await countRecorded()).toBe(1);
  });

  it('allows another export ten minutes after an aborted download', async () => {
    const { player, token } = await createKnownPlayer(WITHDRAWALS);
    const pieces = await service.app
      .get(ExportService)
      .open(await identify(token), {} as RequestContext);
    for await (const _ of pieces) break;
    const { body } = await download(token);
    expect(body.error).toBe('too_many_requests');
    expect(body.retry_after).toBeGreaterThan(590);
    expect(body.retry_after).toBeLessThanOrEqual(600);
    await withClockAhead(601, async () => {
      await post('session/confirm', { password: PASSWORD }, token);
      expect((await download(token)).body.profile.account).toBe(player.account);
      expect((await download(token)).body.retry_after).toBeGreaterThan(86_000);
    });
  });

  it('requires recent authentication', async () => {
    const player = await createPlayer(service, { account: unique('p') });
    const token = await tokenFor(player);
    const confirmedAt = new Date(Date.now() - 11 * 60_000);
    await service.database.getRepository(Session).update({ playerId: player.id }, { confirmedAt });
    expect((await download(token)).body.error).toBe('sign_in_again');
    await post('session/confirm', { password: PASSWORD }, token);
    expect((await download(token)).status).toBe(200);
  });
});
