import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isDatabaseUnavailable } from './database-errors.js';
import { Turn } from './turn.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('Turn', () => {
  it('lets in one at a time, in order of arrival', async () => {
    const turn = new Turn();
    const seen: number[] = [];
    const visit = async (visitor: number) => {
      const end = await turn.take();
      seen.push(visitor);
      await Promise.resolve();
      seen.push(visitor);
      end();
    };
    await Promise.all([visit(1), visit(2), visit(3)]);
    expect(seen).toEqual([1, 1, 2, 2, 3, 3]);
  });

  it('turns away who has waited two seconds, and only them', async () => {
    const turn = new Turn();
    const end = await turn.take();
    const refused = turn.take().catch(isDatabaseUnavailable);
    await vi.advanceTimersByTimeAsync(1900);
    const patient = turn.take();
    await vi.advanceTimersByTimeAsync(200);
    expect(await refused).toBe(true);
    end();
    (await patient)();
    await expect(turn.take()).resolves.toBeTypeOf('function');
  });

  it('is given back once, however often one says so', async () => {
    const turn = new Turn();
    const end = await turn.take();
    end();
    const next = await turn.take();
    end();
    const third = turn.take().catch(isDatabaseUnavailable);
    await vi.advanceTimersByTimeAsync(2100);
    expect(await third).toBe(true);
    next();
  });
});
