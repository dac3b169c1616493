import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { commandModules } from '../../command/command-modules.js';
import type { Environment } from '../../config/environment.js';
import { CountersModule } from '../../counters/counters.module.js';
import { JournalModule } from '../../journal/journal.module.js';
import { LinksCoreModule } from '../../links/links-core.module.js';
import { AuthModule } from '../../auth/auth.module.js';
import { SessionsCoreModule } from '../../sessions/sessions-core.module.js';
import { WithdrawalCoreModule } from '../../withdraw/withdrawal-core.module.js';
import { GameSpelling } from '../desk/game-spelling.js';
import { PlayerActs } from '../desk/player-acts.js';
import { PlayerFinder } from '../desk/player-finder.js';
import { PlayerLocks } from '../desk/player-locks.js';
import { PlayerOverview } from '../desk/player-overview.js';
import { LoginAddress } from '../login-address.entity.js';
import { LoginThrottle } from '../login-throttle.js';
import { Passwords } from '../passwords.js';
import { PlayerEdits } from '../player-edits.js';
import { PlayerActing } from './player-acting.js';
import { PlayerTerminal } from './player-terminal.js';

/** What `gatehouse player` needs of the service: no routes. */
@Module({})
export class PlayerCommandModule {
  static forRoot(environment: Environment): DynamicModule {
    return {
      module: PlayerCommandModule,
      imports: [
        ...commandModules(environment),
        CountersModule,
        JournalModule,
        AuthModule,
        LinksCoreModule,
        SessionsCoreModule,
        WithdrawalCoreModule,
        TypeOrmModule.forFeature([LoginAddress]),
      ],
      providers: [
        GameSpelling,
        LoginThrottle,
        Passwords,
        PlayerActing,
        PlayerActs,
        PlayerEdits,
        PlayerFinder,
        PlayerLocks,
        PlayerOverview,
        PlayerTerminal,
      ],
    };
  }
}
