import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The newest code of a mailbox, as a keyed hash. */
@Entity('verify')
@Index('verify_expires_at', ['expiresAt'])
export class Verify {
  @PrimaryColumn({ type: 'varchar', length: 254 })
  email: string;

  @Column({ type: 'varchar', length: 64 })
  code: string;

  @Column({ type: 'int' })
  tries: number;

  @Column({ type: 'datetime', precision: 3, name: 'expires_at' })
  expiresAt: Date;

  @Column({ type: 'datetime', precision: 3, name: 'used_at', nullable: true })
  usedAt: Date | null;
}
