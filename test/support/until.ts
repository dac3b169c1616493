import { setTimeout as pause } from 'node:timers/promises';

/** Waits for something that can only be looked at, not listened to. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  { within = 5000, every = 20 } = {},
): Promise<void> {
  const deadline = performance.now() + within;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`It did not come true within ${within} ms`);
    await pause(every);
  }
}
