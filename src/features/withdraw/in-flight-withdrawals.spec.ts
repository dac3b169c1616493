import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { GracefulShutdown } from '../../platform/http/server/graceful-shutdown.js';
import { InFlightWithdrawals } from './in-flight-withdrawals.js';

const withTimeLeft = (timeLeft: number) =>
  new InFlightWithdrawals({ timeLeft } as GracefulShutdown);

describe('InFlightWithdrawals at shutdown', () => {
  it('waits for withdrawals in progress', async () => {
    const inFlight = withTimeLeft(5000);
    let done = false;
    void inFlight.track(pause(50).then(() => (done = true)));
    await inFlight.beforeApplicationShutdown();
    expect(done).toBe(true);
  });

  it('does not cut an outcome short whose recording begins while it waits', async () => {
    const inFlight = withTimeLeft(5000);
    let wasCutShort: boolean | undefined;
    const record = () => pause(50).then(() => (wasCutShort = inFlight.stopSignal.aborted));
    void inFlight.track(pause(20).then(() => void inFlight.track(record())));
    await inFlight.beforeApplicationShutdown();
    expect(wasCutShort).toBe(false);
  });

  it('aborts them when the time is up and waits until they have recorded that', async () => {
    const inFlight = withTimeLeft(0);
    const heard: string[] = [];
    const call = new Promise((resolve) => inFlight.stopSignal.addEventListener('abort', resolve));
    void inFlight.track(
      call
        .then(() => heard.push('cut short'))
        .then(() => pause(50))
        .then(() => heard.push('written')),
    );
    await inFlight.beforeApplicationShutdown();
    expect(heard).toEqual(['cut short', 'written']);
  });

  it('does not wait when there are none or they have failed', async () => {
    const inFlight = withTimeLeft(60_000);
    await expect(inFlight.track(Promise.reject(new Error('no')))).rejects.toThrow('no');
    await inFlight.beforeApplicationShutdown();
  });
});
