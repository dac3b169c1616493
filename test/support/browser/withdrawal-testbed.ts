import type { Page } from 'playwright-core';
import { unique } from '../accounts.js';
import { EmbeddedGameWorld } from './embedded-game-world.js';
import { openSignedIn, press } from './player-actions.js';
import { WebTestbed } from './web-testbed.js';

/**
 * Runs the players' site with one server to withdraw from. Each test has its own player with one role and 1000
 * yuanbao.
 */
export class WithdrawalTestbed {
  account = '';
  role = 0;
  roleName = '';
  keys: (string | undefined)[] = [];

  private constructor(
    readonly site: WebTestbed,
    readonly world: EmbeddedGameWorld,
    readonly server: number,
  ) {}

  static async start(host?: 'localhost'): Promise<WithdrawalTestbed> {
    const world = await EmbeddedGameWorld.start();
    world.gameServer.answersQueries = false;
    const site = await WebTestbed.start({ host, env: { GAME_DATABASE_URL: world.roles.urlAt() } });
    const server = await site.addServer({
      name: 'Dragon Valley',
      gm_port: world.gameServer.port,
    });
    await world.roles.addServer(server);
    return new WithdrawalTestbed(site, world, server);
  }

  async openAsNewPlayer(): Promise<Page> {
    this.world.gameServer.ledger.clear();
    this.world.gameServer.fault = () => 'none';
    this.account = await this.site.createAccount();
    this.roleName = unique('knight');
    const { account, roleName: name } = this;
    this.role = await this.world.roles.createRole(this.server, { account, name, balance: 1000 });
    const { page } = await openSignedIn(this.site, '/withdraw', account);
    this.keys = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/api/game/withdraw'))
        this.keys.push(request.headers()['idempotency-key']);
    });
    return page;
  }

  async fillIn(page: Page, amount: string): Promise<void> {
    await page.getByRole('radio', { name: this.roleName }).check();
    await page.getByLabel('Amount').fill(amount);
  }

  /** Fills in the form and confirms the review. */
  async withdraw(page: Page, amount: string): Promise<void> {
    await this.fillIn(page, amount);
    await this.confirm(page);
  }

  async confirm(page: Page): Promise<void> {
    await press(page, 'Review withdrawal');
    await press(page, /^Withdraw /);
  }

  /** Returns the key of a withdrawal without an outcome, which the page keeps for the next load. */
  keptKey(page: Page): Promise<unknown> {
    return page.evaluate(`sessionStorage.getItem('CQ-WITHDRAW:${this.account}')`);
  }

  balance(): Promise<number> {
    return this.world.roles.balanceOf(this.server, this.role);
  }

  async stop(): Promise<void> {
    await this.site.stop();
    await this.world.stop();
  }
}
