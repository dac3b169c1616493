import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Player } from '../auth/player.entity.js';
import { InvalidRequest } from '../http/errors/http.errors.js';
import type { RequestContext } from '../http/request/request-context.js';
import { CodeInvalid } from '../verify/verify.errors.js';
import { VerifyService } from '../verify/verify.service.js';
import type { AccountView } from './account.view.js';
import { type Credentials, CredentialsLookup } from './credentials-lookup.js';
import { Passwords } from './passwords.js';

@Injectable()
export class PasswordResetService {
  constructor(
    private readonly verify: VerifyService,
    private readonly credentials: CredentialsLookup,
    private readonly passwords: Passwords,
  ) {}

  async reset(
    account: string,
    email: string,
    code: string,
    password: string,
    context: RequestContext,
  ): Promise<AccountView> {
    const found = await this.credentials.find(account);
    // Compared here, not in SQL: to MySQL josé@ equals jose@, who may be somebody else.
    const owner = found?.email?.toLowerCase() === email ? found : undefined;
    context.playerId = owner?.id;
    await this.verify.redeem(email, code, (manager) => this.replace(manager, owner, password));
    return { account: owner!.account };
  }

  private async replace(
    manager: EntityManager,
    owner: Credentials | undefined,
    password: string,
  ): Promise<void> {
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
  }
}
