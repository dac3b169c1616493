// How soon an instance is ready again after a fault that takes its database, or itself, away.
import { setTimeout as pause } from 'node:timers/promises';

const OF_ONE = ['kill', 'terminate', 'freeze', 'database-network'];
const OF_ALL = ['database-kill', 'database-freeze', 'database-full', 'node-replace', 'node-cut'];

export class Recoveries {
  /** Seconds, of those that no other such fault cut short. */
  #seconds = [];
  #hits = new Hits();
  #own = new Hits();

  begin(instances, { fault }) {
    this.#hits.begin(instances);
    if (OF_ONE.includes(fault)) this.#own.begin(instances);
  }

  async end(instances, { fault }) {
    this.#hits.end(instances);
    if (OF_ONE.includes(fault)) this.#own.end(instances);
    await Promise.all(instances.map((instance) => this.#measure(instance)));
  }

  /** The instances that a fault hits in this way. */
  hitBy({ fault, instance }, instances) {
    if (OF_ALL.includes(fault)) return instances;
    return OF_ONE.includes(fault) ? [instances[instance]] : [];
  }

  /** Changes with each fault that hits this instance alone; undefined while one does. */
  calm(instance) {
    return this.#own.calm(instance);
  }

  get count() {
    return this.#seconds.length;
  }

  get longest() {
    return Math.max(0, ...this.#seconds);
  }

  async #measure(instance) {
    const [endedAt, calm] = [performance.now(), this.#hits.calm(instance)];
    if (calm === undefined) return undefined;
    while (this.#hits.calm(instance) === calm) {
      const isReady = await instance.isReady();
      if (isReady) return void this.#seconds.push((performance.now() - endedAt) / 1000);
      await pause(100);
    }
    return undefined;
  }
}

class Hits {
  #active = new Map();
  #begun = new Map();

  begin(instances) {
    for (const { name } of instances) {
      this.#active.set(name, (this.#active.get(name) ?? 0) + 1);
      this.#begun.set(name, (this.#begun.get(name) ?? 0) + 1);
    }
  }

  end(instances) {
    for (const { name } of instances) this.#active.set(name, this.#active.get(name) - 1);
  }

  calm({ name }) {
    return this.#active.get(name) ? undefined : (this.#begun.get(name) ?? 0);
  }
}
