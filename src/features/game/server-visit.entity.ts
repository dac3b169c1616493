import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A server that a player has entered: when last, and how often. */
@Entity('player_zone')
export class ServerVisit {
  @PrimaryColumn({ type: 'int', name: 'player_id' })
  playerId: number;

  @PrimaryColumn({ type: 'int', name: 'server_id' })
  serverId: number;

  @Column({ type: 'datetime', precision: 3, name: 'entered_at' })
  enteredAt: Date;

  @Column({ type: 'int', name: 'enter_count', default: 1 })
  enterCount: number;
}
