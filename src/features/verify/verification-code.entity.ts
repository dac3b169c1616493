import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The newest code of a mailbox, as a keyed hash. */
@Entity('verify')
export class VerificationCode {
  @PrimaryColumn({ type: 'varchar', length: 254 })
  email: string;

  @Column({ type: 'varchar', length: 64 })
  code: string;

  /** The group of the address that requested it. */
  @Column({ type: 'varchar', length: 64, name: 'asked_by', default: '' })
  askedBy: string;

  /** Tries of that address, and of all others. */
  @Column({ type: 'int' })
  tries: number;

  @Column({ type: 'int', name: 'tries_of_others', default: 0 })
  triesOfOthers: number;

  @Column({ type: 'datetime', precision: 3, name: 'expires_at' })
  expiresAt: Date;

  @Column({ type: 'datetime', precision: 3, name: 'used_at', nullable: true })
  usedAt: Date | null;
}
