import { CreateDateColumn, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { FlagColumn, IntColumn, TextColumn, TimeColumn } from '../database/columns.js';

@Entity('player')
@Index('player_account', ['account'], { unique: true })
@Index('player_email', ['email'], { unique: true })
@Index('player_game_name', ['gameAccount'], { unique: true })
@Index('player_created', ['createdAt', 'agentId', 'enteredAt'])
export class Player {
  @PrimaryGeneratedColumn() id: number;
  @TextColumn(64) account: string;
  /** The value is `md5(password + PASSWORD_KEY)`, the format of the previous generation. */
  @TextColumn(64, { select: false }) password: string;
  @TextColumn(254, { nullable: true }) email: string | null;
  @IntColumn({ nullable: true }) serverId: number | null;
  @TextColumn(45, { nullable: true }) ip: string | null;
  @TextColumn(64, { nullable: true }) device: string | null;
  @TextColumn(64, { nullable: true }) os: string | null;
  @TextColumn(64, { nullable: true }) browse: string | null;
  @IntColumn({ nullable: true }) agentId: number | null;
  /**
   * Grows with each change that ends all sessions, such as a password reset. A JWT with an older version is rejected.
   */
  @IntColumn({ default: 0 }) ver: number;
  @TimeColumn({ nullable: true }) disabledAt: Date | null;
  @CreateDateColumn({ type: 'datetime', name: 'created_at' }) createdAt: Date;
  @TimeColumn({ nullable: true }) enteredAt: Date | null;
  @IntColumn({ default: 0 }) enterCount: number;
  /** This is the exact name in the game's tables, stored on first use, or null if it equals `account`. */
  @TextColumn(64, { nullable: true }) gameAccount: string | null;
  /** Repeats `game_account` in a collation that ignores case. */
  @TextColumn(64, {
    nullable: true,
    select: false,
    insert: false,
    update: false,
    generatedType: 'STORED',
    asExpression: 'game_account',
  })
  gameAccountFolded: string | null;
  /** E-mails are in this language, which comes from the registration or the last entry to a server. */
  @TextColumn(2, { nullable: true }) language: string | null;
  @TimeColumn({ nullable: true }) newDeviceMailAt: Date | null;
  /** A password reset, a new e-mail address or a removed factor paused withdrawals at this time. */
  @TimeColumn({ nullable: true }) withdrawPausedAt: Date | null;
  /**
   * This is true if the player has a confirmed authenticator app or a passkey, so that a login need not search for
   * them.
   */
  @FlagColumn() hasSecondFactor: boolean;
  /** This is true until an imported player first signs in. Until then, the hash may have another format. */
  @FlagColumn() imported: boolean;
  /** This is incremented by `lockPlayer`. */
  @IntColumn({ default: 0, select: false }) lockVersion: number;
  /** The account is to be closed at this time. `ClosingJob` clears the column some minutes later. */
  @TimeColumn({ nullable: true }) closingAt: Date | null;
  /** This is set if the account is closed. A closed account is disabled and has no password, e-mail address or link. */
  @TimeColumn({ nullable: true }) closedAt: Date | null;
  @TimeColumn({ nullable: true }) exportedAt: Date | null;
}

/** Describes for the log when an account will be closed, or that its owner keeps it. */
export function describeClosing({ id, createdAt }: Player, closingAt: Date | null): string {
  const what = closingAt ? `closes at ${closingAt.toISOString()}` : 'keeps the account';
  return `player ${id}, registered ${createdAt.toISOString()}, ${what}`;
}
