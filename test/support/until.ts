import { setTimeout as pause } from 'node:timers/promises';

/** Polls until the condition holds. Fails only if it still does not hold in a check that began after the timeout. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  { within = 50_000, every = 20 } = {},
): Promise<void> {
  const deadline = performance.now() + within;
  for (;;) {
    const isLate = performance.now() > deadline;
    if (await holds()) return;
    if (isLate) throw new Error(`the condition did not hold within ${within} ms`);
    await pause(every);
  }
}
