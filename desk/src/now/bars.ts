interface Bar {
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * Returns the bars from left to right. The largest bar fills the chart, and every value above zero
 * is visible.
 */
export function barsOf(
  values: number[],
  width: number,
  height: number,
): { bars: Bar[]; total: number; peak: number } {
  const peak = Math.max(0, ...values);
  const slot = width / Math.max(1, values.length);
  const bars = values.map((value, index) => {
    const high = value === 0 ? 0 : Math.max(2, Math.round((value / peak) * (height - 4)));
    return { x: index * slot + 1.5, y: height - 1 - high, width: slot - 3, height: high };
  });
  return { bars, total: values.reduce((sum, value) => sum + value, 0), peak };
}
