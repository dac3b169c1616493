import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { PlayerActions } from '../../actions/players/player-actions.js';
import { PlayerClosings } from '../../actions/players/player-closings.js';
import { PlayerLocks } from '../../actions/players/player-locks.js';
import { PlayerSessionEnd } from '../../actions/players/player-session-end.js';
import { SecondFactorReset } from '../../actions/players/second-factor-reset.js';
import { InvalidRequest } from '../../../platform/http/errors/http.errors.js';
import { ActionRefused } from '../../actions/action-refused.js';
import type { Attribution } from '../../../platform/audit/audit-log.js';
import { RoleNotAllowed } from '../access/access.errors.js';
import type { DeskOperator } from '../../actions/operators/role.js';
import { PLAYER_ACTION_ROLES } from '../permissions.js';
import type { BanDto, EndSessionDto, SecureDto, UnlockDto } from './players.dto.js';
import { PlayersService } from './players.service.js';

const HOUR_MS = 60 * 60 * 1000;

/** Acts about a player. Each returns the player's updated page. */
@Injectable()
export class PlayerDeskActions {
  constructor(
    private readonly actions: PlayerActions,
    private readonly closings: PlayerClosings,
    private readonly locks: PlayerLocks,
    private readonly sessionEnd: PlayerSessionEnd,
    private readonly secondFactors: SecondFactorReset,
    private readonly players: PlayersService,
  ) {}

  /** Any act of the services. */
  async perform(
    operator: DeskOperator,
    id: number,
    note: string,
    act: (acts: PlayerActions, who: Attribution) => Promise<void>,
  ) {
    await act(this.actions, { by: operator.name, note });
    return this.players.page(operator, id);
  }

  ban(operator: DeskOperator, id: number, { note, scope, reason, hours }: BanDto) {
    const until = hours === undefined ? null : new Date(Date.now() + hours * HOUR_MS);
    return this.perform(operator, id, note, (acts, who) =>
      acts.ban(who, id, { scope, reason, until }),
    );
  }

  async endSession(operator: DeskOperator, id: number, { note, session }: EndSessionDto) {
    await this.sessionEnd.end({ by: operator.name, note }, id, session);
    return this.players.page(operator, id);
  }

  async keep(operator: DeskOperator, id: number, note: string) {
    await this.closings.keep({ by: operator.name, note }, id);
    return this.players.page(operator, id);
  }

  async unlock(operator: DeskOperator, id: number, { note, address }: UnlockDto) {
    if (address !== undefined && isIP(address) === 0)
      throw new InvalidRequest([{ field: 'address', message: 'must be an address' }]);
    if (!this.locks.areShared)
      throw new ActionRefused(
        'failed logins are not counted in Redis but in the memory of each instance: restart the instances, or wait',
      );
    await this.players.get(id);
    await this.locks.release({ by: operator.name, note }, id, address);
    return this.players.page(operator, id);
  }

  /** A mail that failed is in the player's timeline. */
  async resetSecondFactor(operator: DeskOperator, id: number, note: string) {
    await this.secondFactors.reset({ by: operator.name, note }, id);
    return this.players.page(operator, id);
  }

  async secure(operator: DeskOperator, id: number, { note, email }: SecureDto) {
    const { hasSecondFactor } = await this.players.get(id);
    const isForAdmins = email !== undefined || hasSecondFactor;
    if (isForAdmins && !PLAYER_ACTION_ROLES.secure_email.includes(operator.role))
      throw new RoleNotAllowed();
    return this.perform(operator, id, note, (acts, who) => acts.secure(who, id, email));
  }
}
