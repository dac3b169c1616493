import { describe, expect, it } from 'vitest';
import type { DataSource } from 'typeorm';
import { DEFAULT_SETTINGS } from '../config/settings.schema.js';
import type { Settings } from '../config/settings.js';
import { DatabaseWaitTimeout } from '../database/database-errors.js';
import type { ExpiredRowCleaner } from '../database/expired-row-cleaner.js';
import { Metrics } from '../metrics/metrics.js';
import { EventLogContext } from './event-log.js';
import { MailEventLog, type NewMailEvent } from './mail-event-log.js';

function createLog(
  insert: (entity: unknown, rows: NewMailEvent[]) => unknown,
  metrics = new Metrics(),
): MailEventLog {
  return new MailEventLog(
    new EventLogContext(
      { isInitialized: true, manager: { insert } } as unknown as DataSource,
      { current: DEFAULT_SETTINGS } as Settings,
      { deleteAfterDays: () => undefined } as unknown as ExpiredRowCleaner,
      metrics,
    ),
  );
}

describe('MailEventLog', () => {
  it('records a failure once a minute for each reply of the mail server', async () => {
    const replies: unknown[] = [];
    const insert = (_: unknown, rows: NewMailEvent[]) =>
      replies.push(...rows.map(({ reply }) => reply));
    const log = createLog(insert);
    const failed = { playerId: 1, kind: 'code', outcome: 'failed', mailbox: 'a@mail.example' };
    for (const reply of [451, 550, 451]) log.record({ ...failed, reply } as NewMailEvent);
    await log.beforeApplicationShutdown();
    expect(replies).toEqual([451, 550]);
  });

  it('counts the events that it drops while the database is down', async () => {
    let away = true;
    let written = 0;
    const insert = (_: unknown, rows: unknown[]) => {
      if (away) throw new DatabaseWaitTimeout();
      written += rows.length;
    };
    const metrics = new Metrics();
    const log = createLog(insert, metrics);
    const sent: NewMailEvent = {
      playerId: 1,
      kind: 'code',
      outcome: 'sent',
      reply: null,
      mailbox: 'a@mail.example',
    };
    for (let playerId = 0; playerId < 1020; playerId++)
      log.record({ ...sent, playerId, outcome: 'failed' });
    for (let n = 0; n < 4100; n++) log.record(sent);
    await log.flush();
    away = false;
    await log.beforeApplicationShutdown();
    expect(written).toBe(5000);
    expect(await metrics.registry.metrics()).toMatch(/^gatehouse_mail_events_dropped_total 120$/m);
  });
});
