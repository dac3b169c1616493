const KEY = 'CQ-TOKEN-ENDS';

/** On the page's monotonic clock. Infinity if unknown: the service then refuses an expired token. */
let endsAt = performance.now() + storedRemainder();

/**
 * How long the token is valid, counted from its arrival. Its own `exp` is a time of the service, which is useless on a
 * device with a wrong clock.
 */
export const lifetime = {
  start(seconds: number): void {
    endsAt = performance.now() + seconds * 1000;
    sessionStorage.setItem(KEY, String(Date.now() + seconds * 1000));
  },

  secondsLeft(): number {
    return (endsAt - performance.now()) / 1000;
  },

  isOver(): boolean {
    return this.secondsLeft() <= 0;
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
