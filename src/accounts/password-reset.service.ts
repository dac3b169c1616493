import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Player } from '../auth/player.entity.js';
import type { RequestContext } from '../http/request/request-context.js';
import { InvalidRequest } from '../http/errors/http.errors.js';
import { CodeInvalid } from '../verify/verify.errors.js';
import { VerifyService } from '../verify/verify.service.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { type TokenView, toTokenView } from '../sessions/token.view.js';
import { type Credentials, CredentialsLookup } from './credentials-lookup.js';
import { NewAddresses } from './new-addresses.js';
import { Passwords } from './passwords.js';

@Injectable()
export class PasswordResetService {
  constructor(
    private readonly verify: VerifyService,
    private readonly credentials: CredentialsLookup,
    private readonly passwords: Passwords,
    private readonly sessions: SessionsService,
    private readonly newAddresses: NewAddresses,
  ) {}

  async reset(
    account: string,
    email: string,
    code: string,
    password: string,
    context: RequestContext,
  ): Promise<TokenView> {
    const found = await this.credentials.find(account);
    // Compared here, not in SQL: to MySQL josé@ equals jose@, who may be somebody else.
    const owner = found?.email?.toLowerCase() === email ? found : undefined;
    context.playerId = owner?.id;
    const token = await this.verify.redeem(email, code, async (manager) => {
      const ver = await this.replace(manager, owner, password);
      await this.sessions.endOthers(owner!.id, undefined, manager);
      return (await this.sessions.start({ ...owner!, ver }, { context }, manager)).token;
    });
    await this.newAddresses.note(owner!.id, context);
    return toTokenView(owner!.account, token);
  }

  private async replace(
    manager: EntityManager,
    owner: Credentials | undefined,
    password: string,
  ): Promise<number> {
    // Answered and counted like a wrong code, so that a code cannot be used to ask which accounts exist.
    if (!owner) throw new CodeInvalid();
    // The old-format token is the password's hash: it only ends when the password really changes.
    if (this.passwords.matches(password, owner.password))
      throw new InvalidRequest([{ field: 'password', message: 'must not be the present one' }]);
    const { affected } = await manager.update(
      Player,
      { id: owner.id, email: owner.email! },
      { password: this.passwords.hash(password), ver: () => 'ver + 1' },
    );
    if (affected !== 1) throw new CodeInvalid();
    const { ver } = await manager.findOneByOrFail(Player, { id: owner.id });
    return ver;
  }
}
