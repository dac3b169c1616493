import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { startGatehouse } from '../support/servers/gatehouse-process.js';

it('SIGTERM does not wait for a connection on which nobody has asked anything', async () => {
  const instance = await startGatehouse();
  const silent = connect(Number(new URL(instance.url).port), '127.0.0.1');
  silent.on('error', () => undefined);
  await once(silent, 'connect');
  const started = performance.now();
  expect(await instance.stop()).toBe(0);
  expect(performance.now() - started).toBeLessThan(10_000);
});
