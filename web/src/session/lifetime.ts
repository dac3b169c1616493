const KEY = 'CQ-TOKEN-ENDS';

/** Holds the expiry time on the page's monotonic clock. If it is Infinity, only the service detects the expiry. */
let endsAt = performance.now() + storedRemainder();

/**
 * Measures the token's lifetime from its arrival. The token's own `exp` is a time on the service's clock, which is
 * useless on a device with a skewed clock.
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

/** A reload restarts the monotonic clock, so the device's clock measures the time since the token arrived. */
function storedRemainder(): number {
  const stored = sessionStorage.getItem(KEY);
  return stored === null ? Infinity : Number(stored) - Date.now();
}
