import { afterAll, vi } from 'vitest';

// The files of a worker share its modules: what one changed in them must not reach the next.
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});
