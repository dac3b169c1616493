import { join } from 'node:path';
import { Client } from '../api/client.js';
import type { FakeGameServer } from '../api/game-server.js';
import { PASSWORD } from '../accounts.js';
import type { Environment } from '../servers/gatehouse-process.js';
import { ManagedProcess } from '../servers/processes.js';
import type { Player, Promises, Withdrawal } from './promises.js';
import type { Build } from './release-build.js';

const WHO = ['--by', 'anna', '--note', 'an upgrade', '--yes'];
const AT_ONCE = 5;

/** Runs the commands of each version in turn, one at a time. */
export class Operators {
  builds: Build[] = [];
  private isRunning = false;
  private work?: Promise<void>;

  constructor(
    private readonly stage: { url: string; env: Environment; game: FakeGameServer },
    private readonly promises: Promises,
    private readonly victim: Player,
  ) {}

  start(): void {
    this.isRunning = true;
    this.work = this.operate();
  }

  async stop(): Promise<void> {
    this.isRunning = false;
    await this.work;
  }

  private async operate(): Promise<void> {
    for (let n = 0; this.isRunning; n++) {
      const build = this.builds[n % this.builds.length]!;
      if (!(await this.settleSome(build, AT_ONCE))) await this.banAndUnban(build);
    }
  }

  /** Settles unknown withdrawals according to the game's ledger. Returns whether there were any. */
  async settleSome(build: Build, most: number): Promise<boolean> {
    const open = this.promises.withdrawals.filter(isUnknown);
    const [oldest] = open;
    if (!oldest) return false;
    const outcome = this.outcomeOf(oldest);
    const together = open.filter((each) => this.outcomeOf(each) === outcome).slice(0, most);
    for (const each of together) each.settledAs = outcome;
    const ids = together.map(({ answers }) => answers[0]!.body.data.id as number);
    if (await this.run(build, 'withdrawal', 'settle', ids.join(), outcome, ...WHO))
      this.promises.acts += ids.length;
    return true;
  }

  /** Settles all unknown withdrawals, with the commands of all builds. */
  async settleRest(builds: Build[]): Promise<void> {
    const one = async (build: Build, most: number) => {
      if (!(await this.settleSome(build, most)))
        this.promises.report(`${build.name}: no withdrawal is left to settle`);
    };
    for (const build of builds) await one(build, 1);
    while (await this.settleSome(builds[0]!, 50));
  }

  private outcomeOf({ role }: Withdrawal): 'succeeded' | 'failed' {
    const orders = [...this.stage.game.ledger.values()];
    const isApplied = orders.some(
      ({ roleId, applications }) => roleId === role && applications > 0,
    );
    return isApplied ? 'succeeded' : 'failed';
  }

  /** Bans a player, who then cannot sign in, and lifts the ban. */
  private async banAndUnban(build: Build): Promise<void> {
    const { account } = this.victim;
    const until = ['--until', '3d', '--reason', 'botting'];
    const client = new Client(this.stage.url);
    const signIn = () => client.post('/api/login', { account, password: PASSWORD });
    if (await this.run(build, 'player', 'ban', account, ...until, ...WHO)) {
      this.promises.acts++;
      await this.promises.ask('sign-in', signIn, ({ body }) => body.error === 'account_disabled');
    }
    if (await this.run(build, 'player', 'unban', account, ...WHO)) {
      this.promises.acts++;
      await this.promises.ask('sign-in', signIn);
    }
  }

  private async run(build: Build, ...args: string[]): Promise<boolean> {
    const command = runCommand(build, this.stage.env, ...args);
    const isDone = (await command.exit) === 0;
    if (isDone) this.promises.count('command');
    else this.promises.report(`${build.name}: ${args.join(' ')} failed: ${command.output}`);
    return isDone;
  }
}

export function isUnknown({ answers, settledAs }: Withdrawal): boolean {
  return answers[0]?.status === 202 && settledAs === undefined;
}

/** Runs the operators' command of a build. */
export function runCommand({ folder }: Build, env: Environment, ...args: string[]): ManagedProcess {
  return new ManagedProcess('node', [join(folder, 'dist/gatehouse.js'), ...args], {
    // The process does not run in the project folder, because a developer's .env there must not affect tests.
    cwd: join(folder, 'dist'),
    env: { AGREEMENT_FILE: join(folder, 'config/agreement.html'), ...env },
  });
}
