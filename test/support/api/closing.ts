import { ClosingJob } from '../../../src/features/closing/closing-job.js';
import { Player } from '../../../src/platform/auth/player.entity.js';
import type { TestApp } from './app.js';

/** Moves the accounts' closing time into the past. */
export async function makeDue({ database }: TestApp, ...ids: number[]): Promise<void> {
  const closingAt = new Date(Date.now() - 5000);
  for (const id of ids) await database.getRepository(Player).update(id, { closingAt });
}

/** Closes due accounts, as the service does once a minute. */
export async function closeNow(service: TestApp, ...ids: number[]): Promise<void> {
  await makeDue(service, ...ids);
  const { job } = service.app.get(ClosingJob);
  // A timer run that is in progress may have read the table before this change.
  await job.running;
  await job.run();
}

export function findPlayer({ database }: TestApp, id: number): Promise<Player> {
  return database
    .createQueryBuilder(Player, 'p')
    .addSelect('p.password')
    .where({ id })
    .getOneOrFail();
}
