import { describe, expect, it } from 'vitest';
import { ServiceUnavailable } from '../../../platform/http/errors/http.errors.js';
import type { EventStream } from './event-stream.js';
import { Subscribers } from './subscribers.js';

/** A browser that reads, until it leaves. */
function browser() {
  let leave = () => {};
  const stream = {
    isOpen: true,
    onClosed: (then: () => void) => (leave = then),
    send: () => {},
    end: () => leave(),
  } as unknown as EventStream;
  return { open: () => stream, leave: () => leave() };
}

const read = async () => ({ event: 'now', data: {}, about: null });
const subscribers = () => new Subscribers<null>(async () => {});
const refusals = (answers: PromiseSettledResult<void>[]) =>
  answers.filter((answer) => answer.status === 'rejected').map(({ reason }) => reason as Error);

describe('Subscribers', () => {
  it('admits at most twenty streams of one session at once', async () => {
    const all = subscribers();
    const of = (session: string) => all.add(session, browser().open, read);
    const mine = await Promise.allSettled(Array.from({ length: 25 }, () => of('mine')));
    expect(refusals(mine)).toHaveLength(5);
    expect(refusals(mine).every((error) => error instanceof ServiceUnavailable)).toBe(true);
    const others = await Promise.allSettled(Array.from({ length: 190 }, (_, n) => of(`${n}`)));
    expect(refusals(others)).toHaveLength(10);
    expect(all.size).toBe(200);
    await all.end();
    expect([all.size, all['places'].size, all['timer']]).toEqual([0, 0, undefined]);
  });

  it('frees a place when a stream closes or is refused', async () => {
    const all = subscribers();
    const browsers = Array.from({ length: 20 }, browser);
    for (const { open } of browsers) await all.add('mine', open, read);
    await expect(all.add('mine', browser().open, read)).rejects.toThrow(ServiceUnavailable);
    browsers[0]!.leave();
    const failing = all.add('mine', browser().open, () => Promise.reject(new Error('no database')));
    await expect(failing).rejects.toThrow('no database');
    await all.add('mine', browser().open, read);
    expect(all.size).toBe(20);
    await all.end();
  });
});
