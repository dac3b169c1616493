import type { MailerService } from '@nestjs-modules/mailer';
import type { DataSource } from 'typeorm';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { MailEventLog } from '../audit/mail-event-log.js';
import type { Environment } from '../config/environment.js';
import { Metrics } from '../metrics/metrics.js';
import { MailMetrics } from './mail-metrics.js';
import { MailQueue } from './mail-queue.js';
import type { MailRateLimit } from './mail-rate-limit.js';
import type { MailTemplates } from './mail-templates.js';
import { TooManyMails } from './mail.errors.js';
import { MailService } from './mail.service.js';

afterEach(() => void vi.useRealTimers());

const KIND = { name: 'second-factor', sample: {}, requiredValues: [] };

/** Holds back the first attempt and returns the mailboxes of the later ones. */
async function mailboxesOfRetry(after: { email: string | null }): Promise<unknown[]> {
  vi.useFakeTimers();
  const player = { id: 7, email: 'owner@mail.example' as string | null };
  const mailboxes: unknown[] = [];
  const limits = [() => Promise.reject(new TooManyMails(30))];
  const service = new MailService(
    { SMTP_URL: 'smtp://mail.example' } as Environment,
    { sendMail: async ({ to }: { to: unknown }) => mailboxes.push(to) } as unknown as MailerService,
    { render: async () => ({}) } as unknown as MailTemplates,
    { consumeWarning: async () => limits.pop()?.() } as unknown as MailRateLimit,
    new MailMetrics(new Metrics()),
    { record: () => {} } as unknown as MailEventLog,
    new MailQueue(),
    { manager: { findOneBy: async () => ({ ...player }) } } as unknown as DataSource,
  );
  service.warnOwner(player.id, ({ email }) => service.send(email, KIND, {}, player.id));
  await vi.advanceTimersByTimeAsync(1000);
  Object.assign(player, after);
  await vi.advanceTimersByTimeAsync(60_000);
  return mailboxes;
}

describe('A retried warning', () => {
  it('goes to the e-mail address of the first attempt, although a thief has replaced it', async () => {
    expect(await mailboxesOfRetry({ email: 'thief@mail.example' })).toEqual(['owner@mail.example']);
  });

  it('is not sent once the account is closed', async () => {
    expect(await mailboxesOfRetry({ email: null })).toEqual([]);
  });
});
