// Runs one instance of the built service, with its own fault proxy in front of each dependency.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Clock } from './clock.mjs';
import { FaultProxy } from './fault-proxy.mjs';
import { SECRETS } from './secrets.mjs';
import { Starvation } from './starvation.mjs';
import { freePort, signalIfRunning, spawnGatehouse } from './support.mjs';

const START_WITHIN_MS = 90_000;
// Faults step a clock by at least 36 s.
const SMALLEST_STEP_SECONDS = 20;

export class Instance {
  #env;
  #gatehouse;
  #clock;
  #isExitExpected = false;
  #earlierLogs = [];
  isStarting = false;
  deaths = [];

  static async open(
    { accountServers, world, redis, mail },
    { databaseUrl, settings, forum, folder, name, logLevel, onExit },
  ) {
    const instance = new Instance();
    const startProxies = (servers) =>
      Promise.all(servers.map(({ port }) => FaultProxy.start(port)));
    const database = await startProxies(accountServers.nodes);
    const [gameDatabase, counters, mailProxy] = await startProxies([
      world.mariadb,
      redis,
      new URL(mail.url),
    ]);
    instance.#clock = new Clock(join(folder, `clock-${name}`));
    instance.#env = {
      ...SECRETS,
      ...forum.env,
      PORT: String(await freePort()),
      LOG_LEVEL: logLevel,
      DATABASE_URL: throughProxies(databaseUrl, database, name),
      GAME_DATABASE_URL: world.urlAt(gameDatabase.port),
      REDIS_URL: `redis://127.0.0.1:${counters.port}`,
      SMTP_URL: `smtp://127.0.0.1:${mailProxy.port}`,
      MAIL_FROM: 'gatehouse@mail.example',
      SETTINGS_FILE: settings.path,
      ...instance.#clock.env,
    };
    return Object.assign(instance, {
      name,
      onExit,
      proxies: { database, gameDatabase, counters, mail: mailProxy },
    });
  }

  get url() {
    return `http://127.0.0.1:${this.#env.PORT}`;
  }

  get environment() {
    return this.#env;
  }

  get pid() {
    return this.#gatehouse?.pid;
  }

  logs() {
    return this.#gatehouse?.logs() ?? '';
  }

  /** Returns the orders that the instance logged as sent, including those before restarts. Needs log level `info`. */
  sentOrders() {
    const lines = this.#allLogs().matchAll(/"orderNo":"([^"]+)".*goes out/g);
    return new Set(Array.from(lines, ([, orderNo]) => orderNo));
  }

  /** Returns the latest log lines about errors that the service did not expect, including those before restarts. */
  unexpectedErrors() {
    return (this.#allLogs().match(/^.*"unexpected error".*$/gm) ?? []).slice(-5);
  }

  /**
   * Restarts the instance, as a supervisor would, if it exits before it is ready, for example because of a broken
   * settings file.
   */
  async start() {
    const deadline = Date.now() + START_WITHIN_MS;
    const starvation = new Starvation(this);
    const isLate = () => Date.now() > deadline + starvation.ms;
    this.isStarting = true;
    this.#isExitExpected = true;
    do {
      if (this.#gatehouse) this.#earlierLogs.push(this.logs());
      this.#gatehouse = await spawnGatehouse(this.#env);
      const { process } = this.#gatehouse;
      while (!process.hasExited && !isLate()) {
        if (await this.isReady()) {
          this.isStarting = false;
          return void this.#watch(this.#gatehouse);
        }
        await pause(50);
      }
      if (!process.hasExited) break;
      await pause(300);
    } while (!isLate());
    const log = this.logs().slice(-3000);
    await this.#gatehouse.kill();
    this.isStarting = false;
    const error = new Error(`instance ${this.name} did not become ready\n${log}`);
    throw Object.assign(error, { what: 'an instance did not start' });
  }

  /** Stops the process and returns its exit status. Kills the process if it does not exit in time. */
  async stop(signal = 'SIGKILL', withinMs) {
    this.#isExitExpected = true;
    if (signal !== 'SIGKILL') return this.#gatehouse.stop(withinMs);
    await this.#gatehouse.kill();
    return undefined;
  }

  signal(signal) {
    signalIfRunning(this.pid, signal);
  }

  stepClock(ms) {
    return this.#clock.step(ms, () => this.pid);
  }

  /** Returns the data of `/api/health/ready`, or undefined if the status is not 200. */
  async ready() {
    try {
      const answer = await fetch(`${this.url}/api/health/ready`, {
        headers: { Connection: 'close' },
        signal: AbortSignal.timeout(5000),
      });
      const body = await answer.json();
      return answer.status === 200 ? body.data : undefined;
    } catch {
      return undefined;
    }
  }

  /** Returns whether the instance's last comparison found its clock close to the database's. */
  async knowsDatabaseClock() {
    try {
      const answer = await fetch(`${this.url}/api/metrics`, {
        headers: { Connection: 'close' },
        signal: AbortSignal.timeout(5000),
      });
      const [, skew] = /^gatehouse_clock_skew_seconds (\S+)$/m.exec(await answer.text()) ?? [];
      return Math.abs(Number(skew)) < SMALLEST_STEP_SECONDS;
    } catch {
      return false;
    }
  }

  async sharesCounters() {
    return (await this.ready())?.redis === 'up';
  }

  async isReady() {
    return (await this.ready()) !== undefined;
  }

  async close() {
    await this.stop();
    await Promise.all(
      Object.values(this.proxies)
        .flat()
        .map((proxy) => proxy.stop()),
    );
  }

  #allLogs() {
    return [...this.#earlierLogs, this.logs()].join('\n');
  }

  async #watch(gatehouse) {
    this.#isExitExpected = false;
    const status = await gatehouse.process.exit;
    if (!this.#isExitExpected && this.#gatehouse === gatehouse) this.onExit(this, status);
  }
}

/** Each instance prefers a different node of a cluster. */
function throughProxies(url, proxies, name) {
  const hosts = proxies.map((_, index) => {
    const { port } = proxies[(name + 1 + index) % proxies.length];
    return `127.0.0.1:${port}`;
  });
  return url.replace(/127\.0\.0\.1:\d+/, hosts.join());
}
