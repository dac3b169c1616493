import { describe, expect, it, vi } from 'vitest';
import { ApiError } from './api-error';
import { patiently } from './patiently';

const refusal = (error: string, retryAfter?: number) => new ApiError(error, [], retryAfter);

describe('patiently', () => {
  it('retries a request to a busy service with growing, randomised delays', async () => {
    const pauses: number[] = [];
    const pause = async (milliseconds: number) => void pauses.push(milliseconds);
    const ask = vi.fn(async () => 'served');
    ask.mockRejectedValueOnce(refusal('service_unavailable', 1));
    ask.mockRejectedValueOnce(refusal('service_unavailable', 2));
    expect(await patiently(ask, pause)).toBe('served');
    expect(pauses[0]).toBeGreaterThanOrEqual(1000);
    expect(pauses[0]).toBeLessThan(2000);
    expect(pauses[1]).toBeGreaterThanOrEqual(4000);
    expect(pauses[1]).toBeLessThan(8000);
  });

  it('gives up after three attempts', async () => {
    const ask = vi.fn(() => Promise.reject(refusal('service_unavailable', 1)));
    await expect(patiently(ask, async () => undefined)).rejects.toThrow('service_unavailable');
    expect(ask).toHaveBeenCalledTimes(3);
  });

  it.each([
    refusal('service_unavailable', 5),
    refusal('service_unavailable'),
    refusal('too_many_requests', 1),
    refusal('network'),
  ])('does not retry after %s', async (error) => {
    const ask = vi.fn().mockRejectedValue(error);
    await expect(patiently(ask)).rejects.toBe(error);
    expect(ask).toHaveBeenCalledOnce();
  });
});
