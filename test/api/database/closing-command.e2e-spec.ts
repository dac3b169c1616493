import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Player } from '../../../src/platform/auth/player.entity.js';
import { AuditEvent } from '../../../src/platform/audit/audit.entity.js';
import { newMailbox, PASSWORD } from '../../support/accounts.js';
import { type TestApp, startApp } from '../../support/api/app.js';
import { closeNow, findPlayer } from '../../support/api/closing.js';
import { createPlayer, passwordHash, tokenOf } from '../../support/api/factories.js';
import { startPlayerCommand, type TestCommand } from '../../support/api/run-command.js';
import { removeFolder, temporaryFolder } from '../../support/servers/temporary-folder.js';

const DAY_MS = 86_400_000;
const folder = temporaryFolder('closing');
let service: TestApp;
let command: TestCommand;

beforeAll(async () => {
  service = await startApp();
  command = await startPlayerCommand(service);
});
afterAll(async () => {
  await command.stop();
  await service.stop();
  removeFolder(folder);
});

const run = (...args: string[]) => command.run(...args);
const act = (...args: string[]) => run(...args, '--by', 'anna', '--note', 'ticket 9', '--yes');
const closingAt = async ({ id }: Player) => (await findPlayer(service, id)).closingAt;
const actsOf = async ({ id }: Player) =>
  (
    await service.database
      .getRepository(AuditEvent)
      .find({ where: { subject: `player ${id}` }, order: { id: 'ASC' } })
  ).map(({ operator, act: name }) => `${operator} ${name}`);

describe('gatehouse player close', () => {
  it("schedules the closing and ends the player's sessions, and gatehouse player keep cancels it", async () => {
    const player = await createPlayer(service);
    const { body } = await service.client.post('/api/login', {
      account: player.account,
      password: PASSWORD,
    });
    const me = () => service.client.get('/api/account', { token: body.data.token });
    const { text } = await act('close', player.account);
    expect(text).toContain('personal data is then removed for good');
    const at = (await closingAt(player))!;
    expect(Math.round((at.getTime() - Date.now()) / DAY_MS)).toBe(7);
    expect((await me()).status).toBe(401);
    const minute = at.toISOString().slice(0, 16).replace('T', ' ');
    expect((await run('show', player.account)).text).toMatch(new RegExp(`closes .*${minute}`));
    expect((await run('closing')).text).toContain(player.account);
    await expect(act('close', player.account)).rejects.toThrow('is already closing');
    await act('keep', player.account);
    expect(await closingAt(player)).toBeNull();
    await expect(act('keep', player.account)).rejects.toThrow('is not closing');
    expect(await actsOf(player)).toEqual(['anna player.close', 'anna player.keep']);
    expect((await run('closing')).text).not.toContain(player.account);
  });

  it('is rejected while a withdrawal is open', async () => {
    const { id, account } = await createPlayer(service);
    await service.database.query(
      `INSERT INTO withdraw (player_id, server_id, role_server_id, role_id, role_name, amount, created_at, status, order_no)
       VALUES (${id}, 1, 1, ${id}, 'hero', 100, '2026-01-01', 'unknown', 'W-${id}')`,
    );
    await expect(act('close', account)).rejects.toThrow('open withdrawal');
  });

  it.each([
    ['ban', '--until', '1d', '--reason', 'botting'],
    ['unban'],
    ['enable'],
    ['disable'],
    ['keep'],
    ['close'],
    ['sign-out'],
    ['set-email', '--email', 'owner@example.com'],
    ['secure', '--email', 'owner@example.com'],
    ['rename', '--to', 'another_name'],
  ])('makes gatehouse player %s fail once the account is closed', async (name, ...options) => {
    const player = await createPlayer(service);
    await closeNow(service, player.id);
    await expect(act(name, `id:${player.id}`, ...options)).rejects.toThrow('closed for good');
    expect((await run('show', `id:${player.id}`)).text).toContain('it was closed on');
  });

  it('is cancelled by gatehouse player secure because a thief may have requested it', async () => {
    const player = await createPlayer(service, { email: newMailbox() });
    await act('close', player.account);
    await act('secure', player.account);
    expect(await closingAt(player)).toBeNull();
  });
});

