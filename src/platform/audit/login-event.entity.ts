import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/**
 * The route of the sign-in; `password`: changed while signed in. The second step is an event of its own, named after its
 * factor; `second`: none was given.
 */
export type SignInMethod =
  | 'login'
  | 'register'
  | 'reset'
  | 'forum'
  | 'password'
  | 'second'
  | 'totp'
  | 'passkey'
  | 'recovery_code';

// The drivers give BIGINT as text.
const number = {
  to: (value: unknown) => value,
  from: (value: unknown) => (value === null ? null : Number(value)),
};

/** A sign-in, or several failed ones. Written by `LoginEventLog`; the migration explains each column. */
@Entity('login_event')
export class LoginEvent {
  @PrimaryGeneratedColumn({ type: 'bigint' })
  id: string;

  @Column({ type: 'datetime', precision: 3, name: 'created_at' })
  createdAt: Date;

  @Column({ type: 'varchar', length: 16 })
  way: SignInMethod;

  @Column({ type: 'varchar', length: 32 })
  outcome: string;

  @Column({ type: 'int', default: 1 })
  tries: number;

  @Column({ type: 'int', name: 'player_id', nullable: true })
  playerId: number | null;

  @Column({ type: 'varchar', length: 64, nullable: true })
  account: string | null;

  @Column({ type: 'varchar', length: 45, nullable: true })
  address: string | null;

  @Column({ type: 'varchar', length: 128, nullable: true })
  device: string | null;

  @Column({ type: 'bigint', name: 'session_id', nullable: true, transformer: number })
  sessionId: number | null;

  @Column({ type: 'varchar', length: 64, name: 'request_id', nullable: true })
  requestId: string | null;
}
