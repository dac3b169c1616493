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

/** How often a mail is sent that fails with these, one after the other, and then succeeds. */
async function triesOf(failures: Error[], options?: { again: boolean }): Promise<number> {
  let tries = 0;
  new MailQueue().add(async () => {
    const failure = failures[tries++];
    if (failure) throw failure;
  }, options);
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  return tries;
}

describe('A mail that fails', () => {
  const held = new TooManyMails(30);
  const refused = new MailUnavailable('refused');

  it('is retried a limited number of times if it is important', async () => {
    expect(await triesOf([held, refused], { again: true })).toBe(3);
    expect(await triesOf([refused, refused, refused, refused, refused], { again: true })).toBe(4);
  });

  it('is not retried if it may have arrived or is unimportant', async () => {
    const cut = new MailUnavailable('cut off', { mayArrive: true });
    expect(await triesOf([cut], { again: true })).toBe(1);
    expect(await triesOf([refused])).toBe(1);
  });
});
