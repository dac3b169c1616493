import { Column, Entity, PrimaryColumn } from 'typeorm';

// The drivers give BIGINT as a string; ids are below 2^48.
const number = { to: (value: unknown) => value, from: (value: unknown) => value && Number(value) };

/** A sign-in. The migration explains each column. */
@Entity('session')
export class Session {
  @PrimaryColumn({ type: 'int', name: 'player_id' })
  playerId: number;

  @PrimaryColumn({ type: 'bigint', transformer: number })
  id: number;

  @Column({ type: 'int' })
  ver: number;

  @Column({ type: 'varchar', length: 64, nullable: true })
  device: string | null;

  @Column({ type: 'varchar', length: 64, nullable: true })
  os: string | null;

  @Column({ type: 'varchar', length: 64, nullable: true })
  browse: string | null;

  @Column({ type: 'varchar', length: 45, nullable: true })
  address: string | null;

  @Column({ type: 'datetime', precision: 3, name: 'created_at' })
  createdAt: Date;

  @Column({ type: 'datetime', precision: 3, name: 'confirmed_at' })
  confirmedAt: Date;

  @Column({ type: 'datetime', precision: 3, name: 'second_factor_at', nullable: true })
  secondFactorAt: Date | null;

  @Column({ type: 'datetime', precision: 3, name: 'seen_at' })
  seenAt: Date;

  @Column({ type: 'datetime', precision: 3, name: 'expires_at' })
  expiresAt: Date;

  @Column({ type: 'datetime', precision: 3, name: 'ended_at', nullable: true })
  endedAt: Date | null;

  @Column({ type: 'varchar', length: 43, name: 'cookie_hash', nullable: true, select: false })
  cookieHash: string | null;

  @Column({ type: 'varchar', length: 43, name: 'cookie_salt', nullable: true, select: false })
  cookieSalt: string | null;

  @Column({ type: 'varchar', length: 43, name: 'previous_hash', nullable: true, select: false })
  previousHash: string | null;

  @Column({ type: 'datetime', precision: 3, name: 'rotated_at', nullable: true })
  rotatedAt: Date | null;
}
