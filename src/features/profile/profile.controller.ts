import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { RecordSignIn } from '../../platform/audit/record-sign-in.interceptor.js';
import { CurrentPlayer, Public } from '../../platform/auth/auth.decorators.js';
import type { PlayerIdentity } from '../../platform/auth/identity.service.js';
import { Priority } from '../../platform/http/limits/route-priorities.js';
import {
  type RequestContext,
  CurrentContext,
} from '../../platform/http/request/request-context.js';
import { ApiSuccess } from '../../platform/openapi/api-response.js';
import { UnbindDto } from '../links/links.dto.js';
import { EmptyView, TokenView } from '../sessions/sessions.view.js';
import { EmailChangeService } from './email-change.service.js';
import { MailboxUndoService } from './mailbox-undo.service.js';
import { PasswordChangeService } from './password-change.service.js';
import {
  ChangeEmailDto,
  ChangePasswordDto,
  ChooseNameDto,
  ConfirmDto,
  SignInsQuery,
  UndoEmailDto,
} from './profile.dto.js';
import { ProfileService } from './profile.service.js';
import { ConfirmedView, EmailView, ProfileView, SignInsView } from './profile.view.js';

@ApiTags('Own account')
@Priority('other')
@Controller()
export class ProfileController {
  constructor(
    private readonly profiles: ProfileService,
    private readonly passwords: PasswordChangeService,
    private readonly emails: EmailChangeService,
    private readonly undos: MailboxUndoService,
  ) {}

  @Get('account')
  @ApiSuccess(ProfileView, "The caller's account")
  show(@CurrentPlayer() me: PlayerIdentity): Promise<ProfileView> {
    return this.profiles.show(me);
  }

  @Get('account/sign_ins')
  @ApiSuccess(SignInsView, 'The successful and failed sign-ins of the last 90 days')
  signIns(
    @CurrentPlayer() { id }: PlayerIdentity,
    @Query() { before }: SignInsQuery,
  ): Promise<SignInsView> {
    return this.profiles.signIns(id, before);
  }

  @Post('account/name')
  @ApiSuccess(
    TokenView,
    'The account has this name, and tokens with the previous name are invalid. Only a name that the forum sign-in generated can be replaced, once and before the player enters a server',
    'sign_in_again',
    'account_taken',
    'act_refused',
  )
  chooseName(
    @CurrentPlayer() me: PlayerIdentity,
    @Body() { account }: ChooseNameDto,
    @CurrentContext() context: RequestContext,
  ): Promise<TokenView> {
    return this.profiles.chooseName(me, account, context);
  }

  @Post('account/password')
  @RecordSignIn('password')
  @ApiSuccess(
    TokenView,
    'The password is changed; all other sessions and older tokens have ended',
    'bad_credentials',
    'login_throttled',
    'password_weak',
    'sign_in_again',
  )
  changePassword(
    @CurrentPlayer() me: PlayerIdentity,
    @Body() dto: ChangePasswordDto,
    @CurrentContext() context: RequestContext,
  ): Promise<TokenView> {
    return this.passwords.change(me, dto, context);
  }

  @Post('account/email')
  @Priority('other', { waitsOutside: true })
  @ApiSuccess(
    EmailView,
    'The account has this mailbox; the previous one gets a mail with a link that undoes the change',
    'bad_credentials',
    'login_throttled',
    'sign_in_again',
    'code_invalid',
    'email_taken',
  )
  changeEmail(
    @CurrentPlayer() me: PlayerIdentity,
    @Body() dto: ChangeEmailDto,
    @CurrentContext() context: RequestContext,
  ): Promise<EmailView> {
    return this.emails.change(me, dto, context);
  }

  @Public()
  @Post('account/email/undo')
  @ApiSuccess(
    EmptyView,
    'The previous mailbox is restored, and the password, all sessions and links are removed; the owner must reset the password',
    'code_invalid',
    'email_taken',
  )
  undoEmail(
    @Body() { token }: UndoEmailDto,
    @CurrentContext() context: RequestContext,
  ): Promise<void> {
    return this.undos.undo(token, context);
  }

  @Post('unbind')
  @ApiSuccess(
    EmptyView,
    'The identity is no longer linked',
    'sign_in_again',
    'last_way_in',
    'link_not_found',
  )
  unbind(
    @CurrentPlayer() me: PlayerIdentity,
    @Body() { provider }: UnbindDto,
    @CurrentContext() context: RequestContext,
  ): Promise<void> {
    return this.profiles.unlink(me, provider, context);
  }

  @Post('session/confirm')
  @Priority('login')
  @ApiSuccess(
    ConfirmedView,
    'The session may make changes that need a recent sign-in until `confirmed_until`',
    'bad_credentials',
    'second_factor_invalid',
    'login_throttled',
    'sign_in_again',
  )
  confirm(
    @CurrentPlayer() me: PlayerIdentity,
    @Body() dto: ConfirmDto,
    @CurrentContext() context: RequestContext,
  ): Promise<ConfirmedView> {
    return this.profiles.confirm(me, dto, context);
  }
}
