import { describe, expect, it } from 'vitest';
import { Client } from '../support/api/client.js';
import { type Gatehouse, startGatehouse } from '../support/servers/gatehouse-process.js';
import { childrenOf, signalIfRunning } from '../support/servers/process-tree.js';
import { writeSettingsFile } from '../support/servers/settings-file.js';
import {
  FAST_STOP_LIMITS,
  NO_STOP_LIMITS,
  WORKERS_HANG,
  WORKERS_HANG_UNTIL_LIMIT,
} from '../support/stop-simulation.js';
import { until } from '../support/until.js';

async function startWorkers(NODE_OPTIONS: string): Promise<Gatehouse> {
  const service = await startGatehouse({ NODE_OPTIONS, WORKERS: '2' });
  await until(() => (service.logs().match(/listening on/g) ?? []).length >= 2);
  return service;
}

describe('a hanging stop with WORKERS=2', () => {
  it('is ended by each worker at its own deadline, which logs what it was waiting for', async () => {
    const service = await startWorkers(WORKERS_HANG_UNTIL_LIMIT);
    expect(await service.stop()).toBe(1);
    const told = /still finishing the requests in flight 18 s after the stop signal/g;
    expect(service.logs().match(told)).toHaveLength(2);
    expect(service.logs()).not.toContain('it is killed');
  });

  it('ends with 1 and a log line if a worker is killed during its stop', async () => {
    const service = await startWorkers(WORKERS_HANG);
    const workers = childrenOf(service.pid);
    service.process.signal('SIGTERM');
    await until(() => service.logs().match(/SIGTERM: finishing/g)?.length === 2);
    for (const pid of workers) signalIfRunning(pid, 'SIGKILL');
    expect(await service.process.exit).toBe(1);
    expect(service.logs()).toMatch(/"signal":"SIGKILL".*a worker did not end as it should/);
    await service.kill();
  });

  it('is ended by the primary, which kills a frozen worker after it gave up restarting the others', async () => {
    const service = await startWorkers(FAST_STOP_LIMITS);
    const [frozen] = childrenOf(service.pid);
    process.kill(frozen!, 'SIGSTOP');
    const killing = setInterval(() => {
      for (const pid of childrenOf(service.pid))
        if (pid !== frozen) signalIfRunning(pid, 'SIGKILL');
    }, 100);
    expect(await service.process.exit).toBe(1);
    clearInterval(killing);
    const told = `workers in a row died right after their start: giving up[^]*"worker":${frozen}.*it is killed`;
    expect(service.logs()).toMatch(new RegExp(told));
    await service.kill();
  });
});

describe('a stop with WORKERS=2', () => {
  it('is not delayed by a log that is not read, even if a worker was replaced meanwhile', async () => {
    const service = await startGatehouse(
      { SETTINGS_FILE: writeSettingsFile(), NODE_OPTIONS: NO_STOP_LIMITS, WORKERS: '2' },
      { unread: true },
    );
    // The pipe holds some 130 lines of this length.
    const path = `/api/${'x'.repeat(195)}`;
    const client = new Client(service.url);
    const fillLog = () => Promise.all(Array.from({ length: 200 }, () => client.get(path)));
    await fillLog();
    const [first, second] = childrenOf(service.pid);
    process.kill(first!, 'SIGKILL');
    await until(() => childrenOf(service.pid).some((pid) => pid !== first && pid !== second));
    await until(() =>
      fillLog().then(
        () => true,
        () => false,
      ),
    );
    expect(await service.stop()).toBe(0);
  });
});
