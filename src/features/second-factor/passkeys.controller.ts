import { Body, Controller, Delete, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentPlayer, Public } from '../../platform/auth/auth.decorators.js';
import type { PlayerIdentity } from '../../platform/auth/identity.service.js';
import { Priority } from '../../platform/http/limits/route-priorities.js';
import { IgnoresBody } from '../../platform/http/request/body.guard.js';
import {
  type RequestContext,
  CurrentContext,
} from '../../platform/http/request/request-context.js';
import { ObjectField, TextField } from '../../platform/http/validation/field.decorator.js';
import { ApiSuccess } from '../../platform/openapi/api-response.js';
import { EmptyView } from '../sessions/sessions.view.js';
import { FirstStepTickets } from './first-step-tickets.js';
import { PasskeyRegistration } from './passkey-registration.js';
import { Passkeys, type PasskeyResponse } from './passkeys.js';
import { SecondFactorMail } from './second-factor-mail.js';
import {
  NewPasskeyView,
  PasskeyOptionsView,
  toPasskeyOptionsView,
  toPasskeyView,
} from './second-factor.view.js';

class AddPasskeyDto {
  // E-mails to the owner contain the name, so it must be a single line.
  @TextField({
    max: 32,
    pattern: /^[^\r\n]+$/,
    hint: 'must be one line',
    description: "the player's name for the passkey",
    example: 'phone',
  })
  name: string;

  @ObjectField('the WebAuthn registration, as JSON') response?: PasskeyResponse;
}

class PasskeyTicketDto {
  @TextField({ max: 4096, description: 'from the response to the first step' }) ticket: string;
}

@ApiTags('Own account')
@Priority('other')
@Controller()
export class PasskeysController {
  constructor(
    private readonly registration: PasskeyRegistration,
    private readonly passkeys: Passkeys,
    private readonly tickets: FirstStepTickets,
    private readonly mail: SecondFactorMail,
  ) {}

  @Post('account/passkeys/options')
  @IgnoresBody()
  @ApiSuccess(PasskeyOptionsView, 'WebAuthn creation options, valid for 5 minutes', 'sign_in_again')
  async creationOptions(@CurrentPlayer() me: PlayerIdentity): Promise<PasskeyOptionsView> {
    return toPasskeyOptionsView(await this.registration.options(me));
  }

  @Post('account/passkeys')
  @ApiSuccess(
    NewPasskeyView,
    'The passkey can sign in from now on; only the first factor brings recovery codes',
    'sign_in_again',
  )
  async add(
    @CurrentPlayer() me: PlayerIdentity,
    @Body() { name, response }: AddPasskeyDto,
    @CurrentContext() context: RequestContext,
  ): Promise<NewPasskeyView> {
    const { passkey, recoveryCodes } = await this.registration.register(me, name, response ?? {});
    context.change = { what: 'passkey_added', detail: name };
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
    if (!passkey) return;
    context.change = { what: 'passkey_removed', detail: passkey.name };
    this.mail.send(me.id, { event: 'removed', passkey: passkey.name }, context);
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
