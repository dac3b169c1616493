import { setTimeout as pause } from 'node:timers/promises';

/**
 * Waits for something that can only be looked at, not listened to. It is late only if a look that began after the
 * time was up still finds it wanting: how long the look itself takes is the machine's affair.
 */
export async function until(
  holds: () => boolean | Promise<boolean>,
  { within = 50_000, every = 20 } = {},
): Promise<void> {
  const deadline = performance.now() + within;
  for (;;) {
    const isLate = performance.now() > deadline;
    if (await holds()) return;
    if (isLate) throw new Error(`It did not come true within ${within} ms`);
    await pause(every);
  }
}
