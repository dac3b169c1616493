import { afterEach, describe, expect, it, vi } from 'vitest';
import { session } from '../session/session';
import { createStream } from './stream';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('The live stream', () => {
  it('shows the time of the page before the first update', () => {
    vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden: true }));
    const stream = createStream(() => '/live', {});
    stream.begin(1000);
    expect([stream.isLive.value, stream.at.value]).toEqual([false, 1000]);
    stream.end();
  });

  /** The sources of events that were opened. */
  function stubBrowser(fetched: () => Promise<Response>): EventTarget[] {
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
    vi.stubGlobal('fetch', fetched);
    return sources;
  }

  it('checks the session after losing the connection, without extending it', async () => {
    const fetched = vi.fn(async () => Response.json({ data: {} }));
    const sources = stubBrowser(fetched);
    const stream = createStream(() => '/live', {});
    stream.begin();
    sources[0]!.dispatchEvent(new Event('error'));
    await vi.advanceTimersByTimeAsync(5000);
    expect(fetched.mock.calls).toEqual([['/api/session/standing', expect.anything()]]);
    expect(sources).toHaveLength(2);
    stream.end();
  });

  it('ignores a late answer about an earlier loss once it is connected again', async () => {
    session.begin({ operator: { name: 'night', role: 'support' }, token: 't' });
    let fail = () => {};
    const hanging = new Promise<Response>((_, reject) => (fail = () => reject(new Error('late'))));
    const sources = stubBrowser(() => hanging);
    const stream = createStream(() => '/live', { same: () => undefined });
    stream.begin();
    sources[0]!.dispatchEvent(new Event('error'));
    await vi.advanceTimersByTimeAsync(5000);
    stream.connect();
    sources[1]!.dispatchEvent(new MessageEvent('same', { data: '{}' }));
    fail();
    await vi.advanceTimersByTimeAsync(0);
    expect(stream.isLive.value).toBe(true);
    stream.end();
    session.end('left');
  });
});
