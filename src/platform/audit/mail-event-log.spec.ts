import { describe, expect, it } from 'vitest';
import type { DataSource } from 'typeorm';
import { DEFAULT_SETTINGS } from '../config/settings.schema.js';
import type { Settings } from '../config/settings.js';
import { DatabaseWaitTimeout } from '../database/database-errors.js';
import type { ExpiredRowCleaner } from '../database/expired-row-cleaner.js';
import { Metrics } from '../metrics/metrics.js';
import { EventQueues } from './event-queue.js';
import { MailEventLog, type NewMailEvent } from './mail-event-log.js';

function createLog(
  insert: (entity: unknown, rows: NewMailEvent[]) => unknown,
  metrics = new Metrics(),
) {
  const queues = new EventQueues(
    { isInitialized: true, manager: { insert } } as unknown as DataSource,
    { current: DEFAULT_SETTINGS } as Settings,
    { deleteAfterDays: () => undefined } as unknown as ExpiredRowCleaner,
    metrics,
  );
  return { log: new MailEventLog(queues), stop: () => queues.beforeApplicationShutdown() };
}

describe('MailEventLog', () => {
  it('records a failure at most once a minute for each mail server reply', async () => {
    const replies: unknown[] = [];
    const insert = (_: unknown, rows: NewMailEvent[]) =>
      replies.push(...rows.map(({ reply }) => reply));
    const { log, stop } = createLog(insert);
    const failed = { playerId: 1, kind: 'code', outcome: 'failed', mailbox: 'a@mail.example' };
    for (const reply of [451, 550, 451]) log.record({ ...failed, reply } as NewMailEvent);
    await stop();
    expect(replies).toEqual([451, 550]);
  });

  it('counts events dropped during a database outage', async () => {
    let away = true;
    let written = 0;
    const insert = (_: unknown, rows: unknown[]) => {
      if (away) throw new DatabaseWaitTimeout();
      written += rows.length;
    };
    const metrics = new Metrics();
    const { log, stop } = createLog(insert, metrics);
    const sent: NewMailEvent = {
      playerId: 1,
      kind: 'code',
      outcome: 'sent',
      reply: null,
      mailbox: 'a@mail.example',
      ms: 20,
    };
    for (let playerId = 0; playerId < 1020; playerId++)
      log.record({ ...sent, playerId, outcome: 'failed' });
    for (let n = 0; n < 4100; n++) log.record(sent);
    await log.flush();
    away = false;
    await stop();
    expect(written).toBe(5000);
    expect(await metrics.registry.metrics()).toMatch(/^gatehouse_mail_events_dropped_total 120$/m);
  });
});
