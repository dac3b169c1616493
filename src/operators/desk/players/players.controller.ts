import { Body, Controller, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { sendAttachment } from '../../../platform/http/response/attachment.js';
import type { DeskOperator } from '../../actions/operators/operator.entity.js';
import { MAY_READ, PLAYER_ACTION_ROLES } from '../access/permissions.js';
import { CurrentOperator, DeskGet, DeskPost, Id } from '../http/desk-route.decorator.js';
import { NoteDto } from '../http/pagination.dto.js';
import {
  BanDto,
  EndSessionDto,
  FindPlayersDto,
  RenameDto,
  SecureDto,
  SetEmailDto,
  SetPasswordDto,
  TimelineDto,
  UnbanDto,
  UnlinkDto,
  UnlockDto,
} from './players.dto.js';
import { PlayersService } from './players.service.js';

@Controller('players')
export class PlayersController {
  constructor(private readonly players: PlayersService) {}

  @DeskGet('', MAY_READ)
  find(@CurrentOperator() me: DeskOperator, @Query() dto: FindPlayersDto) {
    return this.players.find(me, dto);
  }

  @DeskGet(':id', MAY_READ)
  page(@CurrentOperator() me: DeskOperator, @Id() id: number) {
    return this.players.page(me, id);
  }

  @DeskGet(':id/timeline', MAY_READ)
  timeline(@CurrentOperator() me: DeskOperator, @Id() id: number, @Query() dto: TimelineDto) {
    return this.players.timeline(me, id, dto);
  }

  @DeskPost(':id/ban', PLAYER_ACTION_ROLES.ban)
  ban(@CurrentOperator() me: DeskOperator, @Id() id: number, @Body() dto: BanDto) {
    return this.players.ban(me, id, dto);
  }

  @DeskPost(':id/unban', PLAYER_ACTION_ROLES.unban)
  unban(@CurrentOperator() me: DeskOperator, @Id() id: number, @Body() dto: UnbanDto) {
    return this.players.perform(me, id, dto, (acts, who) => acts.unban(who, id, dto.ban));
  }

  @DeskPost(':id/keep', PLAYER_ACTION_ROLES.keep)
  keep(@CurrentOperator() me: DeskOperator, @Id() id: number, @Body() dto: NoteDto) {
    return this.players.keep(me, id, dto);
  }

  @DeskPost(':id/close', PLAYER_ACTION_ROLES.close)
  close(@CurrentOperator() me: DeskOperator, @Id() id: number, @Body() dto: NoteDto) {
    return this.players.close(me, id, dto);
  }

  @DeskPost(':id/export', PLAYER_ACTION_ROLES.export)
  async export(
    @CurrentOperator() me: DeskOperator,
    @Id() id: number,
    @Body() dto: NoteDto,
    @Res() response: Response,
  ): Promise<void> {
    const pieces = await this.players.export(me, id, dto);
    return sendAttachment(response, `player-${id}`, 'json', pieces);
  }

  @DeskPost(':id/disable', PLAYER_ACTION_ROLES.disable)
  disable(@CurrentOperator() me: DeskOperator, @Id() id: number, @Body() dto: NoteDto) {
    return this.players.perform(me, id, dto, (acts, who) => acts.disable(who, id));
  }

  @DeskPost(':id/enable', PLAYER_ACTION_ROLES.enable)
  enable(@CurrentOperator() me: DeskOperator, @Id() id: number, @Body() dto: NoteDto) {
    return this.players.perform(me, id, dto, (acts, who) => acts.enable(who, id));
  }

  @DeskPost(':id/unlock', PLAYER_ACTION_ROLES.unlock)
  unlock(@CurrentOperator() me: DeskOperator, @Id() id: number, @Body() dto: UnlockDto) {
    return this.players.unlock(me, id, dto);
  }

  @DeskPost(':id/sign_out', PLAYER_ACTION_ROLES.sign_out)
  signOut(@CurrentOperator() me: DeskOperator, @Id() id: number, @Body() dto: NoteDto) {
    return this.players.perform(me, id, dto, (acts, who) => acts.signOut(who, id));
  }

  @DeskPost(':id/end_session', PLAYER_ACTION_ROLES.end_session)
  endSession(@CurrentOperator() me: DeskOperator, @Id() id: number, @Body() dto: EndSessionDto) {
    return this.players.perform(me, id, dto, (acts, who) => acts.endSession(who, id, dto.session));
  }

  @DeskPost(':id/set_email', PLAYER_ACTION_ROLES.set_email)
  setEmail(@CurrentOperator() me: DeskOperator, @Id() id: number, @Body() dto: SetEmailDto) {
    return this.players.changeCredentials(me, id, dto, (credentials, who) =>
      credentials.setEmail(who, id, dto.email),
    );
  }

  @DeskPost(':id/set_password', PLAYER_ACTION_ROLES.set_password)
  setPassword(@CurrentOperator() me: DeskOperator, @Id() id: number, @Body() dto: SetPasswordDto) {
    return this.players.changeCredentials(me, id, dto, (credentials, who) =>
      credentials.setPassword(who, id, dto.password),
    );
  }

  @DeskPost(':id/unlink', PLAYER_ACTION_ROLES.unlink)
  unlink(@CurrentOperator() me: DeskOperator, @Id() id: number, @Body() dto: UnlinkDto) {
    return this.players.perform(me, id, dto, (acts, who) => acts.unlink(who, id, dto.provider));
  }

  @DeskPost(':id/reset_second_factor', PLAYER_ACTION_ROLES.reset_second_factor)
  resetSecondFactor(@CurrentOperator() me: DeskOperator, @Id() id: number, @Body() dto: NoteDto) {
    return this.players.changeCredentials(me, id, dto, (credentials, who) =>
      credentials.resetSecondFactor(who, id),
    );
  }

  @DeskPost(':id/rename', PLAYER_ACTION_ROLES.rename)
  rename(@CurrentOperator() me: DeskOperator, @Id() id: number, @Body() dto: RenameDto) {
    return this.players.perform(me, id, dto, (acts, who) =>
      acts.rename(who, id, dto.name, dto.gameAccount),
    );
  }

  @DeskPost(':id/secure', PLAYER_ACTION_ROLES.secure)
  secure(@CurrentOperator() me: DeskOperator, @Id() id: number, @Body() dto: SecureDto) {
    return this.players.secure(me, id, dto);
  }
}
