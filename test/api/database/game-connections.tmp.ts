import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../support/servers/free-port.js';
import { expectLedgersToAgree, Withdrawals } from '../../support/api/withdrawals.js';

let w: Withdrawals;
let deaf: number;
let nowhere: number;

beforeAll(async () => {
  w = await Withdrawals.start();
  deaf = await w.addServer({ gmPort: await freePort() });
  nowhere = await w.addServer({ gmAddress: 'gm.invalid' });
});
afterEach(async () => {
  w.game.fault = () => 'none';
  w.game.answersQueries = true;
  w.game.dropHanging();
  await expectLedgersToAgree(w.service.database, w.game.ledger);
});
afterAll(() => w.stop());

describe('The game database', () => {
  it('is read over few connections', async () => {
    const rich = await w.createFundedRole(100_000);
    await Promise.all(Array.from({ length: 30 }, () => w.withdraw(rich, 100)));
    const connections = await w.world.connections();
    expect(connections).toBeGreaterThanOrEqual(1);
    expect(connections).toBeLessThanOrEqual(4);
  });
});
