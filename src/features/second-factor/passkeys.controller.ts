import { Body, Controller, Delete, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentPlayer } from '../../platform/auth/current-player.decorator.js';
import type { PlayerIdentity } from '../../platform/auth/identity.service.js';
import { Public } from '../../platform/auth/public.decorator.js';
import { Priority } from '../../platform/http/limits/priority.decorator.js';
import { IgnoresBody } from '../../platform/http/request/body.decorator.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import { CurrentContext } from '../../platform/http/request/request-context.decorator.js';
import { ApiSuccess } from '../../platform/http/response/api-success.decorator.js';
import { EmptyView } from '../sessions/session.view.js';
import { AddPasskeyDto, PasskeyTicketDto } from './passkeys.dto.js';
import { NewPasskeyView, PasskeyOptionsView, toPasskeyOptionsView } from './passkeys.view.js';
import { PasskeyRegistration } from './passkey-registration.js';
import { Passkeys } from './passkeys.js';
import { SecondFactorMail } from './second-factor-mail.js';
import { toPasskeyView } from './second-factor.view.js';
import { SecondStepTickets } from './second-step-tickets.js';

@ApiTags('Own account')
@Priority('other')
@Controller()
export class PasskeysController {
  constructor(
    private readonly registration: PasskeyRegistration,
    private readonly passkeys: Passkeys,
    private readonly tickets: SecondStepTickets,
    private readonly mail: SecondFactorMail,
  ) {}

  @Post('account/passkeys/options')
  @IgnoresBody()
  @ApiSuccess(PasskeyOptionsView, 'WebAuthn creation options, for 5 minutes', 'sign_in_again')
  async creationOptions(@CurrentPlayer() me: PlayerIdentity): Promise<PasskeyOptionsView> {
    return toPasskeyOptionsView(await this.registration.options(me));
  }

  @Post('account/passkeys')
  @ApiSuccess(
    NewPasskeyView,
    'The passkey signs in from now on; recovery codes come with the first factor alone',
    'sign_in_again',
  )
  async add(
    @CurrentPlayer() me: PlayerIdentity,
    @Body() { name, response }: AddPasskeyDto,
    @CurrentContext() context: RequestContext,
  ): Promise<NewPasskeyView> {
    const { passkey, recoveryCodes } = await this.registration.register(me, name, response ?? {});
    this.mail.send(me.id, { event: 'added', passkey: name }, context);
    return { passkey: toPasskeyView(passkey), recovery_codes: recoveryCodes };
  }

  @Delete('account/passkeys/:id')
  @IgnoresBody()
  @ApiSuccess(EmptyView, 'The passkey is removed; withdrawals are paused', 'sign_in_again')
  async remove(
    @CurrentPlayer() me: PlayerIdentity,
    @Param('id') id: string,
    @CurrentContext() context: RequestContext,
  ): Promise<void> {
    const passkey = await this.registration.remove(me, id);
    if (passkey) this.mail.send(me.id, { event: 'removed', passkey: passkey.name }, context);
  }

  @Post('session/confirm/options')
  @IgnoresBody()
  @ApiSuccess(PasskeyOptionsView, 'WebAuthn request options for `session/confirm`')
  async confirmOptions(@CurrentPlayer() me: PlayerIdentity): Promise<PasskeyOptionsView> {
    return toPasskeyOptionsView(await this.passkeys.requestOptions('confirm', me.id));
  }

  @Public()
  @Post('login/second/options')
  @ApiSuccess(
    PasskeyOptionsView,
    'WebAuthn request options for `login/second`',
    'second_factor_invalid',
  )
  async secondStepOptions(@Body() { ticket }: PasskeyTicketDto): Promise<PasskeyOptionsView> {
    const { playerId } = this.tickets.verify(ticket);
    return toPasskeyOptionsView(await this.passkeys.requestOptions('second', playerId));
  }
}
