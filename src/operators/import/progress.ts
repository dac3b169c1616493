const EVERY_MS_TTY = 200;
const EVERY_MS = 10_000;
const WIDTH = 30;

/** A progress bar with the time left on a terminal; elsewhere a line now and then. */
export class Progress {
  private done = 0;
  private shownAt = performance.now();
  private readonly startedAt = performance.now();

  constructor(
    private readonly label: string,
    private readonly total: number,
    private readonly out: NodeJS.WriteStream = process.stderr,
  ) {}

  advance(by: number): void {
    this.done += by;
    const now = performance.now();
    if (now - this.shownAt < (this.out.isTTY ? EVERY_MS_TTY : EVERY_MS)) return;
    this.shownAt = now;
    this.show(now);
  }

  end(): void {
    if (this.out.isTTY) this.out.write('\r\u001b[K');
  }

  private show(now: number): void {
    const share = Math.min(1, this.done / Math.max(1, this.total));
    const seconds = (now - this.startedAt) / 1000;
    const remaining = share > 0 ? formatDuration((seconds / share) * (1 - share)) : '…';
    const line = `${this.label}: ${formatNumber(this.done)} of ${formatNumber(this.total)}, ${formatNumber(Math.round(this.done / seconds))}/s, ${remaining} left`;
    if (!this.out.isTTY) this.out.write(`${line}\n`);
    else {
      const full = Math.round(share * WIDTH);
      const bar = '█'.repeat(full) + '░'.repeat(WIDTH - full);
      this.out.write(`\r\u001b[K${bar} ${line}`);
    }
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
