const EVERY_MS = 10_000;

/** A line now and then, with the time left. */
export class Progress {
  private done = 0;
  private shownAt = performance.now();
  private readonly startedAt = performance.now();

  constructor(
    private readonly label: string,
    private readonly total: number,
  ) {}

  advance(by: number): void {
    this.done += by;
    const now = performance.now();
    if (now - this.shownAt < EVERY_MS) return;
    this.shownAt = now;
    const share = Math.min(1, this.done / Math.max(1, this.total));
    const seconds = (now - this.startedAt) / 1000;
    const remaining = share > 0 ? formatDuration((seconds / share) * (1 - share)) : '…';
    console.error(
      `${this.label}: ${formatNumber(this.done)} of ${formatNumber(this.total)}, ${formatNumber(Math.round(this.done / seconds))}/s, ${remaining} left`,
    );
  }
}

/** `10 000 000`. */
export function formatNumber(number: number): string {
  return String(number).replaceAll(/\B(?=(\d{3})+$)/g, ' ');
}

export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds);
  return whole < 90 ? `${whole} s` : `${Math.round(whole / 60)} min`;
}
