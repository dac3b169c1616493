import { Client } from '../api/client.js';
import { freshDeployment } from '../api/deployment.js';
import { FakeGameServer } from '../api/game-server.js';
import { SqliteGameWorld } from '../api/sqlite-game-world.js';
import { SECRETS } from '../accounts.js';
import { insertPlayer } from '../servers/cluster-fleet.js';
import { type Environment, type Gatehouse, startGatehouse } from '../servers/gatehouse-process.js';
import { query } from '../servers/mariadb.js';
import { startNginx } from '../servers/nginx.js';
import { writeSettingsFile } from '../servers/settings-file.js';
import { until } from '../until.js';
import { brokenPromises, problemsAt } from './audit.js';
import { isUnknown, Operators, runCommand } from './operators.js';
import { ORIGIN, Players } from './players.js';
import type { Build } from './release-build.js';

const SERVER = 1;
const SETTINGS = {
  // The many sessions of a player must not end each other.
  session: { max_per_account: 1000 },
  withdraw: { gm_timeout: 3, daily_max: 1_000_000_000 },
};
/** In each phase, each instance must serve at least this many requests, according to nginx. */
const LEAST_SERVED = 30;
/** The harness ends a phase that does not get enough requests, for example because all of them fail. */
const PHASE_WITHIN_MS = 240_000;

/** This many withdrawals are left for the commands of both builds to settle at the end. */
const LEFT_TO_SETTLE = 4;

export type Stage = Awaited<ReturnType<typeof setStage>>;

/** Upgrades two instances behind nginx, as "Upgrade" in docs/operations.md describes, while players play. */
export class RollingUpgrade {
  private readonly logs: Array<() => string>;
  private logEnd = 0;

  private constructor(
    readonly stage: Stage,
    private readonly players: Players,
    private readonly operators: Operators,
  ) {
    this.logs = stage.instances.map(({ logs }) => logs);
  }

  /** Sets up two instances of the release, with players who play until `finish`. */
  static async start(release: Build): Promise<RollingUpgrade> {
    const stage = await setStage(release);
    const players = new Players(stage);
    const operators = new Operators(stage, players.promises, await insertPlayer(stage.databaseUrl));
    const upgrade = new RollingUpgrade(stage, players, operators);
    await players.arrive();
    operators.builds = [release];
    upgrade.begin(release.name);
    await players.start();
    operators.start();
    return upgrade;
  }

  get promises(): Players['promises'] {
    return this.players.promises;
  }

  /** Waits until every kind of request was served in this phase, and each instance served some, according to nginx. */
  async play(): Promise<void> {
    const { promises } = this;
    const isComplete = () => promises.isPhaseComplete && Math.min(...this.served()) >= LEAST_SERVED;
    await until(isComplete, { within: PHASE_WITHIN_MS, every: 200 }).catch(() =>
      promises.report(
        `too few requests: ${promises.describePhase()}; by instance ${this.served().join(', ')}`,
      ),
    );
  }

  /** Counts the requests that nginx sent to each instance in this phase. */
  private served(): number[] {
    const entries = this.stage.nginx.accessLog().slice(this.logEnd).split('\n');
    return this.stage.instances.map(({ url }) => {
      const address = `"upstream":"${new URL(url).host}"`;
      return entries.filter((entry) => entry.includes(address)).length;
    });
  }

  async migrate(build: Build, args: string[] = []): Promise<void> {
    this.begin(`migration to ${build.name}`);
    const command = runCommand(build, this.stage.env, 'migrate', ...args);
    if ((await command.exit) !== 0) throw command.failure('migrate failed');
    this.operators.builds = [...this.operators.builds, build];
    this.begin(`after the migration to ${build.name}`);
  }

  /** Stops an instance as a supervisor does, and starts another build in its place. */
  async replace(place: number, build: Build): Promise<void> {
    const name = `${build.name} at instance ${place + 1}`;
    this.begin(`replacement by ${name}`);
    const { instances, env } = this.stage;
    const { url, stop } = instances[place]!;
    const status = await stop();
    if (status !== 0) this.promises.report(`instance ${place + 1} exited with ${status}`);
    instances[place] = await startGatehouse(
      { ...env, PORT: new URL(url).port },
      { build: build.folder },
    );
    this.logs.push(instances[place].logs);
    await this.requireReady(instances[place], build);
    this.begin(name);
  }

