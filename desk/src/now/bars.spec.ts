import { describe, expect, it } from 'vitest';
import { barsOf } from './bars';

describe('Chart bars', () => {
  it('scale to the largest value and keep the smallest value visible', () => {
    const { bars, total, peak } = barsOf([0, 1, 1000], 30, 50);
    expect([total, peak]).toEqual([1001, 1000]);
    expect(bars.map(({ height }) => height)).toEqual([0, 2, 46]);
    expect(bars.map(({ x }) => x)).toEqual([1.5, 11.5, 21.5]);
  });

  it('form an empty list if there are no values', () => {
    expect(barsOf([0, 0], 10, 10).bars.map(({ height }) => height)).toEqual([0, 0]);
    expect(barsOf([], 10, 10)).toEqual({ bars: [], total: 0, peak: 0 });
  });
});
