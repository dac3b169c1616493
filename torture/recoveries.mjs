// Measures how soon an instance recovers after a fault. A recovered instance is ready, connected to Redis, and has
// valid settings.
import { setTimeout as pause } from 'node:timers/promises';
import { Starvation } from './starvation.mjs';

const HEALTHY_WITHIN_MS = 10_000;
const STARTED_WITHIN_MS = 15_000;
const POLL_EVERY_MS = 100;

/**
 * Each function tells from the data of `/api/health/ready` whether a part is up. The data is undefined if the
 * status is not 200.
 */
const PARTS = {
  ready: (health) => health !== undefined,
  redis: (health) => health?.redis === 'up',
  settings: (health) => health?.settings === 'ok',
};
const ALL = Object.keys(PARTS);

/** Lists the parts that a fault breaks, in one instance or in all instances. */
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
// An instance that starts with a broken settings file does not become ready.
const BROKEN_SETTINGS = ['ready', 'settings'];

export class Recoveries {
  cutShort = 0;
  /** Each entry holds the seconds until recovery, and how many of these seconds were CPU starvation. */
  #measured = [];
  #active = new Map();
  #begun = new Map();
  #violate;

  constructor(violate) {
    this.#violate = violate;
  }

  /** Call this method when a fault begins, and pass the result to `end`. */
  begin(entry, instances) {
    const hits = hitsOf(entry, instances);
    for (const key of keysOf(hits, entry)) {
      this.#active.set(key, this.#activeAt(key) + 1);
      this.#begun.set(key, (this.#begun.get(key) ?? 0) + 1);
    }
    return { hits, entry };
  }

  /** Call this method when the fault is over or when a killed instance has been restarted. */
  async end({ hits, entry }) {
    for (const key of keysOf(hits, entry)) this.#active.set(key, this.#activeAt(key) - 1);
    await Promise.all(hits.map(({ instance, parts }) => this.#expect(instance, parts, entry)));
  }

  /** Call this method when no fault is active any more. */
  async expectHealthy(instances) {
    await Promise.all(instances.map((instance) => this.#expect(instance, ALL)));
  }

  /**
   * Returns a number that changes with each fault that makes only this instance unready, or undefined during such a
   * fault or a start.
   */
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

  /** Returns the longest recovery time after subtracting CPU starvation. The limit applies to this time. */
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
        else if (isLate) this.#report(instance, { part, limit, seconds, health, entry });
        else continue;
        left.delete(part);
        // Without a response, the other parts are unknown.
        if (isLate && !isBack && !health) return;
      }
      const pausedAt = performance.now();
      if (left.size > 0) await pause(POLL_EVERY_MS);
      starvation.addDelay(performance.now() - pausedAt - POLL_EVERY_MS);
    }
  }

  #report(instance, { part, limit, seconds, health, entry }) {
    const since = limit === STARTED_WITHIN_MS ? 'its start' : 'the last fault';
    const seen = `instance ${instance.name}, ${seconds.toFixed(1)} s: ${JSON.stringify(health)}`;
    this.#violate(
      `${part}: no recovery within ${limit / 1000} s after ${since}`,
      `${seen}\n${instance.logs().slice(-2000)}`,
      entry,
    );
  }

  /**
   * Returns a function that tells whether a fault has hit the part since this call, or has hit readiness, which
   * hides the part.
   */
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
