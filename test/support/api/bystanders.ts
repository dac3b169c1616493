import type { Player } from '../../../src/platform/auth/player.entity.js';
import { PASSWORD } from '../accounts.js';
import type { TestApp } from './app.js';
import { createPlayer, tokenOf } from './factories.js';
import { times } from './parallel.js';

const AT_ONCE = 10;
const ROUNDS = 12;

interface Measurement {
  statuses: number[];
  p99: number;
  slowest: number;
}

/** Players who have nothing to do with a fault, and how long they wait while it lasts. */
export class Bystanders {
  private address = 0;

  private constructor(
    private readonly service: TestApp,
    private readonly players: Player[],
  ) {}

  static async create(service: TestApp): Promise<Bystanders> {
    const players = await Promise.all(times(AT_ONCE, () => createPlayer(service)));
    return new Bystanders(service, players);
  }

  /** Sends some requests at once, many times over, with something else at the start of each round. */
  async measure(
    request: (index: number) => Promise<number>,
    startRound: () => void = () => undefined,
  ): Promise<Measurement> {
    const statuses: number[] = [];
    const durations: number[] = [];
    const timed = async (index: number) => {
      const started = performance.now();
      statuses.push(await request(index));
      durations.push(performance.now() - started);
    };
    for (let round = 0; round < ROUNDS; round++) {
      startRound();
      await Promise.all(times(AT_ONCE, timed));
    }
    durations.sort((one, other) => one - other);
    const p99 = durations[Math.ceil(durations.length * 0.99) - 1]!;
    return { statuses, p99, slowest: durations.at(-1)! };
  }

  /** From an address that is new for the account, which is stored too. */
  async logIn(account: string): Promise<number> {
    const number = this.address++;
    const from = `10.9.${number >> 8}.${number & 255}`;
    const body = { account, password: PASSWORD };
    return (await this.service.client.post('/api/login', body, { from })).status;
  }

  async enter(index: number, server: number): Promise<number> {
    const token = this.tokenOf(index);
    const body = { server_id: server };
    return (await this.service.client.post('/api/enter_game', body, { token })).status;
  }

  logInOrEnter(index: number, server: number): Promise<number> {
    return index % 2 === 0 ? this.logIn(this.players[index]!.account) : this.enter(index, server);
  }

  async logInOrRead(index: number): Promise<number> {
    if (index % 2 === 0) return this.logIn(this.players[index]!.account);
    return (await this.service.client.get('/api/sessions', { token: this.tokenOf(index) })).status;
  }

  private tokenOf(index: number): string {
    return tokenOf(this.service, this.players[index]!);
  }
}

/** Clients that send their request again whenever it was answered. */
export class PersistentClients {
  readonly statuses: number[] = [];
  private readonly pending = new Map<number, Promise<void>>();

  constructor(
    private readonly count: number,
    private readonly send: (index: number) => Promise<number>,
  ) {}

  /** Sends the request of every client that waits for no answer. */
  sendAll(): void {
    for (let index = 0; index < this.count; index++)
      if (!this.pending.has(index)) this.pending.set(index, this.sendOne(index));
  }

  async finish(): Promise<void> {
    await Promise.all(this.pending.values());
  }

  private async sendOne(index: number): Promise<void> {
    this.statuses.push(await this.send(index));
    this.pending.delete(index);
  }
}
