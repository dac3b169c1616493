import type { Repository } from 'typeorm';
import { expect, it } from 'vitest';
import type { Session } from '../../platform/auth/session.entity.js';
import type { ExpiredRowCleaner } from '../../platform/database/expired-row-cleaner.js';
import { RowQueue } from '../../platform/database/row-queue.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import { SessionsService } from './sessions.service.js';

it('SessionsService does not remember players with locked rows forever', async () => {
  const session = { run: () => Promise.reject(new Error('locked')), runUnlessLocked: () => false };
  const driver = { session: () => session };
  const manager = { dataSource: { options: { type: 'mariadb', driver } } };
  const sessions = new SessionsService(
    null!,
    null!,
    null!,
    null!,
    new RowQueue(null!),
    { manager } as unknown as Repository<Session>,
    null!,
    { deleteAfter: () => undefined } as unknown as ExpiredRowCleaner,
  );
  const locked = sessions['lockedPlayers'];
  for (let id = 1; id <= 10_000; id++) locked.add(id);
  const player = { id: 10_001, account: 'late', ver: 0 };
  await expect(sessions.start(player, { context: {} as RequestContext })).rejects.toThrow('locked');
  expect([...locked]).toEqual([player.id]);
});
