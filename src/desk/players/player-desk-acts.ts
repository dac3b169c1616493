import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { PlayerActs } from '../../accounts/desk/player-acts.js';
import { PlayerLocks } from '../../accounts/desk/player-locks.js';
import { InvalidRequest } from '../../http/errors/http.errors.js';
import { ActRefused } from '../../journal/act-refused.js';
import type { Operator } from '../../journal/audit-book.js';
import { WrongRole } from '../access/access.errors.js';
import type { DeskOperator } from '../access/role.js';
import { PLAYER_ACTS } from '../permissions.js';
import type { SecureDto, UnlockDto } from './players.dto.js';
import { PlayersService } from './players.service.js';

/** Acts about a player. Each gives the player's page as it is then. */
@Injectable()
export class PlayerDeskActs {
  constructor(
    private readonly acts: PlayerActs,
    private readonly locks: PlayerLocks,
    private readonly players: PlayersService,
  ) {}

  /** Any act of the services. */
  async act(
    operator: DeskOperator,
    id: number,
    note: string,
    act: (acts: PlayerActs, who: Operator) => Promise<void>,
  ) {
    await this.players.noteEdit(id);
    await act(this.acts, { by: operator.name, note });
    return this.players.page(operator, id);
  }

  async unlock(operator: DeskOperator, id: number, { note, address }: UnlockDto) {
    if (address !== undefined && isIP(address) === 0)
      throw new InvalidRequest([{ field: 'address', message: 'must be an address' }]);
    if (!this.locks.areShared)
      throw new ActRefused(
        'failed logins are not counted in Redis but in the memory of each instance: restart the instances, or wait',
      );
    await this.players.get(id);
    await this.locks.release({ by: operator.name, note }, id, address);
    return this.players.page(operator, id);
  }

  secure(operator: DeskOperator, id: number, { note, email }: SecureDto) {
    if (email !== undefined && !PLAYER_ACTS.secure_email.includes(operator.role))
      throw new WrongRole();
    return this.act(operator, id, note, (acts, who) => acts.secure(who, id, email));
  }
}
