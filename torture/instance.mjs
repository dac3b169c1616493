// One instance of the built service, with proxies of its own before everything that it depends on.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Clock } from './clock.mjs';
import { FaultProxy } from './fault-proxy.mjs';
import { SECRETS } from './secrets.mjs';
import { freePort, spawnGatehouse } from './support.mjs';

const START_WITHIN_MS = 90_000;

export class Instance {
  #env;
  #gatehouse;
  #clock;
  #expected = false;
  isStarting = false;

  static async open(
    { accountServers, world, redis, mail },
    { databaseUrl, settings, forum, folder, name, onExit },
  ) {
    const instance = new Instance();
    const before = (servers) => Promise.all(servers.map(({ port }) => FaultProxy.start(port)));
    const database = await before(accountServers.nodes);
    const [zoneDatabase, counters, mails] = await before([world.mariadb, redis, new URL(mail.url)]);
    instance.#clock = new Clock(join(folder, `clock-${name}`));
    instance.#env = {
      ...SECRETS,
      ...forum.env,
      PORT: String(await freePort()),
      LOG_LEVEL: 'warn',
      DATABASE_URL: throughProxies(databaseUrl, database, name),
      GAME_DATABASE_URL: world.urlAt(zoneDatabase.port),
      REDIS_URL: `redis://127.0.0.1:${counters.port}`,
      SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
      MAIL_FROM: 'gatehouse@mail.example',
      SETTINGS_FILE: settings.path,
      ...instance.#clock.env,
    };
    return Object.assign(instance, {
      name,
      onExit,
      proxies: { database, zoneDatabase, counters, mail: mails },
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

  /** As a supervisor does: again, where it ends before it is ready. A broken settings file may be the cause. */
  async start() {
    const deadline = Date.now() + START_WITHIN_MS;
    this.isStarting = true;
    this.#expected = true;
    do {
      this.#gatehouse = await spawnGatehouse(this.#env);
      const { process } = this.#gatehouse;
      while (!process.hasExited && Date.now() < deadline) {
        if (await this.isReady()) {
          this.isStarting = false;
          return void this.#watch(this.#gatehouse);
        }
        await pause(50);
      }
      if (!process.hasExited) break;
      await pause(300);
    } while (Date.now() < deadline);
    const log = this.logs().slice(-3000);
    await this.#gatehouse.kill();
    this.isStarting = false;
    const error = new Error(`instance ${this.name} did not become ready\n${log}`);
    throw Object.assign(error, { what: 'an instance did not start' });
  }

  /** Gives how it ended; it is killed where that takes too long. */
  async stop(signal = 'SIGKILL', withinMs) {
    this.#expected = true;
    if (signal === 'SIGKILL') await this.#gatehouse.kill();
    else return this.#gatehouse.stop(withinMs);
    return undefined;
  }

  signal(signal) {
    this.#gatehouse.process.signal(signal);
  }

  stepClock(ms) {
    return this.#clock.step(ms, () => this.pid);
  }

  async ready() {
    try {
      const signal = AbortSignal.timeout(5000);
      const answer = await fetch(`${this.url}/api/health/ready`, { signal });
      const body = await answer.json();
      return answer.status === 200 ? body.data : undefined;
    } catch {
      return undefined;
    }
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

  async #watch(gatehouse) {
    this.#expected = false;
    const status = await gatehouse.process.exit;
    if (!this.#expected && this.#gatehouse === gatehouse) this.onExit(this, status);
  }
}

/** Instances of a cluster begin at different nodes, the first one not at the node that is spared. */
function throughProxies(url, proxies, name) {
  const hosts = proxies.map((_, place) => {
    const { port } = proxies[(name + 1 + place) % proxies.length];
    return `127.0.0.1:${port}`;
  });
  return url.replace(/127\.0\.0\.1:\d+/, hosts.join());
}
