import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MailUnavailable, TooManyMails } from './mail.errors.js';
import { MailQueue } from './mail-queue.js';

const HOUR_MS = 60 * 60 * 1000;

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Logger.prototype, 'warn').mockReturnValue();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Returns how many times the queue tries to send an e-mail that fails with these errors in turn, then succeeds. */
async function triesOf(failures: Error[], options?: { again: boolean }): Promise<number> {
  let tries = 0;
  new MailQueue().add(async () => {
    const failure = failures[tries++];
    if (failure) throw failure;
  }, options);
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  return tries;
}

describe('A failed e-mail', () => {
  const held = new TooManyMails(30);
  const refused = new MailUnavailable('refused');

  it('is retried until it is sent if it warns an owner', async () => {
    expect(await triesOf([held, refused], { again: true })).toBe(3);
    expect(await triesOf([refused, refused, refused, refused, refused], { again: true })).toBe(6);
    const putOff = new MailUnavailable('put off', { mayArrive: true, reply: 451 });
    expect(await triesOf([putOff], { again: true })).toBe(2);
  });

  it('is retried for three days, as soon as the rate limit allows', async () => {
    let tries = 0;
    const failure = { error: held as Error };
    const send = () => {
      tries++;
      return Promise.reject(failure.error);
    };
    new MailQueue().add(send, { again: true });
    await vi.advanceTimersByTimeAsync(HOUR_MS - 1000);
    expect(tries).toBe(120);
    failure.error = refused;
    await vi.advanceTimersByTimeAsync(71 * HOUR_MS);
    const threeDays = tries;
    await vi.advanceTimersByTimeAsync(24 * HOUR_MS);
    expect(threeDays).toBeGreaterThan(120 + 70 * 4);
    expect(tries - threeDays).toBeLessThanOrEqual(2);
  });

  it('is not retried if it may have arrived or is not a warning', async () => {
    const cut = new MailUnavailable('cut off', { mayArrive: true });
    expect(await triesOf([cut], { again: true })).toBe(1);
    expect(await triesOf([refused])).toBe(1);
  });
});

describe('An e-mail that warns an owner', () => {
  it('does not wait for other e-mails, however many hang', async () => {
    const queue = new MailQueue();
    for (let mail = 0; mail < 6000; mail++) queue.add(() => new Promise(() => {}));
    const sent = vi.fn(() => Promise.resolve());
    queue.add(sent, { again: true });
    await vi.advanceTimersByTimeAsync(0);
    expect(sent).toHaveBeenCalledTimes(1);
  });

  it('is reported in the log if the process stops before it is sent', async () => {
    const queue = new MailQueue();
    const error = vi.spyOn(Logger.prototype, 'error').mockReturnValue();
    queue.add(() => Promise.resolve(), { again: true });
    await vi.advanceTimersByTimeAsync(0);
    queue.onApplicationShutdown();
    expect(error).not.toHaveBeenCalled();
    queue.add(() => Promise.reject(new TooManyMails(30)), { again: true });
    await vi.advanceTimersByTimeAsync(0);
    queue.onApplicationShutdown();
    expect(error.mock.calls).toEqual([[expect.stringMatching(/^1 mails that warn owners/)]]);
  });
});
