import { Body, Controller, Query } from '@nestjs/common';
import { CurrentOperator } from '../access/current-operator.decorator.js';
import type { DeskOperator } from '../../actions/operators/role.js';
import { DeskGet, DeskPost } from '../desk-route.decorator.js';
import { Id } from '../id.decorator.js';
import { NoteDto } from '../pagination.dto.js';
import { MAY_READ, PLAYER_ACTION_ROLES } from '../permissions.js';
import { PlayerDeskActions } from './player-desk-actions.js';
import {
  BanDto,
  EndSessionDto,
  FindPlayersDto,
  RenameDto,
  SecureDto,
  SetEmailDto,
  SetPasswordDto,
  TimelineDto,
  UnlinkDto,
  UnlockDto,
} from './players.dto.js';
import { PlayersService } from './players.service.js';

@Controller('players')
export class PlayersController {
  constructor(
    private readonly players: PlayersService,
    private readonly actions: PlayerDeskActions,
  ) {}

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
    return this.actions.ban(me, id, dto);
  }

  @DeskPost(':id/unban', PLAYER_ACTION_ROLES.unban)
  unban(@CurrentOperator() me: DeskOperator, @Id() id: number, @Body() { note }: NoteDto) {
    return this.actions.perform(me, id, note, (acts, who) => acts.unban(who, id));
  }

  @DeskPost(':id/keep', PLAYER_ACTION_ROLES.keep)
  keep(@CurrentOperator() me: DeskOperator, @Id() id: number, @Body() { note }: NoteDto) {
    return this.actions.keep(me, id, note);
  }

  @DeskPost(':id/disable', PLAYER_ACTION_ROLES.disable)
  disable(@CurrentOperator() me: DeskOperator, @Id() id: number, @Body() { note }: NoteDto) {
    return this.actions.perform(me, id, note, (acts, who) => acts.disable(who, id));
  }

  @DeskPost(':id/enable', PLAYER_ACTION_ROLES.enable)
  enable(@CurrentOperator() me: DeskOperator, @Id() id: number, @Body() { note }: NoteDto) {
    return this.actions.perform(me, id, note, (acts, who) => acts.enable(who, id));
  }

  @DeskPost(':id/unlock', PLAYER_ACTION_ROLES.unlock)
  unlock(@CurrentOperator() me: DeskOperator, @Id() id: number, @Body() dto: UnlockDto) {
    return this.actions.unlock(me, id, dto);
  }

  @DeskPost(':id/sign_out', PLAYER_ACTION_ROLES.sign_out)
  signOut(@CurrentOperator() me: DeskOperator, @Id() id: number, @Body() { note }: NoteDto) {
    return this.actions.perform(me, id, note, (acts, who) => acts.signOut(who, id));
  }

  @DeskPost(':id/end_session', PLAYER_ACTION_ROLES.end_session)
  endSession(@CurrentOperator() me: DeskOperator, @Id() id: number, @Body() dto: EndSessionDto) {
    return this.actions.endSession(me, id, dto);
  }

  @DeskPost(':id/set_email', PLAYER_ACTION_ROLES.set_email)
  setEmail(
    @CurrentOperator() me: DeskOperator,
    @Id() id: number,
    @Body() { note, email }: SetEmailDto,
  ) {
    return this.actions.perform(me, id, note, (acts, who) => acts.setEmail(who, id, email));
  }

  @DeskPost(':id/set_password', PLAYER_ACTION_ROLES.set_password)
  setPassword(
    @CurrentOperator() me: DeskOperator,
    @Id() id: number,
    @Body() { note, password }: SetPasswordDto,
  ) {
    return this.actions.perform(me, id, note, (acts, who) => acts.setPassword(who, id, password));
  }

  @DeskPost(':id/unlink', PLAYER_ACTION_ROLES.unlink)
  unlink(
    @CurrentOperator() me: DeskOperator,
    @Id() id: number,
    @Body() { note, provider }: UnlinkDto,
  ) {
    return this.actions.perform(me, id, note, (acts, who) => acts.unlink(who, id, provider));
  }

  @DeskPost(':id/reset_second_factor', PLAYER_ACTION_ROLES.reset_second_factor)
  resetSecondFactor(
    @CurrentOperator() me: DeskOperator,
    @Id() id: number,
    @Body() { note }: NoteDto,
  ) {
    return this.actions.resetSecondFactor(me, id, note);
  }

  @DeskPost(':id/rename', PLAYER_ACTION_ROLES.rename)
  rename(
    @CurrentOperator() me: DeskOperator,
    @Id() id: number,
    @Body() { note, name, gameAccount }: RenameDto,
  ) {
    return this.actions.perform(me, id, note, (acts, who) =>
      acts.rename(who, id, name, gameAccount),
    );
  }

  @DeskPost(':id/secure', PLAYER_ACTION_ROLES.secure)
  secure(@CurrentOperator() me: DeskOperator, @Id() id: number, @Body() dto: SecureDto) {
    return this.actions.secure(me, id, dto);
  }
}
