import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A request that was answered with an error. Written by `RefusedRequestLog`; the migration explains each column. */
@Entity('refused_request')
export class RefusedRequest {
  @PrimaryGeneratedColumn({ type: 'bigint' })
  id: string;

  @Column({ type: 'datetime', precision: 3, name: 'created_at' })
  createdAt: Date;

  @Column({ type: 'int', name: 'player_id', nullable: true })
  playerId: number | null;

  @Column({ type: 'varchar', length: 8 })
  method: string;

  @Column({ type: 'varchar', length: 64 })
  path: string;

  @Column({ type: 'varchar', length: 32 })
  error: string;

  @Column({ type: 'varchar', length: 45 })
  address: string;

  @Column({ type: 'varchar', length: 64, name: 'request_id' })
  requestId: string;
}
