import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { QUERY_OP } from './support.mjs';

export const DAILY_MAX = 9_000_000;
const FIRST_CAP = 12;
/** These timeouts are in seconds. `withLosses` outlasts a database restart. */
const GM_TIMEOUT = { usual: 2, withLosses: 8 };

export class SettingsFile {
  /** The cap is only ever raised, because an instance may still use an older value. */
  cap = FIRST_CAP;
  denied = [];

  #settings = {
    day_max_reg: FIRST_CAP,
    deny_ip: this.denied,
    withdraw: {
      enabled: true,
      max: 3_000_000,
      daily_max: DAILY_MAX,
      gm_timeout: GM_TIMEOUT.usual,
      gm_query_op: Number(QUERY_OP),
      // Runs may outlast a confirmation of identity, and players withdraw right after a password reset.
      proof_minutes: 0,
      pause_hours: 0,
    },
    verify: {
      cooldown: 1,
      per_hour: 1000,
      per_day: 1000,
      per_address_hour: 1000,
      per_minute_all: 100_000,
    },
    registration: { per_address_day: null },
    challenge: { mode: 'off' },
  };

  constructor(folder, isLossy) {
    this.gmTimeout = isLossy ? GM_TIMEOUT.withLosses : GM_TIMEOUT.usual;
    this.#settings.withdraw.gm_timeout = this.gmTimeout;
    this.path = join(folder, 'settings.yaml');
    this.#write();
  }

  raiseCap() {
    this.cap += 3;
    this.#settings.day_max_reg = this.cap;
    this.#write();
  }

  deny(address) {
    this.denied.push(address);
    this.#write();
  }

  setWithdraw(values) {
    Object.assign(this.#settings.withdraw, values);
    this.#write();
  }

  corrupt() {
    writeFileSync(this.path, 'withdraw: { enabled: perhaps');
  }

  repair() {
    this.#write();
  }

  // JSON is also valid YAML.
  #write() {
    writeFileSync(this.path, JSON.stringify(this.#settings));
  }
}
