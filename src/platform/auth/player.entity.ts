import { Column, CreateDateColumn, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

@Entity('player')
@Index('player_account', ['account'], { unique: true })
@Index('player_email', ['email'], { unique: true })
@Index('player_game_name', ['gameAccount'], { unique: true })
export class Player {
  @PrimaryGeneratedColumn()
  id: number;

  @Column({ type: 'varchar', length: 64 })
  account: string;

  /** `md5(password + PASSWORD_KEY)`, as the previous generation stored it. */
  @Column({ type: 'varchar', length: 64, select: false })
  password: string;

  @Column({ type: 'varchar', length: 254, nullable: true })
  email: string | null;

  @Column({ type: 'int', name: 'server_id', nullable: true })
  serverId: number | null;

  @Column({ type: 'varchar', length: 45, nullable: true })
  ip: string | null;

  @Column({ type: 'varchar', length: 64, nullable: true })
  device: string | null;

  @Column({ type: 'varchar', length: 64, nullable: true })
  os: string | null;

  @Column({ type: 'varchar', length: 64, nullable: true })
  browse: string | null;

  @Column({ type: 'int', name: 'agent_id', nullable: true })
  agentId: number | null;

  /** Grows with each password reset; a JWT of an older version is refused. */
  @Column({ type: 'int', default: 0 })
  ver: number;

  @Column({ type: 'datetime', precision: 3, name: 'disabled_at', nullable: true })
  disabledAt: Date | null;

  @CreateDateColumn({ type: 'datetime', name: 'created_at' })
  createdAt: Date;

  @Column({ type: 'datetime', precision: 3, name: 'entered_at', nullable: true })
  enteredAt: Date | null;

  @Column({ type: 'int', name: 'enter_count', default: 0 })
  enterCount: number;

  /** The exact name in the game's tables, stored when it is first needed. Null: the same as `account`. */
  @Column({ type: 'varchar', length: 64, name: 'game_account', nullable: true })
  gameAccount: string | null;

  /** For comparing `game_account` without regard to case. */
  @Column({
    type: 'varchar',
    length: 64,
    name: 'game_account_folded',
    nullable: true,
    select: false,
    insert: false,
    update: false,
    generatedType: 'STORED',
    asExpression: 'game_account',
  })
  gameAccountFolded: string | null;

  @Column({ type: 'datetime', precision: 3, name: 'new_device_mail_at', nullable: true })
  newDeviceMailAt: Date | null;

  /** The last password reset by mail, new mailbox or removed second factor: withdrawals pause from then. */
  @Column({ type: 'datetime', precision: 3, name: 'withdraw_paused_at', nullable: true })
  withdrawPausedAt: Date | null;

  /** Has a confirmed authenticator app or a passkey. Set in the transaction of the change, so a login needs no look-up. */
  @Column({ type: 'boolean', name: 'has_second_factor', default: false })
  hasSecondFactor: boolean;

  /**
   * Set until the first sign-in of an imported player: the hash may have another form, and no mail announces the
   * sign-in.
   */
  @Column({ type: 'boolean', default: false })
  imported: boolean;

  /** See `lockPlayer`. */
  @Column({ type: 'int', name: 'lock_version', default: 0, select: false })
  lockVersion: number;

  /** When the account is closed. Stays set for some minutes after that: see `ClosingJob`. */
  @Column({ type: 'datetime', precision: 3, name: 'closing_at', nullable: true })
  closingAt: Date | null;

  /** Set: closed and anonymised. It is disabled as well, and has no password, mailbox or link. */
  @Column({ type: 'datetime', precision: 3, name: 'closed_at', nullable: true })
  closedAt: Date | null;

  @Column({ type: 'datetime', precision: 3, name: 'exported_at', nullable: true })
  exportedAt: Date | null;
}