  /** Stops the players. The commands of each build then settle the unknown withdrawals. */
  async end(builds: Build[]): Promise<void> {
    const { promises } = this;
    await this.operators.stop();
    const unknown = () => promises.withdrawals.filter(isUnknown).length;
    await until(() => unknown() >= LEFT_TO_SETTLE, { within: PHASE_WITHIN_MS }).catch(() =>
      promises.report('too few withdrawals are unknown'),
    );
    await this.players.stop();
    this.begin('at the end');
    await this.operators.settleRest(builds);
  }

  /** Audits a new instance of the release and the first instance, and returns all problems since the start. */
  async audit(release: Build, current: Build): Promise<string[]> {
    const { promises, stage } = this;
    const [first] = stage.instances;
    const released = await startGatehouse(stage.env, { build: release.folder });
    this.logs.push(released.logs);
    await this.requireReady(released, release);
    await this.requireReady(first, current);
    for (const { url } of [released, first]) await this.auditAt(url);
    await released.kill();
    const lines = this.logs.flatMap((log) => log().split('\n'));
    for (const line of lines) if (line.includes('"unexpected error"')) promises.report(line);
    return promises.problems.map((problem) => withLog(problem, lines));
  }

  /** Uses players' credentials at an instance, compares all promises with the databases, and returns the problems. */
  async auditAt(url = this.stage.instances[0].url): Promise<string[]> {
    const { promises, stage } = this;
    const used = await problemsAt(url, promises, stage);
    const stored = await brokenPromises(promises, stage);
    const problems = [...used, ...stored];
    for (const problem of problems) promises.report(problem);
    return problems;
  }

  /** Returns the figures of the run in one line. */
  figures(title: string): string {
    const { requests, serverErrors, longest, signIns, withdrawals, acts, refused } = this.promises;
    const { restingBrowsers, busyBrowsers } = this.promises;
    const browsers = [...restingBrowsers, ...busyBrowsers];
    const keptOf = (held: object[]) =>
      `${held.filter((one) => !refused.has(one)).length} of ${held.length}`;
    const settled = withdrawals.filter(({ settledAs }) => settledAs !== undefined).length;
    return `${title}: ${requests} requests, ${serverErrors} answered with 5xx, longest answer ${Math.round(longest.other)} ms (${Math.round(longest.withdrawal)} ms for a withdrawal from a hanging game server), ${keptOf(signIns)} sessions and ${keptOf(browsers)} remembered browsers kept, ${withdrawals.length} withdrawals (${settled} unknown and settled), ${acts} acts of operators`;
  }

  async stop(): Promise<void> {
    await Promise.all([this.players.stop(), this.operators.stop()]);
    await this.stage.stop();
  }

  private begin(phase: string): void {
    this.promises.begin(phase);
    this.logEnd = this.stage.nginx.accessLog().length;
  }

  private async requireReady({ url }: Gatehouse, { name, commit }: Build): Promise<void> {
    const { status, body } = await new Client(url).get('/api/health/ready');
    if (status !== 200 || body.data.commit !== commit)
      this.promises.report(`${name} is not ready at ${url}, but ${status} ${JSON.stringify(body)}`);
  }
}

/** Adds what the instances logged about the request. */
function withLog(problem: string, lines: string[]): string {
  const [, id] = /"request_id":"([^"]+)"/.exec(problem) ?? [];
  return [problem, ...lines.filter((line) => id && line.includes(id))].join('\n  ');
}

async function setStage(release: Build) {
  const deployment = await freshDeployment();
  const databaseUrl = deployment.url;
  const world = await SqliteGameWorld.start();
  await world.addServer(SERVER);
  const game = await FakeGameServer.start(world, SECRETS.GM_SECRET);
  const env: Environment = {
    ...deployment.env,
    FRONTEND_URL: ORIGIN,
    PUBLIC_URL: ORIGIN,
    GAME_DATABASE_URL: world.urlAt(),
    SETTINGS_FILE: writeSettingsFile(SETTINGS),
  };
  const migration = runCommand(release, env, 'migrate');
  if ((await migration.exit) !== 0) throw migration.failure('migrate failed');
  await query(
    databaseUrl,
    `INSERT INTO server (id, name, address, port, gm_address, gm_port)
     VALUES (?, 'One', '198.51.100.1', 9000, '127.0.0.1', ?)`,
    [SERVER, game.port],
  );
  const start = () => startGatehouse(env, { build: release.folder });
  const instances = await Promise.all([start(), start()]);
  const nginx = await startNginx({ upstreams: instances.map(({ url }) => new URL(url).host) });
  const stop = async () => {
    await Promise.all([nginx.stop(), ...instances.map((instance) => instance.kill())]);
    await Promise.all([game.stop(), world.stop(), deployment.drop()]);
  };
  return { databaseUrl, env, server: SERVER, world, game, instances, nginx, url: nginx.url, stop };
}
