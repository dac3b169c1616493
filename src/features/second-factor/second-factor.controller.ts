import { Body, Controller, Delete, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentPlayer } from '../../platform/auth/auth.decorators.js';
import type { PlayerIdentity } from '../../platform/auth/identity.service.js';
import { Priority } from '../../platform/http/limits/route-priorities.js';
import { IgnoresBody } from '../../platform/http/request/body.guard.js';
import {
  type RequestContext,
  CurrentContext,
} from '../../platform/http/request/request-context.js';
import { TextField } from '../../platform/http/validation/field.decorator.js';
import { ApiSuccess } from '../../platform/openapi/api-response.js';
import { EmptyView } from '../sessions/sessions.view.js';
import { FactorChanges } from './factor-changes.js';
import { SecondFactorMail } from './second-factor-mail.js';
import { RecoveryCodesView, TotpSecretView } from './second-factor.view.js';
import { AuthenticatorAppService } from './authenticator-app.service.js';

class ConfirmTotpDto {
  @TextField({ max: 16, description: 'the six digits that the app shows', example: '123456' })
  code: string;
}

@ApiTags('Own account')
@Priority('other')
@Controller('account')
export class SecondFactorController {
  constructor(
    private readonly totp: AuthenticatorAppService,
    private readonly changes: FactorChanges,
    private readonly mail: SecondFactorMail,
  ) {}

  @Post('totp')
  @IgnoresBody()
  @ApiSuccess(
    TotpSecretView,
    'A secret for the authenticator app, which must be confirmed within 10 minutes',
    'sign_in_again',
    'invalid_request',
  )
  beginTotp(@CurrentPlayer() me: PlayerIdentity): Promise<TotpSecretView> {
    return this.totp.begin(me);
  }

  @Post('totp/confirm')
  @ApiSuccess(
    RecoveryCodesView,
    'Sign-ins require a code from now on; only the first factor brings recovery codes',
    'sign_in_again',
    'second_factor_invalid',
  )
  async confirmTotp(
    @CurrentPlayer() me: PlayerIdentity,
    @Body() { code }: ConfirmTotpDto,
    @CurrentContext() context: RequestContext,
  ): Promise<RecoveryCodesView> {
    const recovery_codes = await this.totp.confirm(me, code);
    context.change = { what: 'totp_added' };
    this.mail.send(me.id, { event: 'added' }, context);
    return { recovery_codes };
  }

  @Delete('totp')
  @IgnoresBody()
  @ApiSuccess(
    EmptyView,
    'The authenticator app is removed; withdrawals are paused',
    'sign_in_again',
  )
  async removeTotp(
    @CurrentPlayer() me: PlayerIdentity,
    @CurrentContext() context: RequestContext,
  ): Promise<void> {
    if (!(await this.totp.remove(me))) return;
    context.change = { what: 'totp_removed' };
    this.mail.send(me.id, { event: 'removed' }, context);
  }

  @Post('recovery_codes')
  @IgnoresBody()
  @ApiSuccess(
    RecoveryCodesView,
    'Ten new recovery codes; the old ones no longer work',
    'sign_in_again',
    'invalid_request',
  )
  async renewRecoveryCodes(
    @CurrentPlayer() me: PlayerIdentity,
    @CurrentContext() context: RequestContext,
  ): Promise<RecoveryCodesView> {
    const recovery_codes = await this.changes.renewRecoveryCodes(me);
    context.change = { what: 'recovery_codes' };
    this.mail.send(me.id, { event: 'renewed' }, context);
    return { recovery_codes };
  }
}
