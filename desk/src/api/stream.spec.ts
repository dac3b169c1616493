import { afterEach, expect, it, vi } from 'vitest';
import { createStream } from './stream';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it('says of when the page is before anything is pushed', () => {
  vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden: true }));
  const stream = createStream(() => '/live', {});
  stream.begin(1000);
  expect([stream.isLive.value, stream.at.value]).toEqual([false, 1000]);
  stream.end();
});

it('asks whether the session stands when it is lost, which is no use of it', async () => {
  vi.useFakeTimers();
  const sources: EventTarget[] = [];
  const Source = class extends EventTarget {
    constructor() {
      super();
      sources.push(this);
    }
    close() {}
  };
  vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden: false }));
  vi.stubGlobal('EventSource', Source);
  const fetched = vi.fn(async () => Response.json({ data: {} }));
  vi.stubGlobal('fetch', fetched);
  const stream = createStream(() => '/live', {});
  stream.begin();
  sources[0]!.dispatchEvent(new Event('error'));
  await vi.advanceTimersByTimeAsync(5000);
  expect(fetched.mock.calls).toEqual([['/api/session/standing', expect.anything()]]);
  expect(sources).toHaveLength(2);
  stream.end();
});
