// How soon an instance is ready again after a fault that takes its database, or itself, away.
import { setTimeout as pause } from 'node:timers/promises';

const OF_ONE = ['kill', 'terminate', 'freeze', 'database-network'];
const OF_ALL = ['database-kill', 'database-freeze', 'database-full'];

export class Recoveries {
  /** Seconds, of those that no other such fault cut short. */
  #seconds = [];
  #active = new Map();
  #begun = new Map();

  begin(instances) {
    for (const { name } of instances) {
      this.#active.set(name, (this.#active.get(name) ?? 0) + 1);
      this.#begun.set(name, (this.#begun.get(name) ?? 0) + 1);
    }
  }

  async end(instances) {
    for (const { name } of instances) this.#active.set(name, this.#active.get(name) - 1);
    await Promise.all(instances.map((instance) => this.#measure(instance)));
  }

  /** The instances that a fault hits in this way. Of a cluster two nodes go on (node-watch.mjs). */
  hitBy({ fault, instance }, { instances, accountServers }) {
    if (OF_ALL.includes(fault)) return accountServers.nodes.length > 1 ? [] : instances;
    return OF_ONE.includes(fault) ? [instances[instance]] : [];
  }

  /** Changes with each fault that hits the instance; undefined while one does. */
  calm({ name }) {
    return this.#active.get(name) ? undefined : (this.#begun.get(name) ?? 0);
  }

  get count() {
    return this.#seconds.length;
  }

  get longest() {
    return Math.max(0, ...this.#seconds);
  }

  async #measure(instance) {
    const { name } = instance;
    const [endedAt, begun] = [performance.now(), this.#begun.get(name)];
    while (this.#active.get(name) === 0 && this.#begun.get(name) === begun) {
      const isReady = await instance.isReady();
      if (isReady) return void this.#seconds.push((performance.now() - endedAt) / 1000);
      await pause(100);
    }
    return undefined;
  }
}
