// Plays a history on a fresh stage, and holds what came of it against the invariants.
import { setTimeout as pause } from 'node:timers/promises';
import * as accountOperations from './account-operations.mjs';
import { checkAccounts } from './account-invariants.mjs';
import { Client } from './client.mjs';
import * as codeOperations from './code-operations.mjs';
import { bringToRest } from './ending.mjs';
import { FAULTS, isDeadly, isTooSoon, oneOf, victimOf } from './faults.mjs';
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
const MOST_AT_ONCE = 200;
const MOST_VIOLATIONS = 20;

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
  /** By kind: how many are on, and how often one began or ended. */
  #active = new Map();
  #changes = new Map();
  #victims = new Set();
  #isJudged = false;
  #atWork = new Set();

  /** `minuteOf` gives the entries of a minute, or undefined after the last one. */
  static async of(engines, minuteOf, options, run) {
    const play = new Play();
    const violate = (what, detail, entry) => play.violate(what, detail, entry);
    play.stage = await openStage(engines, options, run, (instance, status) => {
      const log = instance.logs().slice(-2000);
      violate('an instance ended by itself', `instance ${instance.name}: ${status}\n${log}`);
    });
    play.nodeWatch = new NodeWatch((instance) => play.recoveries.calm(instance), violate);
    play.client = new Client(play.stage, violate, (status) => play.nodeWatch.note(status));
    try {
      await play.#perform(minuteOf, options);
      if (play.violations.length === 0) await play.#judge();
    } catch (error) {
      play.#broke(error);
    } finally {
      await Promise.allSettled(play.#atWork);
      await play.stage.close();
    }
    return play;
  }

  async #judge() {
    await bringToRest(this);
    await checkMoney(this);
    if (this.stage.losses.length === 0) await checkAccounts(this);
  }

  violate(what, detail, entry) {
    if (this.violations.length >= MOST_VIOLATIONS) return;
    const told = [detail, ...this.#unexpectedErrors()].join('\n');
    this.violations.push({ what, detail: told, entry });
    // Where an instance never comes back, operations would wait for it for minutes.
    if (!this.#isJudged) this.client?.giveUp();
  }

  /** The newest that each instance logged. */
  #unexpectedErrors() {
    return (this.stage?.instances ?? []).flatMap((instance) => {
      const lines = instance.logs().split('\n');
      return lines.filter((line) => line.includes('"unexpected error"')).slice(-1);
    });
  }

  /** Tells whether all clocks were right from now until then. */
  trueClockFrom() {
    return this.quietFrom((kind) => kind === 'clock');
  }

  /** Tells whether no fault was on from now until then, of the kinds that are meant. */
  quietFrom(isMeant = () => true) {
    const [active, changes] = [sumOf(this.#active, isMeant), sumOf(this.#changes, isMeant)];
    return () => active === 0 && changes === sumOf(this.#changes, isMeant);
  }

  async #perform(minuteOf, { withdrawals }) {
    const startedAt = performance.now();
    for (let minute = 0; ; minute++) {
      const entries = minuteOf(minute);
      if (!entries) break;
      for (const entry of entries) {
        const early = entry.at - (performance.now() - startedAt);
        if (early > 0) await pause(early);
        while (this.#atWork.size >= MOST_AT_ONCE) await Promise.race(this.#atWork);
        if (this.violations.length > 0 || this.counts.faulted >= withdrawals) break;
        this.played.push(entry);
        this.#launch(entry);
      }
      if (this.violations.length > 0 || this.counts.faulted >= withdrawals) break;
    }
    while (this.#atWork.size > 0) await Promise.race(this.#atWork);
    this.#isJudged = true;
  }

  #launch(entry) {
    const work = (entry.fault ? this.#fault(entry) : this.#operate(entry))
      .catch((error) => this.#broke(error, entry))
      .finally(() => this.#atWork.delete(work));
    this.#atWork.add(work);
  }

  #broke(error, entry) {
    this.violate(error.what ?? 'the harness broke', error.stack, entry);
  }

  async #operate(entry) {
    this.counts.operations++;
    await OPERATIONS[entry.op](this, entry);
  }

  async #fault(entry) {
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

  /** While a fault takes a node of a cluster away. */
  #watchOthers(entry) {
    const { instances, accountServers } = this.stage;
    if (accountServers.nodes.length === 1) return undefined;
    const without = oneOf(accountServers.nodes, entry);
    return this.nodeWatch.begin(entry, instances, () => accountServers.serves({ without }));
  }

  #count(fault, change) {
    this.#active.set(fault, (this.#active.get(fault) ?? 0) + change);
    this.#changes.set(fault, (this.#changes.get(fault) ?? 0) + 1);
  }
}

function sumOf(counts, isMeant) {
  return [...counts].reduce((sum, [kind, count]) => (isMeant(kind) ? sum + count : sum), 0);
}
