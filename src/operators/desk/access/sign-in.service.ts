import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Environment } from '../../../platform/config/environment.js';
import { runStatement } from '../../../platform/database/statement.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { AuditLog } from '../../../platform/audit/audit-log.js';
import { SignInThrottled, WrongCredentials } from './access.errors.js';
import { verifyPassword } from '../../actions/operators/operator-password.js';
import { type DeskSession, OperatorSessions } from '../../actions/operators/operator-sessions.js';
import { Operator } from '../../actions/operators/operator.entity.js';
import { operatorSubject } from '../../actions/operators/operator-subject.js';
import type { DeskOperator } from '../../actions/operators/role.js';
import { SignInAttempts } from './sign-in-attempts.js';
import { findTotpStep } from '../../actions/operators/totp.js';

/** Longer than any refusal takes: a known name, whose row is written, costs more time than an unknown one. */
const MIN_REFUSAL_MS = 300;

// What was compared has to be true still: a reset, a disabling or another sign-in with the same code may be under way.
const SIGN_IN = `UPDATE operator SET totp_last_step = ?, failures = 0, locked_until = NULL
  WHERE id = ? AND password = ? AND disabled_at IS NULL AND (totp_last_step IS NULL OR totp_last_step < ?)`;
const SIGN_IN_WITHOUT_CODE =
  'UPDATE operator SET failures = 0, locked_until = NULL WHERE id = ? AND password = ? AND disabled_at IS NULL';

export interface Credentials {
  name: string;
  password: string;
  totp?: string;
}

export interface SignedIn {
  operator: DeskOperator;
  /** For the cookie. */
  secret: string;
}

/** Lets operators in: by password and a code of their authenticator app, each code once. */
@Injectable()
export class SignInService {
  constructor(
    private readonly environment: Environment,
    private readonly dataSource: DataSource,
    private readonly attempts: SignInAttempts,
    private readonly sessions: OperatorSessions,
    private readonly audit: AuditLog,
  ) {}

  async signIn(credentials: Credentials, address: string): Promise<SignedIn> {
    const due = performance.now() + MIN_REFUSAL_MS;
    try {
      return await this.attempt(credentials, address);
    } catch (error) {
      const isRefusal = error instanceof WrongCredentials || error instanceof SignInThrottled;
      if (isRefusal) await pause(Math.max(0, due - performance.now()));
      throw error;
    }
  }

  async signOut({ id, operator: { name } }: DeskSession, address: string): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      await this.sessions.end(manager, id);
      await this.audit.write(
        manager,
        { by: name, note: `from ${address}` },
        {
          act: 'operator.sign-out',
          subject: operatorSubject(name),
          before: null,
          after: null,
        },
      );
    });
  }

  private async attempt(credentials: Credentials, address: string): Promise<SignedIn> {
    const undoCount = await this.attempts.countForAddress(address);
    const operator = await this.find(credentials.name);
    const isLastAttempt = operator && (await this.attempts.countForOperator(operator));
    if (!operator) await this.attempts.countForUnknownName(credentials.name);
    const isPassword = await verifyPassword(credentials.password, operator?.password);
    const step = this.matchTotpStep(operator, credentials.totp);
    const secret =
      operator && isPassword && step !== undefined
        ? await this.createSession(operator, step, address)
        : undefined;
    if (operator && secret !== undefined) {
      await undoCount();
      return { operator: { name: operator.name, role: operator.role }, secret };
    }
    if (operator && isLastAttempt) await this.auditLock(operator, address);
    throw new WrongCredentials();
  }

  private find(name: string): Promise<Operator | null> {
    return this.dataSource
      .createQueryBuilder(Operator, 'operator')
      .addSelect(['operator.password', 'operator.totpSecret'])
      .where('operator.name = :name', { name })
      .getOne();
  }

  /** Null: none is asked for. Undefined: the code is wrong, or there must be one and is none. */
  private matchTotpStep(operator: Operator | null, code?: string): number | null | undefined {
    if (this.environment.embedded) return null;
    if (!operator?.totpSecret || code === undefined) return undefined;
    return findTotpStep(operator.totpSecret, code.replaceAll(/\s/g, ''), Date.now());
  }

  /** Undefined where something changed meanwhile, or the code was used. */
  private createSession(
    { id, name, password }: Operator,
    step: number | null,
    address: string,
  ): Promise<string | undefined> {
    return inTransaction(this.dataSource, async (manager) => {
      const [sql, values] =
        step === null
          ? [SIGN_IN_WITHOUT_CODE, [id, password]]
          : [SIGN_IN, [step, id, password, step]];
      if ((await runStatement(manager, sql, values)).affected !== 1) return undefined;
      const secret = await this.sessions.create(manager, id, address);
      await this.audit.write(
        manager,
        { by: name, note: `from ${address}` },
        {
          act: 'operator.sign-in',
          subject: operatorSubject(name),
          before: null,
          after: { address },
        },
      );
      return secret;
    });
  }

  private async auditLock({ name }: Operator, address: string): Promise<void> {
    const who = { by: 'gatehouse', note: `too many failed tries, the last from ${address}` };
    await this.audit.write(this.dataSource.manager, who, {
      act: 'operator.lock',
      subject: operatorSubject(name),
      before: null,
      after: { address },
    });
  }
}
