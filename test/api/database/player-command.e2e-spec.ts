import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PlayerCredentials } from '../../../src/operators/actions/players/player-credentials.js';
import { MailboxUndo } from '../../../src/features/profile/mailbox-undo.service.js';
import { Player } from '../../../src/platform/auth/player.entity.js';
import { AuditEvent, MailEvent } from '../../../src/platform/audit/audit.entity.js';
import type { SignInFacts } from '../../../src/operators/actions/players/sign-in-obstacles.js';
import { RequestEventLog } from '../../../src/platform/audit/request-event-log.js';
import { LoginEventLog } from '../../../src/platform/audit/login-event-log.js';
import { PlayerLink } from '../../../src/features/links/player-link.entity.js';
import { PASSWORD, unique } from '../../support/accounts.js';
import { type TestApp, startApp } from '../../support/api/app.js';
import { BrowserSession } from '../../support/api/browser-session.js';
import { createPlayer, tokenOf } from '../../support/api/factories.js';
import { ProbeModule } from '../../support/api/probe.js';
import { until } from '../../support/until.js';
import { startPlayerCommand, type TestCommand } from '../../support/api/run-command.js';

let service: TestApp;
let command: TestCommand;

beforeAll(async () => {
  service = await startApp({ extraModules: [ProbeModule] });
  command = await startPlayerCommand(service);
});
afterAll(async () => {
  await command.stop();
  await service.stop();
});

const WHO = ['--by', 'anna', '--note', 'ticket 811', '--yes'];
const run = (...args: string[]) => command.run(...args);
const act = (...args: string[]) => run(...args, ...WHO);
const login = (account: string, password: string, from = '192.0.2.1') =>
  service.client.post('/api/login', { account, password }, { from });
const me = (token: string) => service.client.get('/api/probe/me', { token });
const stored = (id: number) => service.database.getRepository(Player).findOneByOrFail({ id });
const link = (playerId: number, connectId: string) =>
  service.database.getRepository(PlayerLink).insert({ playerId, provider: 'forum', connectId });
const lastAct = async (id: number) =>
  (
    await service.database
      .getRepository(AuditEvent)
      .find({ where: { subject: `player ${id}` }, order: { id: 'DESC' } })
  )[0];

