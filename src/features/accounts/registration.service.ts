import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Entity, type EntityManager, PrimaryGeneratedColumn, Repository } from 'typeorm';
import { FlagColumn, TextColumn } from '../../platform/database/columns.js';
import { GENERATED_NAME, isSameAccount } from '../../platform/auth/account-name.js';
import { Player } from '../../platform/auth/player.entity.js';
import { claimName } from '../../platform/auth/reserved-names.js';
import { Settings } from '../../platform/config/settings.js';
import type { SettingsValues } from '../../platform/config/settings.schema.js';
import { isDuplicateKey } from '../../platform/database/database-errors.js';
import { addressGroup } from '../../platform/http/request/address.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import { MAX_INT } from '../../platform/http/validation/field.decorator.js';
import { requestLog } from '../../platform/log/log.js';
import { ServersService, ServerUnavailable } from '../servers/servers.service.js';
import { type ResponseWithCookie, signInResponse } from '../sessions/sign-in-response.js';
import { SessionsService, type StartedSession } from '../sessions/sessions.service.js';
import { type TokenView, toTokenView } from '../sessions/sessions.view.js';
import { MailDomains } from '../verify/mail-domains.js';
import { VerifyService } from '../verify/verify.service.js';
import type { RegisterDto } from './accounts.dto.js';
import { AccountTaken, EmailTaken } from './accounts.errors.js';
import { LoginAddressesService } from './login-addresses.service.js';
import { PasswordRules } from './password-rules.js';
import { Passwords } from './passwords.js';
import { RegistrationCap, RegistrationLimit } from './registration-limits.js';

/** Describes a promoter, who recruits players. Operators write these rows. */
@Entity('agent')
export class Promoter {
  @PrimaryGeneratedColumn() id: number;
  @TextColumn(64) name: string;
  @FlagColumn({ default: true }) active: boolean;
}

export function isReservedName({ registration }: SettingsValues, account: string): boolean {
  return registration.reserved_names.some((name) => isSameAccount(name, account));
}

@Injectable()
export class RegistrationService {
  constructor(
    private readonly servers: ServersService,
    private readonly verify: VerifyService,
    private readonly cap: RegistrationCap,
    private readonly limit: RegistrationLimit,
    private readonly passwords: Passwords,
    private readonly passwordRules: PasswordRules,
    private readonly domains: MailDomains,
    private readonly addresses: LoginAddressesService,
    private readonly sessions: SessionsService,
    private readonly settings: Settings,
    @InjectRepository(Promoter) private readonly promoters: Repository<Promoter>,
    @InjectRepository(Player) private readonly players: Repository<Player>,
  ) {}

  async register(
    form: RegisterDto,
    agentId: unknown,
    context: RequestContext,
  ): Promise<ResponseWithCookie<TokenView>> {
    this.domains.requireAccepted(form.email);
    this.passwordRules.requireStrong(form.password, form);
    const { status } = await this.servers.getRunning(form.serverId);
    if (status === 'full') throw new ServerUnavailable();
    const agent = await this.findPromoter(agentId, context);
    const { account, email, code } = form;
    const { address } = context;
    const { token, cookie } = await this.limit
      .run(address, () =>
        this.verify.redeem(
          email,
          code,
          address,
          (manager) => this.insert(manager, form, agent, context),
          {
            revealsAccount: (error) =>
              error instanceof AccountTaken || error instanceof EmailTaken || isDuplicateKey(error),
            inTurn: (transaction) => this.limit.inTurn(transaction),
          },
        ),
      )
      .catch((error: unknown) => {
        // The transaction was rolled back, so the player does not exist.
        context.playerId = undefined;
        return this.translateDuplicate(error, account);
      });
    return signInResponse(toTokenView(account, token), { cookie });
  }

  /** Returns the id of an active promoter, or null. An invalid `agent_id` never makes a registration fail. */
  private async findPromoter(given: unknown, { requestId }: RequestContext) {
    if (given === undefined || given === '') return null;
    const log = requestLog(requestId, RegistrationService.name);
    const id = typeof given === 'string' && /^[1-9]\d{0,9}$/.test(given) ? Number(given) : NaN;
    if (!(id <= MAX_INT)) {
      log.warn('an ill-formed agent_id is ignored');
      return null;
    }
    if (await this.promoters.existsBy({ id, active: true })) return id;
    log.warn(`agent_id ${id} is ignored: there is no such active agent`);
    return null;
  }

  private async insert(
    manager: EntityManager,
    { account, password, email, serverId, device, os, browse, remember }: RegisterDto,
    agentId: number | null,
    context: RequestContext,
  ): Promise<StartedSession> {
    const { address } = context;
    // A generated name cannot be registered, because the forum player who replaced it may still have roles under it.
    const isReserved =
      GENERATED_NAME.test(account) || isReservedName(this.settings.current, account);
    if (isReserved || !(await claimName(manager, account))) throw new AccountTaken();
    // Without these checks, the INSERT would wait if the row with this mailbox or name were locked.
    if (await manager.existsBy(Player, { email })) throw new EmailTaken();
    if (await manager.existsBy(Player, { account })) throw new AccountTaken();
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
      language: context.language ?? null,
    });
    await manager.insert(Player, player);
    await this.addresses.store(manager, player.id, addressGroup(address));
    const reportedDevice =
      (device ?? os ?? browse) === undefined ? undefined : { device, os, browse };
    const owner = { id: player.id, account, ver: 0 };
    const started = await this.sessions.start(
      owner,
      { context, remember, device: reportedDevice },
      manager,
    );
    // This step comes last, because the day's row stays locked until commit and every other registration waits for it.
    await this.cap.takePlace(manager);
    return started;
  }

  private async translateDuplicate(error: unknown, account: string): Promise<never> {
    if (!isDuplicateKey(error)) throw error;
    throw (await this.players.existsBy({ account })) ? new AccountTaken() : new EmailTaken();
  }
}
