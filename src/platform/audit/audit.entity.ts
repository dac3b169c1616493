import { Column, Entity, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { BigIntColumn, IntColumn, TextColumn, TimeColumn } from '../database/columns.js';
import type { PlayerChangeName } from '../http/request/request-context.js';

// The migration explains each column.

/** Stores an operator's action or an SQL edit that the service noticed. Only `AuditLog` writes to this table. */
@Entity('audit_event')
@Index('audit_event_change', ['changeKey'], { unique: true })
export class AuditEvent {
  @PrimaryGeneratedColumn({ type: 'bigint' }) id: string;
  @TimeColumn() createdAt: Date;
  @TextColumn(64) operator: string;
  @TextColumn(32) act: string;
  @TextColumn(64) subject: string;
  @Column({ type: 'simple-json', name: 'state_before', nullable: true }) before: object | null;
  @Column({ type: 'simple-json', name: 'state_after', nullable: true }) after: object | null;
  @TextColumn(1000) note: string;
  @TextColumn(64, { nullable: true }) changeKey: string | null;
}

/**
 * Most methods have the name of the sign-in's route. `password` means a password change while signed in. The second
 * step of a sign-in is a separate event, named after its factor, or `second` if the player gave none.
 */
export const SIGN_IN_METHODS = [
  'login',
  'register',
  'reset',
  'forum',
  'password',
  'second',
  'totp',
  'passkey',
  'recovery_code',
] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

/** Stores one sign-in, or a group of failed ones. Only `LoginEventLog` writes to this table. */
@Entity('login_event')
export class LoginEvent {
  @PrimaryGeneratedColumn({ type: 'bigint' }) id: string;
  @TimeColumn() createdAt: Date;
  @TextColumn(16) way: SignInMethod;
  @TextColumn(32) outcome: string;
  @IntColumn({ default: 1 }) tries: number;
  @IntColumn({ nullable: true }) playerId: number | null;
  @TextColumn(64, { nullable: true }) account: string | null;
  @TextColumn(45, { nullable: true }) address: string | null;
  @TextColumn(128, { nullable: true }) device: string | null;
  @BigIntColumn({ nullable: true }) sessionId: number | null;
  @TextColumn(64, { nullable: true }) requestId: string | null;
}

/** `uncertain` means that the mail server may have accepted the e-mail. */
export type MailOutcome = 'sent' | 'uncertain' | 'failed' | 'held_back';

/** Stores the outcome of an e-mail. Only `MailEventLog` writes to this table. */
@Entity('mail_event')
export class MailEvent {
  @PrimaryGeneratedColumn({ type: 'bigint' }) id: string;
  @TimeColumn() createdAt: Date;
  @IntColumn({ nullable: true }) playerId: number | null;
  @TextColumn(32) kind: string;
  @TextColumn(16) outcome: MailOutcome;
  @IntColumn({ nullable: true }) reply: number | null;
  @TextColumn(260) mailbox: string;
  /** The mail server took this many milliseconds to accept or reject the e-mail. */
  @IntColumn({ nullable: true }) ms: number | null;
}

/** Stores a request that got an error response. Only `RequestEventLog` writes to this table. */
@Entity('refused_request')
export class RefusedRequest {
  @PrimaryGeneratedColumn({ type: 'bigint' }) id: string;
  @TimeColumn() createdAt: Date;
  @IntColumn({ nullable: true }) playerId: number | null;
  @TextColumn(8) method: string;
  @TextColumn(64) path: string;
  @TextColumn(32) error: string;
  @TextColumn(45) address: string;
  @TextColumn(64) requestId: string;
  /** Explains a game server's refused request to operators. */
  @TextColumn(250, { nullable: true }) reason: string | null;
  @TextColumn(1000, { nullable: true }) signedText: string | null;
}

/** Stores when a game server's last request to a path was accepted. Only `RequestEventLog` writes to this table. */
@Entity('game_server_call')
export class GameServerCall {
  @PrimaryColumn({ type: 'varchar', length: 45 }) address: string;
  @PrimaryColumn({ type: 'varchar', length: 64 }) path: string;
  @TimeColumn() acceptedAt: Date;
  @IntColumn({ nullable: true }) clockSkew: number | null;
}

/** Stores a change that a player made to their account. Only `RequestEventLog` writes to this table. */
@Entity('player_change')
export class PlayerChange {
  @PrimaryGeneratedColumn({ type: 'bigint' }) id: string;
  @TimeColumn() createdAt: Date;
  @IntColumn() playerId: number;
  @TextColumn(32) what: PlayerChangeName;
  @TextColumn(128, { nullable: true }) detail: string | null;
  @TextColumn(45) address: string;
  @TextColumn(64) requestId: string;
}
