/** Runs a few pieces of work at a time. After a failure nothing new begins. */
export class TaskPool {
  private readonly running = new Set<Promise<void>>();
  private failure?: { error: unknown };

  constructor(private readonly limit: number) {}

  /** Waits for a place, then begins. */
  async run(work: () => Promise<void>): Promise<void> {
    while (this.running.size >= this.limit) await Promise.race(this.running);
    this.throwFailure();
    const task: Promise<void> = work()
      .catch((error: unknown) => {
        this.failure ??= { error };
      })
      .finally(() => this.running.delete(task));
    this.running.add(task);
  }

  async drain(): Promise<void> {
    await Promise.all(this.running);
    this.throwFailure();
  }

  private throwFailure(): void {
    if (this.failure) throw this.failure.error;
  }
}
