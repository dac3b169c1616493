import { effectScope, ref } from 'vue';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useRefresh } from './use-refresh';

const page = Object.assign(new EventTarget(), {
  hidden: false,
  dialog: null as object | null,
  querySelector: () => page.dialog,
});

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('document', Object.assign(page, { hidden: false, dialog: null }));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('useRefresh', () => {
  it('pauses while the page is hidden, and under a dialog unless readsUnderDialogs is set', async () => {
    const reads = { withdrawal: 0, player: 0 };
    const count = (name: keyof typeof reads) => ({
      readAt: ref(Date.now()),
      busy: ref(false),
      refresh: async () => void reads[name]++,
    });
    const scope = effectScope();
    scope.run(() => {
      useRefresh(count('withdrawal'));
      useRefresh(count('player'), { readsUnderDialogs: true });
    });
    await vi.advanceTimersByTimeAsync(5000);
    expect(reads).toEqual({ withdrawal: 1, player: 1 });
    page.dialog = {};
    await vi.advanceTimersByTimeAsync(5000);
    expect(reads).toEqual({ withdrawal: 1, player: 2 });
    page.hidden = true;
    await vi.advanceTimersByTimeAsync(5000);
    expect(reads).toEqual({ withdrawal: 1, player: 2 });
    scope.stop();
  });

  it('reports the page as stale after fifteen seconds without a response', async () => {
    const readAt = ref(Date.now());
    const scope = effectScope();
    const refresh = () => new Promise<void>(() => undefined);
    const isLive = scope.run(() => useRefresh({ readAt, busy: ref(false), refresh }))!;
    await vi.advanceTimersByTimeAsync(14_000);
    expect(isLive.value).toBe(true);
    await vi.advanceTimersByTimeAsync(2000);
    expect(isLive.value).toBe(false);
    readAt.value = Date.now();
    expect(isLive.value).toBe(true);
    scope.stop();
  });
});
