/** For windows and locks: setting the system clock back must not lengthen them. Tests move it ahead. */
export const monotonicClock = { now: () => performance.now() };
