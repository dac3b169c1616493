import { EventEmitter } from 'node:events';
import type { Response } from 'express';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { EventStream } from './event-stream.js';

afterEach(() => void vi.useRealTimers());

/** A response whose reader takes nothing: it is ended, and never closes by itself. */
function unread() {
  const response = Object.assign(new EventEmitter(), {
    status: () => response,
    set: () => response,
    flushHeaders: () => undefined,
    end: vi.fn(),
    destroy: vi.fn(() => response.emit('close')),
  });
  return response;
}

describe('An event stream', () => {
  it('is destroyed after its end if the reader does not take the last bytes', () => {
    vi.useFakeTimers();
    const response = unread();
    const closed = vi.fn();
    const stream = new EventStream(response as unknown as Response);
    stream.onClosed(closed);
    stream.end();
    vi.advanceTimersByTime(4999);
    expect(response.destroy).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(closed).toHaveBeenCalledOnce();
  });
});
