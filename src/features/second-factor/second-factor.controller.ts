import { Body, Controller, Delete, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentPlayer } from '../../platform/auth/current-player.decorator.js';
import type { PlayerIdentity } from '../../platform/auth/identity.service.js';
import { Priority } from '../../platform/http/limits/priority.decorator.js';
import { IgnoresBody } from '../../platform/http/request/body.decorator.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import { CurrentContext } from '../../platform/http/request/request-context.decorator.js';
import { ApiSuccess } from '../../platform/http/response/api-success.decorator.js';
import { EmptyView } from '../sessions/session.view.js';
import { RecoveryCodes } from './recovery-codes.js';
import { ConfirmTotpDto } from './second-factor.dto.js';
import { SecondFactorMail } from './second-factor-mail.js';
import { RecoveryCodesView, TotpSecretView } from './second-factor.view.js';
import { TotpService } from './totp.service.js';

@ApiTags('Own account')
@Priority('other')
@Controller('account')
export class SecondFactorController {
  constructor(
    private readonly totp: TotpService,
    private readonly recoveryCodes: RecoveryCodes,
    private readonly mail: SecondFactorMail,
  ) {}

  @Post('totp')
  @IgnoresBody()
  @ApiSuccess(
    TotpSecretView,
    'For the authenticator app. It counts once it is confirmed, within 10 minutes',
    'sign_in_again',
  )
  beginTotp(@CurrentPlayer() me: PlayerIdentity): Promise<TotpSecretView> {
    return this.totp.begin(me);
  }

  @Post('totp/confirm')
  @ApiSuccess(
    RecoveryCodesView,
    'Signing in takes a code from now on; recovery codes come with the first factor alone',
    'sign_in_again',
    'second_factor_invalid',
  )
  async confirmTotp(
    @CurrentPlayer() me: PlayerIdentity,
    @Body() { code }: ConfirmTotpDto,
    @CurrentContext() context: RequestContext,
  ): Promise<RecoveryCodesView> {
    const recovery_codes = await this.totp.confirm(me, code);
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
    if (await this.totp.remove(me)) this.mail.send(me.id, { event: 'removed' }, context);
  }

  @Post('recovery_codes')
  @IgnoresBody()
  @ApiSuccess(RecoveryCodesView, 'Ten new recovery codes; the old ones are void', 'sign_in_again')
  async renewRecoveryCodes(
    @CurrentPlayer() me: PlayerIdentity,
    @CurrentContext() context: RequestContext,
  ): Promise<RecoveryCodesView> {
    const recovery_codes = await this.recoveryCodes.renew(me);
    this.mail.send(me.id, { event: 'renewed' }, context);
    return { recovery_codes };
  }
}
