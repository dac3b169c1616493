/** Sends `requests` requests in parallel, by default fewer than the pool has connections. */
export function inParallel<T>(send: (index: number) => Promise<T>, requests = 8): Promise<T[]> {
  return allAtOnce(times(requests, (index) => () => send(index)));
}

/**
 * Sends these requests in parallel. On a busy machine an exhausted pool causes a 503, which means that nothing
 * happened. Such requests are sent again one by one, so that the totals do not depend on the machine's speed.
 */
export async function allAtOnce<T>(requests: Array<() => Promise<T>>): Promise<T[]> {
  const answers = await Promise.all(requests.map((send) => send()));
  for (const [index, answer] of answers.entries())
    if (isUnavailable(answer)) answers[index] = await requests[index]!();
  return answers;
}

export function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function isUnavailable(answer: unknown): boolean {
  return (answer as { status?: number } | undefined)?.status === 503;
}
