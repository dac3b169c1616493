import type { Reporter, SerializedError, TestModule, Vitest } from 'vitest/node';
import { findMysqld } from './mysqld.js';

/** Prints `N passed, N failed` as the very last line, after everything that teardown may still have to say. */
export default class SummaryLineReporter implements Reporter {
  #passed = 0;
  #failed = 0;
  #skipped = 0;
  #begunAgain = 0;

  onInit({ projects }: Vitest): void {
    const names = projects.map(({ name }) => name);
    process.once('exit', (code) => {
      // A run that broke off outside any test (a global setup, no files found) has failed all the same.
      if (code !== 0 && this.#failed === 0) this.#failed = 1;
      const skipped = this.#skipped > 0 ? `, ${this.#skipped} skipped` : '';
      process.stdout.write(`${whatItRanOn(names)}\n`);
      if (this.#begunAgain > 0)
        process.stdout.write(`the machine was too slow for ${this.#begunAgain} at first\n`);
      process.stdout.write(`${this.#passed} passed, ${this.#failed} failed${skipped}\n`);
    });
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    this.#passed = 0;
    this.#skipped = 0;
    this.#begunAgain = 0;
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
      if (test.diagnostic()?.flaky) this.#begunAgain++;
      if (state === 'passed') this.#passed++;
      else if (state === 'skipped') this.#skipped++;
      else this.#failed++;
    }
  }
}

/** A run without MySQL passes, and says so. */
function whatItRanOn(projects: string[]): string {
  const mysqld = findMysqld();
  const ran = mysqld && projects.includes('mysql');
  const why = mysqld ? 'the project was not asked for' : 'no mysqld: name one in MYSQLD';
  return ran ? `on MySQL ${mysqld.version} too` : `not on MySQL (${why})`;
}
