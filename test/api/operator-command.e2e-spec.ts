import { CommanderError } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ActionRefused } from '../../src/operators/actions/action-refused.js';
import { type TestApp, startApp } from '../support/api/app.js';
import { startDesk, type TestDesk } from '../support/api/desk.js';
import { startOperatorCommand, type TestCommand } from '../support/api/run-command.js';

let service: TestApp;
let desk: TestDesk;
let command: TestCommand;

beforeAll(async () => {
  service = await startApp();
  desk = await startDesk(service);
  command = await startOperatorCommand(service);
});
afterAll(async () => {
  await command.stop();
  await desk.stop();
  await service.stop();
});

const run = (...args: string[]) => command.run(...args);
const act = (...args: string[]) => run(...args, '--by', 'max', '--note', 'ticket 9', '--yes');

describe('gatehouse operator', () => {
  it.each([
    [['add', 'Anna', '--role', 'support'], 'a name is'],
    [['add', 'a', '--role', 'support'], 'a name is'],
    [['add', 'a'.repeat(33), '--role', 'support'], 'a name is'],
    [['add', "a'b", '--role', 'support'], 'a name is'],
    [['add', 'boss', '--role', 'boss'], 'a role is'],
    [['disable', 'nobody'], 'there is no operator nobody'],
    [['reset', 'nobody'], 'there is no operator nobody'],
    [['set-role', 'nobody', '--role', 'admin'], 'there is no operator nobody'],
  ])('fails for the arguments %j', async (args, why) => {
    const refused = act(...args);
    await expect(refused).rejects.toThrow(ActionRefused);
    await expect(refused).rejects.toThrow(why);
  });

  it.each([
    [[]],
    [['list', 'anna']],
    [['add', 'anna']],
    [['disable']],
    [['disable', 'anna', '--role', 'admin']],
    [['promote', 'anna']],
    [['add', 'anna', 'otto', '--role', 'admin']],
  ])('rejects the malformed arguments %j', async (args) => {
    await expect(act(...args)).rejects.toThrow(CommanderError);
  });

  it('requires --by, --note and a confirmation', async () => {
    await expect(run('disable', 'twin', '--yes')).rejects.toThrow('--by');
    await expect(run('disable', 'twin', '--by', 'max', '--note', 'x')).rejects.toThrow('add --yes');
  });
});
