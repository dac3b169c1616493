// How soon an instance is whole again after a fault: it is ready, shares its counters, and follows its settings. Too late is a violation.
import { setTimeout as pause } from 'node:timers/promises';
import { Starvation } from './starvation.mjs';

const HEALTHY_WITHIN_MS = 10_000;
const STARTED_WITHIN_MS = 15_000;
const LOOK_EVERY_MS = 100;

/** What `/api/health/ready` says of each part; undefined where it does not answer 200. */
const PARTS = {
  ready: (health) => health !== undefined,
  redis: (health) => health?.redis === 'up',
  settings: (health) => health?.settings === 'ok',
};
const ALL = Object.keys(PARTS);

/** The parts that a fault takes away: from one instance, and from all. */
const OF_ONE = {
  kill: ALL,
  terminate: ALL,
  freeze: ALL,
  'database-network': ['ready'],
  'redis-network': ['redis'],
};
const OF_ALL = {
  'database-kill': ['ready'],
  'database-loss': ['ready'],
  'database-freeze': ['ready'],
  'database-full': ['ready'],
  'node-replace': ['ready'],
  'node-cut': ['ready'],
  'redis-kill': ['redis'],
  'redis-freeze': ['redis'],
  settings: ['settings'],
};
// Whoever starts with a broken file does not become ready.
const BROKEN_SETTINGS = ['ready', 'settings'];

export class Recoveries {
  /** Those that another fault cut short: that one's end is judged. */
  cutShort = 0;
  /** Seconds, and how many of them without a core. */
  #measured = [];
  #active = new Map();
  #begun = new Map();
  #violate;

  constructor(violate) {
    this.#violate = violate;
  }

  /** A fault begins. Gives what it hits, for `end`. */
  begin(entry, instances) {
    const hits = hitsOf(entry, instances);
    for (const key of keysOf(hits, entry)) {
      this.#active.set(key, this.#activeAt(key) + 1);
      this.#begun.set(key, (this.#begun.get(key) ?? 0) + 1);
    }
    return { hits, entry };
  }

  /** The fault is over; a killed instance has just been started again. */
  async end({ hits, entry }) {
    for (const key of keysOf(hits, entry)) this.#active.set(key, this.#activeAt(key) - 1);
    await Promise.all(hits.map(({ instance, parts }) => this.#expect(instance, parts, entry)));
  }

  /** No fault is on any more. */
  async expectWhole(instances) {
    await Promise.all(instances.map((instance) => this.#expect(instance, ALL)));
  }

  /** Changes with each fault that takes this instance alone away; undefined while one does. */
  calm({ name, isStarting }) {
    const key = aloneKey(name);
    return isStarting || this.#activeAt(key) > 0 ? undefined : (this.#begun.get(key) ?? 0);
  }

  get count() {
    return this.#measured.length;
  }

  get longest() {
    return Math.max(0, ...this.#measured.map(({ seconds }) => seconds));
  }

  /** As it is judged: without the time in which there was no core. */
  get longestWithCore() {
    return Math.max(0, ...this.#measured.map(({ seconds, lost }) => seconds - lost));
  }

  async #expect(instance, parts, entry) {
    const [endedAt, starvation] = [performance.now(), new Starvation(instance)];
    const left = new Map(parts.map((part) => [part, this.#disturbance(instance, part)]));
    let limit = HEALTHY_WITHIN_MS;
    while (left.size > 0) {
      if (instance.isStarting) limit = STARTED_WITHIN_MS;
      const isLate = performance.now() - endedAt > limit + starvation.ms;
      const health = await instance.ready();
      const seconds = (performance.now() - endedAt) / 1000;
      for (const [part, isDisturbed] of left) {
        const isBack = PARTS[part](health);
        if (isDisturbed()) this.cutShort++;
        else if (isBack) this.#measured.push({ seconds, lost: starvation.ms / 1000 });
        else if (isLate) this.#tell(instance, { part, limit, seconds, health, entry });
        else continue;
        left.delete(part);
        // Nothing is seen of the others either.
        if (isLate && !isBack && !health) return;
      }
      const pausedAt = performance.now();
      if (left.size > 0) await pause(LOOK_EVERY_MS);
      starvation.overslept(performance.now() - pausedAt - LOOK_EVERY_MS);
    }
  }

  #tell(instance, { part, limit, seconds, health, entry }) {
    const since = limit === STARTED_WITHIN_MS ? 'its start' : 'the last fault';
    const seen = `instance ${instance.name}, ${seconds.toFixed(1)} s: ${JSON.stringify(health)}`;
    this.#violate(
      `${part} is not back ${limit / 1000} s after ${since}`,
      `${seen}\n${instance.logs().slice(-2000)}`,
      entry,
    );
  }

  /** Tells whether a fault is on, or was since now, that takes the part away. Nothing is seen of an instance that is not ready. */
  #disturbance({ name }, part) {
    const keys = [`${name} ${part}`, `${name} ready`];
    const begun = keys.map((key) => this.#begun.get(key));
    return () =>
      keys.some((key, at) => this.#activeAt(key) > 0 || this.#begun.get(key) !== begun[at]);
  }

  #activeAt(key) {
    return this.#active.get(key) ?? 0;
  }
}

function hitsOf({ fault, instance, edit }, instances) {
  if (OF_ONE[fault]) return [{ instance: instances[instance], parts: OF_ONE[fault] }];
  const parts = edit === 'broken' && fault === 'settings' ? BROKEN_SETTINGS : OF_ALL[fault];
  return parts ? instances.map((each) => ({ instance: each, parts })) : [];
}

function keysOf(hits, { fault }) {
  const isAlone = OF_ONE[fault]?.includes('ready');
  return hits.flatMap(({ instance: { name }, parts }) => [
    ...parts.map((part) => `${name} ${part}`),
    ...(isAlone ? [aloneKey(name)] : []),
  ]);
}

function aloneKey(name) {
  return `${name} alone`;
}
