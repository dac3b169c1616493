import { ClosingJob } from '../../../src/features/closing/closing-job.js';
import { Player } from '../../../src/platform/auth/player.entity.js';
import type { TestApp } from './app.js';

/** Makes it the day on which the accounts are closed. */
export async function makeDue({ database }: TestApp, ...ids: number[]): Promise<void> {
  const closingAt = new Date(Date.now() - 5000);
  for (const id of ids) await database.getRepository(Player).update(id, { closingAt });
}

/** Closes accounts that are due, as the service does once a minute. */
export async function closeNow(service: TestApp, ...ids: number[]): Promise<void> {
  await makeDue(service, ...ids);
  const { job } = service.app.get(ClosingJob);
  // A round of the timer may have read the table before this.
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
