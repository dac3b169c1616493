const KEY = 'CQ-TOKEN-ENDS';

/** On the page's monotonic clock. Infinity where it is not known: the service then refuses a token that has expired. */
let endsAt = performance.now() + storedRemainder();

/**
 * How long the token is valid, counted from its arrival. Its own `exp` is a time of the service, which says nothing on a
 * device whose clock is wrong.
 */
export const lifetime = {
  start(seconds: number): void {
    endsAt = performance.now() + seconds * 1000;
    sessionStorage.setItem(KEY, String(Date.now() + seconds * 1000));
  },

  isOver(): boolean {
    return performance.now() >= endsAt;
  },

  forget(): void {
    endsAt = Infinity;
    sessionStorage.removeItem(KEY);
  },
};

/** A reload restarts the monotonic clock; the device's clock has measured the time since the token arrived. */
function storedRemainder(): number {
  const stored = sessionStorage.getItem(KEY);
  return stored === null ? Infinity : Number(stored) - Date.now();
}
