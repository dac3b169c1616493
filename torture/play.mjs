// Plays a history on a fresh stage and checks the invariants.
import { setTimeout as pause } from 'node:timers/promises';
import * as accountOperations from './account-operations.mjs';
import { checkAccounts } from './account-invariants.mjs';
import { Client } from './client.mjs';
import * as codeOperations from './code-operations.mjs';
import { finishWithdrawals } from './ending.mjs';
import { FAULTS, isDeadly, isTooSoon, pickNode, victimOf } from './faults.mjs';
import * as forumOperations from './forum-operations.mjs';
import { guess } from './lock-operations.mjs';
import { merge } from './merge-operations.mjs';
import { Model } from './model.mjs';
import { checkMoney } from './money-invariants.mjs';
import * as moneyOperations from './money-operations.mjs';
import * as operatorOperations from './operator-operations.mjs';
import { NodeWatch } from './node-watch.mjs';
import * as profileOperations from './profile-operations.mjs';
import { Recoveries } from './recoveries.mjs';
import { session } from './session-operations.mjs';
import { openStage } from './stage.mjs';
import * as worldOperations from './world-operations.mjs';

const OPERATIONS = {
  ...accountOperations,
  ...codeOperations,
  ...forumOperations,
  ...moneyOperations,
  ...operatorOperations,
  ...profileOperations,
  ...worldOperations,
  guess,
  merge,
  session,
};
const MAX_CONCURRENT = 200;
const MAX_VIOLATIONS = 20;

export class Play {
  model = new Model();
  violations = [];
  played = [];
  counts = {
    operations: 0,
    faulted: 0,
    settled: 0,
    reopened: 0,
    guesses: { made: 0, judged: 0 },
    faults: {},
    answers: {},
    skipped: 0,
  };
  recoveries = new Recoveries((...violation) => this.violate(...violation));
  #active = new Map();
  /** Counts the starts and ends of faults by kind. */
  #changes = new Map();
  #victims = new Set();
  #isOver = false;
  #running = new Set();

  /** `minuteOf` returns the entries of a minute, or undefined after the last minute. */
  static async of(engines, minuteOf, options, run) {
    const play = new Play();
    const violate = (what, detail, entry) => play.violate(what, detail, entry);
    play.stage = await openStage(engines, options, run, (instance, status) => {
      const log = instance.logs().slice(-2000);
      violate('an instance exited unexpectedly', `instance ${instance.name}: ${status}\n${log}`);
    });
    play.nodeWatch = new NodeWatch((instance) => play.recoveries.calm(instance), violate);
    play.client = new Client(play.stage, violate, (status) => play.nodeWatch.note(status));
    try {
      await play.#perform(minuteOf, options);
      if (play.violations.length === 0) await play.#checkInvariants();
    } catch (error) {
      play.#reportError(error);
    } finally {
      await Promise.allSettled(play.#running);
      await play.stage.close();
    }
    return play;
  }

  async #checkInvariants() {
    await finishWithdrawals(this);
    await checkMoney(this);
    if (this.stage.losses.length === 0) await checkAccounts(this);
  }

  violate(what, detail, entry) {
    if (this.violations.length >= MAX_VIOLATIONS) return;
    this.violations.push({ what, detail, entry });
    // Without the abort, operations would wait minutes for an instance that does not come back.
    if (!this.#isOver) this.client?.abort();
  }

  /** Returns a function that tells whether all clocks have been right since this call. */
  watchClocks() {
    return this.watchFaults((kind) => kind === 'clock');
  }

  /** Returns a function that tells whether no relevant fault has been active since this call. */
  watchFaults(isRelevant = () => true) {
    const [active, changes] = [sumOf(this.#active, isRelevant), sumOf(this.#changes, isRelevant)];
    return () => active === 0 && changes === sumOf(this.#changes, isRelevant);
  }

  async #perform(minuteOf, { withdrawals }) {
    const startedAt = performance.now();
    for (let minute = 0; ; minute++) {
      const entries = minuteOf(minute);
      if (!entries) break;
      for (const entry of entries) {
        const early = entry.at - (performance.now() - startedAt);
        if (early > 0) await pause(early);
        while (this.#running.size >= MAX_CONCURRENT) await Promise.race(this.#running);
        if (this.violations.length > 0 || this.counts.faulted >= withdrawals) break;
        this.played.push(entry);
        this.#launch(entry);
      }
      if (this.violations.length > 0 || this.counts.faulted >= withdrawals) break;
    }
    while (this.#running.size > 0) await Promise.race(this.#running);
    this.#isOver = true;
  }

  #launch(entry) {
    const work = (entry.fault ? this.#runFault(entry) : this.#runOperation(entry))
      .catch((error) => this.#reportError(error, entry))
      .finally(() => this.#running.delete(work));
    this.#running.add(work);
  }

  #reportError(error, entry) {
    this.violate(error.what ?? 'the harness failed', error.stack, entry);
  }

  async #runOperation(entry) {
    this.counts.operations++;
    await OPERATIONS[entry.op](this, entry);
  }

  async #runFault(entry) {
    const victim = victimOf(entry);
    if (this.#victims.has(victim) || isTooSoon(this.stage, entry))
      return void this.counts.skipped++;
    this.#victims.add(victim);
    this.#count(entry.fault, 1);
    const hits = this.recoveries.begin(entry, this.stage.instances);
    this.counts.faults[entry.fault] = (this.counts.faults[entry.fault] ?? 0) + 1;
    const nodeIsBack = victim === 'database' ? this.#watchOthers(entry) : undefined;
    const deaths = isDeadly(entry) ? this.stage.instances[entry.instance].deaths : [];
    let recovered;
    let watched;
    try {
      deaths.push(performance.now());
      const left = await FAULTS[entry.fault](this.stage, entry);
      deaths.push(performance.now());
      recovered = this.recoveries.end(hits);
      await left?.started;
    } finally {
      this.#count(entry.fault, -1);
      this.#victims.delete(victim);
      watched = nodeIsBack?.();
    }
    await recovered;
    await watched;
    return undefined;
  }

  /** Watches the remaining nodes of a cluster while a fault takes one node down. */
  #watchOthers(entry) {
    const { instances, accountServers } = this.stage;
    if (accountServers.nodes.length === 1) return undefined;
    const without = pickNode(accountServers.nodes, entry);
    return this.nodeWatch.begin(entry, instances, () => accountServers.serves({ without }));
  }

  #count(fault, change) {
    this.#active.set(fault, (this.#active.get(fault) ?? 0) + change);
    this.#changes.set(fault, (this.#changes.get(fault) ?? 0) + 1);
  }
}

function sumOf(counts, isRelevant) {
  return [...counts].reduce((sum, [kind, count]) => (isRelevant(kind) ? sum + count : sum), 0);
}
