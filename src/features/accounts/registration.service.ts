import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { isGameNameTaken } from '../../platform/auth/game-name.js';
import { Player } from '../../platform/auth/player.entity.js';
import { isDuplicateKey } from '../../platform/database/database-errors.js';
import { addressGroup } from '../../platform/http/request/address.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import { ServerUnavailable } from '../servers/servers.errors.js';
import { ServersService } from '../servers/servers.service.js';
import { VerifyService } from '../verify/verify.service.js';
import { type ResponseWithCookie, signInResponse } from '../sessions/response-with-cookie.js';
import { SessionsService, type StartedSession } from '../sessions/sessions.service.js';
import { type TokenView, toTokenView } from '../sessions/token.view.js';
import type { RegisterDto } from './dto/register.dto.js';
import { AccountTaken, EmailTaken } from './accounts.errors.js';
import { Promoters } from './promoters.js';
import { KnownAddresses } from './known-addresses.js';
import { Passwords } from './passwords.js';
import { RegistrationCap } from './registration-cap.js';
import { RegistrationLimit } from './registration-limit.js';

@Injectable()
export class RegistrationService {
  constructor(
    private readonly servers: ServersService,
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
    form: RegisterDto,
    agentId: unknown,
    context: RequestContext,
  ): Promise<ResponseWithCookie<TokenView>> {
    await this.requireServerOpenForRegistration(form.serverId);
    const agent = await this.promoters.resolve(agentId, context);
    const { account, email, code } = form;
    const { address } = context;
    const { token, cookie } = await this.limit
      .run(address, () =>
        this.verify.redeem(
          email,
          code,
          address,
          (manager) => this.insert(manager, form, agent, context),
          (error) => error instanceof AccountTaken || isDuplicateKey(error),
        ),
      )
      .catch((error: unknown) => {
        // Rolled back: the player does not exist.
        context.playerId = undefined;
        return this.translateDuplicate(error, account);
      });
    return signInResponse(toTokenView(account, token), cookie);
  }

  private async requireServerOpenForRegistration(serverId: number): Promise<void> {
    const { status } = await this.servers.getRunning(serverId);
    if (status === 'full') throw new ServerUnavailable();
  }

  private async insert(
    manager: EntityManager,
    { account, password, email, serverId, device, os, browse, remember }: RegisterDto,
    agentId: number | null,
    context: RequestContext,
  ): Promise<StartedSession> {
    const { address } = context;
    if (await isGameNameTaken(manager, account)) throw new AccountTaken();
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
    const reportedDevice =
      (device ?? os ?? browse) === undefined ? undefined : { device, os, browse };
    const owner = { id: player.id, account, ver: 0 };
    const started = await this.sessions.start(
      owner,
      { context, remember, device: reportedDevice },
      manager,
    );
    // Last, because it locks today's row, for which every other registration waits, until commit.
    await this.cap.takePlace(manager);
    return started;
  }

  private async translateDuplicate(error: unknown, account: string): Promise<never> {
    if (!isDuplicateKey(error)) throw error;
    throw (await this.players.existsBy({ account })) ? new AccountTaken() : new EmailTaken();
  }
}
