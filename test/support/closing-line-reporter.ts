import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/** Prints `N passed, N failed` as the very last line, after everything that teardown may still have to say. */
export default class ClosingLineReporter implements Reporter {
  #passed = 0;
  #failed = 0;
  #skipped = 0;

  onInit(): void {
    process.once('exit', (code) => {
      // A run that broke off outside any test (a global setup, no files found) has failed all the same.
      if (code !== 0 && this.#failed === 0) this.#failed = 1;
      const skipped = this.#skipped > 0 ? `, ${this.#skipped} skipped` : '';
      process.stdout.write(`${this.#passed} passed, ${this.#failed} failed${skipped}\n`);
    });
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    this.#passed = 0;
    this.#skipped = 0;
    this.#failed = unhandledErrors.length;
    for (const module of modules) this.#count(module);
  }

  #count(module: TestModule): void {
    // A file that could not be collected, or a hook that failed, belongs to no test.
    if (module.errors().length > 0) this.#failed++;
    for (const suite of module.children.allSuites()) {
      if (suite.errors().length > 0) this.#failed++;
    }
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === 'passed') this.#passed++;
      else if (state === 'skipped') this.#skipped++;
      else this.#failed++;
    }
  }
}
