import { CommanderError } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Player } from '../../src/platform/auth/player.entity.js';
import { LoginEventLog } from '../../src/platform/audit/login-event-log.js';
import { AuditEvent } from '../../src/platform/audit/audit.entity.js';
import { type TestApp, startApp } from '../support/api/app.js';
import { addAuthenticator } from '../support/api/authenticator.js';
import { createPlayer, tokenOf } from '../support/api/factories.js';
import { ProbeModule } from '../support/api/probe.js';
import { startPlayerCommand, type TestCommand } from '../support/api/run-command.js';

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
const stored = (id: number) => service.database.getRepository(Player).findOneByOrFail({ id });
const lastAct = async (id: number) =>
  (
    await service.database
      .getRepository(AuditEvent)
      .find({ where: { subject: `player ${id}` }, order: { id: 'DESC' } })
  )[0];

describe('gatehouse player', () => {
  it.each([
    [['disable', 'x', '--by', 'anna', '--yes'], '--note'],
    [['disable', 'x', '--note', 'why', '--yes'], '--by'],
    [['disable', 'x', '--by', 'anna', '--note', ' ', '--yes'], '--note'],
    [['set-email', 'x', ...WHO], '--email'],
    [['explode', 'x', ...WHO], 'explode'],
    [['show'], "missing required argument 'who'"],
    [[], 'outputHelp'],
    [['logins', 'x', '--since', 'yesterday'], '--since'],
    [['show', 'x', '--force'], '--force'],
  ])('rejects the arguments %j', async (args, reason) => {
    await createPlayer(service, { account: 'x' }).catch(() => undefined);
    await expect(run(...args)).rejects.toThrow(CommanderError);
    await expect(run(...args)).rejects.toThrow(reason);
  });

  it("lists both players and does nothing if one player's old name is another's name", async () => {
    const kept = await createPlayer(service, { account: 'lordsilver' });
    const renamed = await createPlayer(service, { account: 'Lordsilver~7' });
    await service.database.query(
      `INSERT INTO player_alias (name, player_id) VALUES ('Lordsilver', ${renamed.id})`,
    );
    await expect(run('disable', 'Lordsilver', ...WHO)).rejects.toThrow(
      `"Lordsilver" matches several players; specify one of id:${kept.id} (lordsilver), id:${renamed.id} (Lordsilver~7)`,
    );
    expect((await stored(kept.id)).disabledAt).toBeNull();
    expect((await stored(renamed.id)).disabledAt).toBeNull();
    await run('disable', 'lordsilver', ...WHO);
    expect((await stored(kept.id)).disabledAt).not.toBeNull();
    await expect(run('rename', 'lordsilver', '--to', 'Lordsilver', ...WHO)).rejects.toThrow(
      'another player signs in as Lordsilver',
    );
  });

  it('explains what prevents a player from signing in', async () => {
    const shown = async (who: string) => (await run('show', who)).text;
    const { id, account } = await createPlayer(service);
    expect(await shown(account)).toContain('No obstacle is recorded. For locks, see below.');
    for (let n = 0; n < 6; n++)
      await service.client.post('/api/login', { account, password: 'wrong' });
    await service.app.get(LoginEventLog).flush();
    expect(await shown(account)).toMatch(/login_throttled at 20.* UTC from .*: it was locked then/);

    const player = await createPlayer(service);
    await addAuthenticator(service.client, tokenOf(service, player));
    await service.database.getRepository(Player).update(
      { id: player.id },
      {
        closingAt: new Date('2030-01-02T03:04:05Z'),
        withdrawPausedAt: new Date('2026-01-02T03:04:05Z'),
      },
    );
    const text = await shown(player.account);
    expect(text).toContain('address seen last');
    expect(text).toMatch(/pause of withdrawals began \(UTC\) +2026-01-02 03:04/);
    expect(text).toContain(
      'it asks for the second factor (app; 10 recovery codes left). If it is lost',
    );
    expect(text).toContain('It closes on 2030-01-02 03:04 UTC; until then it signs in as usual.');

    const renamed = await createPlayer(service, { account: `${account}~1${id}` });
    expect(await shown(account)).not.toContain('The import renamed');
    const oldName = account.toUpperCase();
    await service.database.query(
      `INSERT INTO player_alias (name, player_id) VALUES ('${oldName}', ${renamed.id})`,
    );
    expect(await shown(account)).toContain(
      `renamed another player to ${renamed.account}, who still signs in with the old name, spelled exactly: ${oldName}`,
    );
  });

  it('finds a renamed player by the old name', async () => {
    const renamed = await createPlayer(service, { account: 'Moon~8' });
    await service.database.query(
      `INSERT INTO player_alias (name, player_id) VALUES ('Moon', ${renamed.id})`,
    );
    await run('disable', 'Moon', ...WHO);
    expect((await stored(renamed.id)).disabledAt).not.toBeNull();
  });

  it('requires a confirmation before it acts', async () => {
    const { id, account } = await createPlayer(service);
    const asked = run('disable', account, '--by', 'anna', '--note', 'why');
    await expect(asked).rejects.toThrow('add --yes');
    await expect(asked).rejects.toThrow(`disables ${account}`);
    expect((await stored(id)).disabledAt).toBeNull();
    expect(await lastAct(id)).toBeUndefined();
  });
});
