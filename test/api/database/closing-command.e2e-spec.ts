import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeClosing } from '../../../src/platform/auth/closing-record.js';
import { CommandModule } from '../../../src/operators/cli/command.module.js';
import { PlayerCommandModule } from '../../../src/operators/cli/player/player-command.module.js';
import { PlayerCommand } from '../../../src/operators/cli/player/player.command.js';
import { registerPlayer } from '../../../src/operators/cli/player/player.registration.js';
import { AuditEvent } from '../../../src/platform/audit/audit-event.entity.js';
import type { Player } from '../../../src/platform/auth/player.entity.js';
import { Environment } from '../../../src/platform/config/environment.js';
import { newMailbox, PASSWORD } from '../../support/accounts.js';
import { type TestApp, startApp } from '../../support/api/app.js';
import { closeNow, findPlayer } from '../../support/api/closing.js';
import { createPlayer, passwordHash, tokenOf } from '../../support/api/factories.js';
import { runCommand } from '../../support/api/run-command.js';
import { removeFolder, temporaryFolder } from '../../support/servers/temporary-folder.js';

const DAY_MS = 86_400_000;
const folder = temporaryFolder('closing');
let service: TestApp;
let context: INestApplicationContext;

beforeAll(async () => {
  service = await startApp();
  context = await NestFactory.createApplicationContext(
    CommandModule.forRoot(service.app.get(Environment), PlayerCommandModule),
    { logger: false, abortOnError: false },
  );
});
afterAll(async () => {
  await context.close();
  await service.stop();
  removeFolder(folder);
});

const run = (...args: string[]) =>
  runCommand(registerPlayer, context.get(PlayerCommand), ['player', ...args]);
const act = (...args: string[]) => run(...args, '--by', 'anna', '--note', 'ticket 9', '--yes');
const closingAt = async ({ id }: Player) => (await findPlayer(service, id)).closingAt;
const actsOf = async ({ id }: Player) =>
  (
    await service.database
      .getRepository(AuditEvent)
      .find({ where: { subject: `player ${id}` }, order: { id: 'ASC' } })
  ).map(({ operator, act: name }) => `${operator} ${name}`);

describe('gatehouse player close', () => {
  it('closes an account some days ahead, ends its sessions, and keep stops it', async () => {
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
    await expect(act('close', player.account)).rejects.toThrow('is closing already');
    await act('keep', player.account);
    expect(await closingAt(player)).toBeNull();
    await expect(act('keep', player.account)).rejects.toThrow('is not closing');
    expect(await actsOf(player)).toEqual(['anna player.close', 'anna player.keep']);
    expect((await run('closing')).text).not.toContain(player.account);
  });

  it('is refused while a withdrawal is open', async () => {
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
  ])('leaves nothing to do about a closed account: %s is refused', async (name, ...options) => {
    const player = await createPlayer(service);
    await closeNow(service, player.id);
    await expect(act(name, `id:${player.id}`, ...options)).rejects.toThrow('closed for good');
    expect((await run('show', `id:${player.id}`)).text).toContain('it was closed on');
  });

  it('stops with secure, because a thief may have asked for it', async () => {
    const player = await createPlayer(service, { email: newMailbox() });
    await act('close', player.account);
    await act('secure', player.account);
    expect(await closingAt(player)).toBeNull();
  });
});

describe('gatehouse player close --again-from', () => {
  it('repeats the last word of the log about each player, and about nobody else', async () => {
    const [closed, kept, back, other] = await Promise.all(
      Array.from({ length: 4 }, () => createPlayer(service)),
    );
    await act('close', back!.account);
    const at = new Date('2026-01-01T00:00:00.000Z');
    const stranger = { id: other!.id, createdAt: new Date('2020-01-01T00:00:00.000Z') };
    const log = [
      describeClosing(closed!, at),
      `${describeClosing(closed!, at)}: done`,
      describeClosing(kept!, at),
      describeClosing(kept!, null),
      describeClosing(back!, null),
      describeClosing(stranger, at),
    ].map((msg) => JSON.stringify({ level: 'info', msg }));
    const file = join(folder, 'log');
    writeFileSync(file, log.join('\n'));
    const { text, ok } = await act('close', '--again-from', file);
    expect(text).toBe(
      `closing again: 1; kept again: 1; nothing to do: 1\nnot repeated: player ${other!.id} is not in the backup`,
    );
    expect(ok).toBe(false);
    expect(await closingAt(closed!)).toEqual(at);
    for (const player of [kept!, back!, other!]) expect(await closingAt(player)).toBeNull();
    await closeNow(service);
    expect((await act('close', '--again-from', file)).text).toContain('nothing to do: 3');
  });

  it('needs either a player or a file', async () => {
    await expect(act('close')).rejects.toThrow('say who');
  });
});

describe('gatehouse player export', () => {
  it('writes the file that the player would get, for nobody else to read, and is audited', async () => {
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