describe('gatehouse player', () => {
  it('finds a player by name, e-mail address, id and connect_id, and rejects an ambiguous term', async () => {
    const email = `${unique('m')}@mail.example`;
    const player = await createPlayer(service, { email });
    const connectId = unique('person');
    await link(player.id, connectId);
    for (const who of [player.account.toUpperCase(), email, `${player.id}`, connectId]) {
      const { text, data } = await run('show', who);
      expect(text).toContain(player.account);
      expect(data).toMatchObject({ player: { id: player.id }, links: [{ connectId }] });
    }
    const confusing = await createPlayer(service, { account: String(player.id) });
    await expect(run('show', `${player.id}`)).rejects.toThrow('several');
    expect((await run('show', `name:${player.id}`)).data).toMatchObject({ player: confusing });
    await expect(run('show', unique('nobody'))).rejects.toThrow('no player');
  });

  it('lists sign-ins by outcome and time, and shows the last successful one', async () => {
    const { account } = await createPlayer(service);
    await login(account, PASSWORD, '192.0.2.10');
    for (let n = 0; n < 2; n++) await login(account, 'wrong', '192.0.2.11');
    await service.app.get(LoginEventLog).flush();
    const { text } = await run('show', account);
    expect(text).toMatch(/login +ok +1 .*192\.0\.2\.10/);
    expect(text).toMatch(/^signed in last \(UTC\) +.* from 192\.0\.2\.10$/m);
    const { data } = await run('logins', account, '--outcome', 'ok', '--since', '1d');
    expect(data).toMatchObject([{ address: '192.0.2.10' }]);
    expect((await run('logins', account, '--limit', '1')).text.split('\n')).toHaveLength(3);
  });

  it('disables and enables a player', async () => {
    const { id, account } = await createPlayer(service);
    await act('disable', account);
    expect((await login(account, PASSWORD)).body.error).toBe('account_disabled');
    const event = await lastAct(id);
    const after = { disabled_at: (await stored(id)).disabledAt!.toISOString() };
    const told = { operator: 'anna', note: 'ticket 811', before: { disabled_at: null }, after };
    expect(event).toMatchObject({ act: 'player.disable', ...told });
    await expect(act('disable', account)).rejects.toThrow('already');
    expect((await run('show', account)).text).toContain('disabled since');
    await act('enable', account);
    expect((await login(account, PASSWORD)).status).toBe(200);
    expect(await lastAct(id)).toMatchObject({ act: 'player.enable', after: { disabled_at: null } });
  });

  it('explains that a player cannot sign in because of an unusable password, a renaming or an old name', async () => {
    const why = async (who: string) => {
      const { signIn } = (await run('show', who)).data as { signIn: SignInFacts };
      return signIn;
    };
    const players = service.database.getRepository(Player);
    const { id, account } = await createPlayer(service, { email: `${unique('m')}@mail.example` });
    expect(await why(account)).toEqual({
      obstacles: [],
      hasPassword: true,
      oldNames: [],
      namesakes: [],
    });
    await players.update({ id }, { password: 'A'.repeat(32) });
    expect((await why(account)).obstacles).toEqual([expect.stringContaining('not an md5')]);
    await act('secure', account);
    expect((await run('show', account)).text).toContain('it has no password');
    const to = unique('n').slice(0, 20);
    await act('rename', account, '--to', to);
    const kept = await why(`name:${account}`);
    const renamed = `anna renamed player ${id}, who had this name, to ${to} (ticket 811); the player signs in as ${to}`;
    expect(kept.obstacles).toEqual([expect.stringContaining(renamed)]);

    const old = unique('Old').slice(0, 20);
    const namesake = await createPlayer(service, { account: old.toLowerCase() });
    for (const name of [old, namesake.account])
      await service.database.query('INSERT INTO player_alias (name, player_id) VALUES (?, ?)', [
        name,
        id,
      ]);
    expect((await why(to)).oldNames).toEqual([old, namesake.account]);
    expect((await why(`id:${namesake.id}`)).obstacles[0]).toContain(`old name of player ${id}`);
    expect((await login(old, PASSWORD)).body.error).toBe('bad_credentials');
  });

  it("lists a player's e-mails with the mail server's reply", async () => {
    const { id, account } = await createPlayer(service);
    const mails = service.database.getRepository(MailEvent);
    const mail = { playerId: id, kind: 'code', mailbox: 'a•••@mail.example' };
    await mails.insert([
      { ...mail, createdAt: new Date(Date.now() - 1000), outcome: 'sent' },
      { ...mail, createdAt: new Date(), outcome: 'failed', reply: 451 },
    ]);
    const { text } = await run('mails', account);
    expect(text).toMatch(/code +failed +451 +a•••@[^]*code +sent +– +a•••@/);
    expect((await run('mails', account, '--limit', '1')).data).toHaveLength(1);
    expect(text).not.toContain('may still deliver it');
    await mails.insert({ ...mail, createdAt: new Date(), outcome: 'uncertain' });
    expect((await run('mails', account)).text).toContain('the mail server may still deliver it');
    const stranger = run('mails', 'nobody@mail.example');
    await expect(stranger).rejects.toThrow('codes for a registration are only counted');
  });

  it('bans a player until a given time, shows the ban, and lifts it', async () => {
    const { id, account } = await createPlayer(service);
    const to = ['--until', '3d', '--reason', 'botting'];
    await act('ban', account, ...to, '--scope', 'withdraw');
    expect((await login(account, PASSWORD)).status).toBe(200);
    await act('ban', account, '--until', 'forever', '--reason', 'gold selling');
    const ban = { reason: 'gold selling', until: null };
    expect((await login(account, PASSWORD)).body).toMatchObject({ error: 'account_disabled', ban });
    expect(await lastAct(id)).toMatchObject({ act: 'player.ban', after: { bans: [ban] } });
    const { text } = await run('show', account);
    expect(text).toMatch(/^state +banned for good; banned from withdrawals until 20/m);
    expect((await run('bans', account)).text).toMatch(/gold selling.*anna[^]*botting.*anna/);
    expect((await run('bans')).text).toContain(account);
    const { data } = await run('bans', account);
    const ofReason = (why: string) =>
      (data as Array<{ id: number; reason: string }>).find(({ reason }) => reason === why)!.id;
    await act('unban', account, '--ban', String(ofReason('gold selling')));
    expect((await login(account, PASSWORD)).status).toBe(200);
    const botting = { reason: 'botting', scope: 'withdraw' };
    expect(await lastAct(id)).toMatchObject({
      before: { bans: [ban, botting] },
      after: { bans: [botting] },
    });
    expect((await run('show', account)).text).toMatch(/^state +banned from withdrawals until 20/m);
    const again = act('unban', account, '--ban', String(ofReason('gold selling')));
    await expect(again).rejects.toThrow(`has no ban ${ofReason('gold selling')} in force`);
    await act('unban', account);
    expect(await lastAct(id)).toMatchObject({ act: 'player.unban', after: { bans: [] } });
    expect((await run('bans', account)).text).toMatch(
      /until.*lifted 20\d\d-\S+ \S+ by anna: .*gold selling/s,
    );
    await expect(act('unban', account)).rejects.toThrow('is not banned');
    await expect(act('ban', account, '--until', '2020-01-01', '--reason', 'x')).rejects.toThrow(
      'must be in the future',
    );
    await expect(act('ban', account, '--until', '3d', '--reason', 'x'.repeat(201))).rejects.toThrow(
      'the reason',
    );
  });

  it("lists a player's events with their addresses, page by page and by kind", async () => {
    const { account } = await createPlayer(service);
    const { body } = await login(account, PASSWORD, '192.0.2.41');
    const { token } = body.data;
    const client = { token, from: '192.0.2.42' };
    await service.client.post('/api/account/close', { password: PASSWORD }, client);
    await service.client.post('/api/unbind', { provider: 'forum' }, client);
    await service.app.get(LoginEventLog).flush();
    const shown = async (...args: string[]) => {
      await service.app.get(RequestEventLog).flush();
      return (await run('timeline', account, ...args)).text;
    };
    await until(async () => /refusal[^]*change/.test(await shown()));
    const text = await shown();
    expect(text).toMatch(/refusal +POST \/api\/unbind link_not_found +192\.0\.2\.42/);
    expect(text).toMatch(/change +closing +192\.0\.2\.42/);
    expect(text).toMatch(/login +login ok +192\.0\.2\.41/);
    const first = await shown('--kinds', 'change,refusal', '--limit', '1');
    expect(first).not.toContain('closing');
    const [, place] = /Older ones: --before (\S+)$/.exec(first)!;
    const second = await shown('--kinds', 'change,refusal', '--limit', '1', '--before', place!);
    expect(second).toMatch(/closing +192\.0\.2\.42/);
    const soon = new Date(Date.now() + 9 * 3_600_000).toISOString().slice(0, 16);
    expect(await shown('--before', `${soon.replace('T', ' ')} +08:00`)).toBe(text);
    expect(await shown('--before', '2020-01-01 10:00')).not.toContain('closing');
    await expect(run('timeline', account, '--kinds', 'odd')).rejects.toThrow('--kinds must be');
    await expect(run('timeline', account, '--before', 'x')).rejects.toThrow('--before must be');
  });

  it('audits nothing for read-only subcommands', async () => {
    const { id, account } = await createPlayer(service);
    for (const look of ['show', 'logins', 'withdrawals', 'sessions', 'bans'])
      await run(look, account);
    expect(await lastAct(id)).toBeUndefined();
  });

  it("lists a player's sessions and ends them", async () => {
    const player = await createPlayer(service);
    const { body } = await login(player.account, PASSWORD, '192.0.2.40');
    const { token } = body.data;
    expect((await me(token)).status).toBe(200);
    const { data, text } = await run('sessions', player.account);
    expect(data).toMatchObject([{ address: '192.0.2.40', remembered: false }]);
    expect(text).toContain('192.0.2.40');
    expect(JSON.stringify(data)).not.toMatch(/hash|salt/i);
    await act('sign-out', player.account);
    expect((await me(token)).status).toBe(401);
    const [before, after] = [
      { ver: 0, sessions: 1 },
      { ver: 1, sessions: 0 },
    ];
    expect(await lastAct(player.id)).toMatchObject({ before, after });
    expect((await run('sessions', player.account)).data).toEqual([]);
  });

  it('sets a password and invalidates older tokens', async () => {
    const player = await createPlayer(service);
    const token = tokenOf(service, player);
    const acts = command.context.get(PlayerCredentials);
    const who = { by: 'anna', note: 'ticket 811' };
    for (const [password, problem] of [
      ['short', 'be 8 to 64 characters long'],
      ['password1', 'not be a common password'],
      [`my ${player.account}`, 'not contain the account'],
    ] as const)
      await expect(acts.setPassword(who, player.id, password)).rejects.toThrow(
        `the password must ${problem}`,
      );
    expect((await me(token)).status).toBe(200);
    await acts.setPassword(who, player.id, 'a new password');
    expect((await me(token)).status).toBe(401);
    expect((await login(player.account, PASSWORD)).body.error).toBe('bad_credentials');
    expect((await login(player.account, 'a new password')).status).toBe(200);
    const event = await lastAct(player.id);
    expect(event).toMatchObject({ act: 'player.set-password', after: { ver: 1 } });
    expect(JSON.stringify(event)).not.toContain('a new password');
  });

  it("changes the e-mail address, but not to an invalid one or another player's", async () => {
    const { id, account } = await createPlayer(service, { email: 'old.box@mail.example' });
    const other = await createPlayer(service, { email: `${unique('m')}@mail.example` });
    await act('set-email', account, '--email', 'New.Box@mail.example');
    expect(await stored(id)).toMatchObject({ email: 'new.box@mail.example' });
    await expect(act('set-email', account, '--email', other.email!)).rejects.toThrow('another');
    await expect(act('set-email', account, '--email', 'none')).rejects.toThrow('e-mail address');
    const change = { before: { email: 'old.box@mail.example' } };
    expect(await lastAct(id)).toMatchObject({ act: 'player.set-email', ...change });
  });

  it('renames a player, ends remembered sessions, keeps the roles and reserves the old name', async () => {
    const { id, account } = await createPlayer(service);
    const browser = BrowserSession.of(service);
    await browser.signIn(account, PASSWORD);
    const to = unique('n').slice(0, 20);
    await act('rename', account, '--to', to);
    expect((await browser.refresh()).body.error).toBe('session_ended');
    const [before, after] = [
      { account, sessions: 1 },
      { account: to, sessions: 0 },
    ];
    expect(await lastAct(id)).toMatchObject({ act: 'player.rename', before, after });
    expect(await stored(id)).toMatchObject({ account: to, gameAccount: account });
    expect((await login(to, PASSWORD)).status).toBe(200);
    expect((await login(account, PASSWORD)).body.error).toBe('bad_credentials');
    await expect(createPlayer(service, { account })).rejects.toThrow();
    const other = await createPlayer(service);
    await expect(act('rename', other.account, '--to', to)).rejects.toThrow('another');
    const loud = unique('GAME').slice(0, 20);
    await service.database.getRepository(Player).update({ id }, { gameAccount: loud });
    const theirs = act('rename', other.account, '--to', loud.toLowerCase());
    await expect(theirs).rejects.toThrow('has roles of another or a former player');
    await act('rename', to, '--to', loud);
    expect(await stored(id)).toMatchObject({ account: loud, gameAccount: loud });
    await expect(act('rename', other.account, '--to', 'no name')).rejects.toThrow('letters');
  });

  it('secures a stolen account in one step', async () => {
    const email = `${unique('m')}@mail.example`;
    const player = await createPlayer(service);
    await link(player.id, unique('thief'));
    const [jwt, { password }] = [
      tokenOf(service, player),
      await service.database
        .getRepository(Player)
        .findOneOrFail({ select: { password: true }, where: { id: player.id } }),
    ];
    const check = () =>
      service.client.get(`/api/check?account=${player.account}&token=${password}`);
    expect((await check()).status).toBe(200);
    await expect(act('secure', player.account)).rejects.toThrow('no mailbox');
    // A thief replaced the e-mail address.
    const undo = {
      playerId: player.id,
      version: 1,
      email,
      expiresAt: new Date(Date.now() + 3_600_000),
    };
    await service.database.getRepository(MailboxUndo).insert(undo);
    await service.database.getRepository(Player).update(player.id, { email: `thief-${email}` });
    const problem = `72 hours, from ${email}`;
    expect((await run('show', player.account)).text).toContain(
      `thief-${email}; changed within ${problem}`,
    );
    await expect(act('secure', player.account)).rejects.toThrow(problem);
    const newest = act('secure', player.account, '--email', `Thief-${email}`);
    await expect(newest).rejects.toThrow("name the owner's, not a new one");
    const unasked = run('secure', player.account, ...WHO.filter((word) => word !== '--yes'));
    await expect(unasked).rejects.toThrow(problem);
    await act('secure', player.account, '--email', email);
    expect((await me(jwt)).status).toBe(401);
    expect((await check()).body.error).toBe('token_invalid');
    expect((await login(player.account, PASSWORD)).body.error).toBe('bad_credentials');
    expect(await stored(player.id)).toMatchObject({ email });
    expect((await run('show', player.account)).data).toMatchObject({ links: [] });
    const event = await lastAct(player.id);
    expect(event).toMatchObject({
      before: { links: [{ provider: 'forum' }], replaced_emails: [email] },
      after: { email },
    });
    expect(JSON.stringify(event)).not.toContain(password);
  });

  it('removes a linked identity', async () => {
    const { id, account } = await createPlayer(service);
    await link(id, unique('person'));
    await act('unlink', account, '--provider', 'forum');
    await expect(act('unlink', account, '--provider', 'forum')).rejects.toThrow('no identity');
    expect(await lastAct(id)).toMatchObject({ act: 'player.unlink', after: { links: [] } });
  });
});
