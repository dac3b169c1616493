import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { isNameInGame } from '../auth/game-name.js';
import { Player } from '../auth/player.entity.js';
import { isDuplicate } from '../database/database-errors.js';
import { addressGroup } from '../http/request/address.js';
import type { RequestContext } from '../http/request/request-context.js';
import { ZoneUnavailable } from '../zones/zones.errors.js';
import { ZonesService } from '../zones/zones.service.js';
import { VerifyService } from '../verify/verify.service.js';
import { type CookieAnswer, signedIn } from '../sessions/cookie-answer.js';
import { SessionsService, type StartedSession } from '../sessions/sessions.service.js';
import { type TokenView, toTokenView } from '../sessions/token.view.js';
import { AccountTaken, EmailTaken } from './accounts.errors.js';
import { Promoters } from './promoters.js';
import { KnownAddresses } from './known-addresses.js';
import { Passwords } from './passwords.js';
import { RegistrationCap } from './registration-cap.js';
import { RegistrationLimit } from './registration-limit.js';

export interface Registration {
  account: string;
  password: string;
  email: string;
  code: string;
  serverId: number;
  device?: string;
  os?: string;
  browse?: string;
  remember?: boolean;
}

@Injectable()
export class RegistrationService {
  constructor(
    private readonly zones: ZonesService,
    private readonly promoters: Promoters,
    private readonly verify: VerifyService,
    private readonly cap: RegistrationCap,
    private readonly limit: RegistrationLimit,
    private readonly passwords: Passwords,
    private readonly addresses: KnownAddresses,
    private readonly sessions: SessionsService,
    @InjectRepository(Player) private readonly players: Repository<Player>,
  ) {}

  async register(
    form: Registration,
    agentId: unknown,
    context: RequestContext,
  ): Promise<CookieAnswer<TokenView>> {
    await this.requireZoneToRegisterInto(form.serverId);
    const agent = await this.promoters.resolve(agentId, context);
    const { account, email, code } = form;
    const { address } = context;
    const { token, cookie } = await this.limit
      .within(address, () =>
        this.verify.redeem(
          email,
          code,
          address,
          (manager) => this.insert(manager, form, agent, context),
          (error) => error instanceof AccountTaken || isDuplicate(error),
        ),
      )
      .catch((error: unknown) => {
        // Rolled back: there is no such player.
        context.playerId = undefined;
        return this.explain(error, account);
      });
    return signedIn(toTokenView(account, token), cookie);
  }

  private async requireZoneToRegisterInto(serverId: number): Promise<void> {
    const { status } = await this.zones.getRunning(serverId);
    if (status === 'full') throw new ZoneUnavailable();
  }

  private async insert(
    manager: EntityManager,
    { account, password, email, serverId, device, os, browse, remember }: Registration,
    agentId: number | null,
    context: RequestContext,
  ): Promise<StartedSession> {
    const { address } = context;
    if (await isNameInGame(manager, account)) throw new AccountTaken();
    const player = manager.create(Player, {
      account,
      password: this.passwords.hash(password),
      email,
      serverId,
      ip: address,
      device,
      os,
      browse,
      agentId,
    });
    await manager.insert(Player, player);
    await this.addresses.remember(player.id, addressGroup(address), manager);
    const told = (device ?? os ?? browse) === undefined ? undefined : { device, os, browse };
    const owner = { id: player.id, account, ver: 0 };
    const started = await this.sessions.start(owner, { context, remember, device: told }, manager);
    // Last, because it locks today's row, for which every other registration waits, until commit.
    await this.cap.take(manager);
    return started;
  }

  private async explain(error: unknown, account: string): Promise<never> {
    if (!isDuplicate(error)) throw error;
    throw (await this.players.existsBy({ account })) ? new AccountTaken() : new EmailTaken();
  }
}
