/** Fewer than the pool has connections, so that none of the requests waits for one. */
const REQUESTS = 8;

/** Sends requests at the same time. */
export function inParallel<T>(
  send: (index: number) => Promise<T>,
  requests = REQUESTS,
): Promise<T[]> {
  return Promise.all(Array.from({ length: requests }, (_, index) => send(index)));
}
