import { Module } from '@nestjs/common';
import { DeskPlayersModule } from './players/desk-players.module.js';
import { DeskWithdrawalsModule } from './withdrawals/desk-withdrawals.module.js';
import { DeskZonesModule } from './zones/desk-zones.module.js';

/** What the desk shows and does. */
@Module({ imports: [DeskPlayersModule, DeskWithdrawalsModule, DeskZonesModule] })
export class DeskPagesModule {}
