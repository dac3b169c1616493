// Two nodes of a cluster go on without the third: an instance that nothing else hits is ready again within 10 s.
import { setTimeout as pause } from 'node:timers/promises';

const READY_WITHIN_MS = 10_000;

export class NodeWatch {
  /** How often a node was away, and the longest, in seconds, that an instance was not ready although the others served. */
  count = 0;
  longest = 0;
  /** What clients were told while one was away. */
  answers = {};
  #isAway = false;

  /** `calm` is that of the recoveries. */
  constructor(calm, violate, readyWithinMs = READY_WITHIN_MS) {
    Object.assign(this, { calm, violate, readyWithinMs });
  }

  /** `serves` asks the other nodes. Call what it gives when the node is back. */
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
      const isItsOwn = before === undefined || before !== this.calm(instance);
      if (isReady && since !== undefined)
        this.longest = Math.max(this.longest, (performance.now() - since) / 1000);
      if ((isReady || isItsOwn) && isBack()) return;
      if (isReady || isItsOwn || !(await serves())) since = undefined;
      else since ??= askedAt;
      if (since !== undefined && performance.now() - since > this.readyWithinMs) {
        this.#complain(entry, instance);
        return;
      }
      await pause(100);
    }
  }

  #complain(entry, instance) {
    const lines = instance.logs().split('\n');
    const told = lines.filter((line) => line.includes('"AccountDatabase"')).slice(-12);
    const what = 'not ready 10 s after one node of three was lost';
    this.violate(what, [`instance ${instance.name}`, ...told].join('\n'), entry);
  }
}