describe('gatehouse player close --again-from', () => {
  const players = () => service.database.getRepository<Player>('player');
  const SOON = new Date('2099-01-01T00:00:00.000Z');
  const LATER = new Date('2099-02-01T00:00:00.000Z');
  const OPEN = { closedAt: null, closingAt: null, disabledAt: null };

  it('repeats closings saved before a restore, and keeps accounts that were kept after the backup', async () => {
    const [closed, closing, delayed, kept, same] = await Promise.all(
      Array.from({ length: 5 }, () => createPlayer(service)),
    );
    await closeNow(service, closed!.id);
    await players().update(closing!.id, { closingAt: SOON });
    await players().update(delayed!.id, { closingAt: LATER });
    await players().update(same!.id, { closingAt: SOON });
    const file = join(folder, 'closings.json');
    await run('closing', '--save', file);
    expect(statSync(file).mode & 0o077).toBe(0);
    await expect(run('closing', '--save', file)).rejects.toThrow('EEXIST');

    // The backup predates all of these changes except one.
    await players().update([closed!.id, closing!.id], OPEN);
    await players().update([delayed!.id, kept!.id], { closingAt: SOON });
    const { text, ok } = await act('close', '--again-from', file);
    expect(text).toMatch(/^closing again: 3; kept again: 1; nothing to do: \d+$/);
    expect(ok).toBe(true);
    expect((await closingAt(closed!))!.getTime()).toBeLessThan(Date.now());
    expect(await closingAt(closing!)).toEqual(SOON);
    expect(await closingAt(delayed!)).toEqual(LATER);
    expect(await closingAt(same!)).toEqual(SOON);
    expect(await closingAt(kept!)).toBeNull();
    expect(await actsOf(kept!)).toEqual(['anna player.keep']);

    await closeNow(service);
    expect((await findPlayer(service, closed!.id)).closedAt).toBeInstanceOf(Date);
    const again = await act('close', '--again-from', file);
    expect(again.text).toMatch(/^closing again: 0; kept again: 0; nothing to do: \d+$/);
  });

  it('does not close a new player who got the id of a lost registration', async () => {
    const { id } = await createPlayer(service);
    const file = join(folder, 'lost.json');
    const registered = { created_at: '2020-01-01T00:00:00.000Z', closing_at: SOON.toISOString() };
    writeFileSync(file, JSON.stringify([{ id, ...registered }]));
    const { text, ok } = await act('close', '--again-from', file);
    expect(text).toContain(`not repeated: player ${id} is not in the backup`);
    expect(ok).toBe(false);
    expect((await findPlayer(service, id)).closingAt).toBeNull();
  });

  it('rejects a file of another kind', async () => {
    const file = join(folder, 'service.log');
    writeFileSync(file, '{"level":"info","msg":"player 7 closes"}\n{}');
    await expect(act('close', '--again-from', file)).rejects.toThrow('player closing --save');
  });

  it('requires either a player or a file', async () => {
    await expect(act('close')).rejects.toThrow('say who');
  });
});

describe('gatehouse player export', () => {
  it('writes the file that the player would get, readable only by its owner, and is audited', async () => {
    const player = await createPlayer(service, { email: newMailbox() });
    const file = join(folder, 'export.json');
    await act('export', player.account, '--file', file);
    const { body } = await service.client.get('/api/account/export', {
      token: tokenOf(service, player),
    });
    const written = JSON.parse(readFileSync(file, 'utf8'));
    expect(written.profile.email).toBe(player.email);
    expect(written).toEqual(body);
    expect(readFileSync(file, 'utf8')).not.toContain(passwordHash(service, PASSWORD));
    expect(statSync(file).mode & 0o077).toBe(0);
    expect(await actsOf(player)).toEqual(['anna player.export']);
    await expect(act('export', player.account, '--file', file)).rejects.toThrow('EEXIST');
    expect(existsSync(file)).toBe(true);
  });
});
