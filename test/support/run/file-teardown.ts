import { afterAll, vi } from 'vitest';

// The files of a worker share its modules, so each file must undo its changes.
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});
