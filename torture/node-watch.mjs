// Watches a cluster while one of three nodes is down. Every instance without another fault must be ready within
// 10 s.
import { setTimeout as pause } from 'node:timers/promises';

const READY_WITHIN_MS = 10_000;

export class NodeWatch {
  count = 0;
  longest = 0;
  answers = {};
  #isAway = false;

  /** Pass `Recoveries.calm` as `calm`. */
  constructor(calm, violate, readyWithinMs = READY_WITHIN_MS) {
    Object.assign(this, { calm, violate, readyWithinMs });
  }

  /** `serves` tells whether the other nodes commit. Call the returned function when the node is back. */
  begin(entry, instances, serves) {
    this.count++;
    this.#isAway = true;
    let isBack = false;
    const watched = instances.map((instance) => this.#watch(entry, instance, serves, () => isBack));
    return async () => {
      isBack = true;
      this.#isAway = false;
      await Promise.all(watched);
    };
  }

  note(status) {
    if (this.#isAway) this.answers[status] = (this.answers[status] ?? 0) + 1;
  }

  async #watch(entry, instance, serves, isBack) {
    let since;
    for (;;) {
      const [askedAt, before] = [performance.now(), this.calm(instance)];
      const isReady = await instance.isReady();
      const hasOwnFault = before === undefined || before !== this.calm(instance);
      if (isReady && since !== undefined)
        this.longest = Math.max(this.longest, (performance.now() - since) / 1000);
      if ((isReady || hasOwnFault) && isBack()) return;
      if (isReady || hasOwnFault || !(await serves())) since = undefined;
      else since ??= askedAt;
      if (since !== undefined && performance.now() - since > this.readyWithinMs) {
        this.#report(entry, instance);
        return;
      }
      await pause(100);
    }
  }

  #report(entry, instance) {
    const lines = instance.logs().split('\n');
    const excerpt = lines.filter((line) => line.includes('"AccountDatabase"')).slice(-12);
    const what = 'not ready 10 s after one node of three was lost';
    this.violate(what, [`instance ${instance.name}`, ...excerpt].join('\n'), entry);
  }
}
