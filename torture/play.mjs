// Plays a history on a fresh stage, and holds what came of it against the invariants.
import { setTimeout as pause } from 'node:timers/promises';
import * as accountOperations from './account-operations.mjs';
import { checkAccounts } from './account-invariants.mjs';
import { Client } from './client.mjs';
import * as codeOperations from './code-operations.mjs';
import { bringToRest } from './ending.mjs';
import { FAULTS, oneOf, victimOf } from './faults.mjs';
import * as forumOperations from './forum-operations.mjs';
import { merge } from './merge-operations.mjs';
import { Model } from './model.mjs';
import { checkMoney } from './money-invariants.mjs';
import * as moneyOperations from './money-operations.mjs';
import * as operatorOperations from './operator-operations.mjs';
import { NodeWatch } from './node-watch.mjs';
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
  ...worldOperations,
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
    faults: {},
    answers: {},
    skipped: 0,
  };
  activeFaults = 0;
  recoveries = new Recoveries();
  #begun = 0;
  #victims = new Set();
  #atWork = new Set();

  /** `minuteOf` gives the entries of a minute, or undefined after the last one. */
  static async of(servers, minuteOf, options, run) {
    const play = new Play();
    const violate = (what, detail, entry) => play.violate(what, detail, entry);
    play.stage = await openStage(servers, options, run, (instance, status) => {
      const log = instance.logs().slice(-2000);
      violate('an instance ended by itself', `instance ${instance.name}: ${status}\n${log}`);
    });
    play.nodeWatch = new NodeWatch((instance) => play.recoveries.calm(instance), violate);
    play.client = new Client(play.stage, violate, (status) => play.nodeWatch.note(status));
    try {
      await play.#perform(minuteOf, options);
      await bringToRest(play);
      await checkMoney(play, options);
      await checkAccounts(play);
    } finally {
      await Promise.allSettled(play.#atWork);
      await play.stage.close();
    }
    return play;
  }

  violate(what, detail, entry) {
    if (this.violations.length >= MOST_VIOLATIONS) return;
    const told = [detail, ...this.#unexpectedErrors()].join('\n');
    this.violations.push({ what, detail: told, entry });
  }

  /** The newest that each instance logged. */
  #unexpectedErrors() {
    return (this.stage?.instances ?? []).flatMap((instance) => {
      const lines = instance.logs().split('\n');
      return lines.filter((line) => line.includes('"unexpected error"')).slice(-1);
    });
  }

  /** Tells whether no fault was on from now until then. */
  quietFrom() {
    const [active, begun] = [this.activeFaults, this.#begun];
    return () => active === 0 && begun === this.#begun;
  }

  /** Grows with every fault that begins. */
  disturbances() {
    return this.#begun;
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
  }

  #launch(entry) {
    const work = (entry.fault ? this.#fault(entry) : this.#operate(entry))
      .catch((error) => this.violate('the harness broke', error.stack, entry))
      .finally(() => this.#atWork.delete(work));
    this.#atWork.add(work);
  }

  async #operate(entry) {
    this.counts.operations++;
    await OPERATIONS[entry.op](this, entry);
  }

  async #fault(entry) {
    const victim = victimOf(entry);
    if (this.#victims.has(victim)) return void this.counts.skipped++;
    this.#victims.add(victim);
    this.#begun++;
    this.activeFaults++;
    const hit = this.recoveries.hitBy(entry, this.stage.instances);
    this.recoveries.begin(hit, entry);
    this.counts.faults[entry.fault] = (this.counts.faults[entry.fault] ?? 0) + 1;
    const nodeIsBack = victim === 'database' ? this.#watchOthers(entry) : undefined;
    let watched;
    try {
      await FAULTS[entry.fault](this.stage, entry);
    } finally {
      this.activeFaults--;
      this.#begun++;
      this.#victims.delete(victim);
      watched = nodeIsBack?.();
    }
    await Promise.all([this.recoveries.end(hit, entry), watched]);
    return undefined;
  }

  /** While a fault takes a node of a cluster away. */
  #watchOthers(entry) {
    const { instances, accountServers } = this.stage;
    if (accountServers.nodes.length === 1) return undefined;
    const without = oneOf(accountServers.nodes, entry);
    return this.nodeWatch.begin(entry, instances, () => accountServers.serves({ without }));
  }
}
