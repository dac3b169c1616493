import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Environment } from '../../../platform/config/environment.js';
import { runStatement } from '../../../platform/database/statement.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { AuditLog } from '../../../platform/audit/audit-log.js';
import { InvalidRequest } from '../../../platform/http/errors/http.errors.js';
import { OPERATOR_NAME } from '../../actions/operators/operator-actions.js';
import { hashPassword, verifyPassword } from '../../actions/operators/operator-password.js';
import { type DeskSession, OperatorSessions } from '../../actions/operators/operator-sessions.js';
import { Operator } from '../../actions/operators/operator.entity.js';
import { operatorSubject } from '../../actions/operators/operator-subject.js';
import type { DeskOperator } from '../../actions/operators/role.js';
import { findTotpStep, generateTotpSecret, totpUri } from '../../../platform/auth/totp.js';
import { openTotpSecret, sealTotpSecret } from '../../../platform/auth/totp-seal.js';
import type { ChangePasswordDto, EnrolDto, SignInDto } from './access.dto.js';
import { SignInThrottled, WrongCredentials } from './access.errors.js';
import type { EnrolmentView } from './access.view.js';
import { KnownDevice } from './known-device.js';
import { SignInAttempts } from './sign-in-attempts.js';

/** Longer than any refusal takes: a known name takes more time than an unknown one. */
const MIN_REFUSAL_MS = 300;

// What was checked must still be true: a reset, a disabling or another sign-in with the same code may be in progress.
const SIGN_IN = `UPDATE operator SET totp_last_step = ?
  WHERE id = ? AND password = ? AND disabled_at IS NULL AND (totp_last_step IS NULL OR totp_last_step < ?)`;
const SIGN_IN_WITHOUT_CODE =
  'UPDATE operator SET password = password WHERE id = ? AND password = ? AND disabled_at IS NULL';
const ENROL = `UPDATE operator SET totp_last_step = ?, password = ?, totp_secret = ?
  WHERE id = ? AND password = ? AND disabled_at IS NULL AND totp_secret IS NULL`;

export interface SignedIn {
  operator: DeskOperator;
  /** For the cookie. */
  secret: string;
}

/** The statement that admits an operator; if it changes no row, something changed meanwhile. */
interface Admission {
  act: string;
  sql: string;
  values: unknown[];
}

/** Signs operators in, by password and a code of their authenticator app; each code works once. */
@Injectable()
export class SignInService {
  private readonly logger = new Logger(SignInService.name);

  constructor(
    private readonly environment: Environment,
    private readonly dataSource: DataSource,
    private readonly attempts: SignInAttempts,
    private readonly devices: KnownDevice,
    private readonly sessions: OperatorSessions,
    private readonly audit: AuditLog,
  ) {}

  /** Without an app, an enrolment: whoever created the operator knows the first password. */
  signIn(dto: SignInDto, address: string, device?: string): Promise<SignedIn | EnrolmentView> {
    return this.attempt<SignedIn | EnrolmentView>(dto, address, device, async (operator) =>
      this.needsEnrolment(operator)
        ? newEnrolment(operator.name)
        : this.admit(operator, address, this.signInAdmission(operator, dto.totp)),
    );
  }

  /** The app's secret comes back from the browser: an operator who chooses another one harms nobody else. */
  async enrol(dto: EnrolDto, address: string, device?: string): Promise<SignedIn> {
    refuseSamePassword(dto);
    const step = matchStep(dto.totpSecret, dto.totp);
    const { JWT_SECRET } = this.environment;
    return this.attempt(dto, address, device, async (operator) => {
      if (step === undefined || !this.needsEnrolment(operator)) return undefined;
      const { id, name, password } = operator;
      const sealed = sealTotpSecret(dto.totpSecret, { kind: 'operator', name }, JWT_SECRET);
      const values = [step, await hashPassword(dto.newPassword), sealed, id, password];
      return this.admit(operator, address, { act: 'operator.enrol', sql: ENROL, values });
    });
  }

  /** Like a sign-in, with its limits. Ends the operator's other sessions. */
  async changePassword(
    { id: session, operator: { name } }: DeskSession,
    dto: ChangePasswordDto,
    address: string,
    device?: string,
  ): Promise<void> {
    refuseSamePassword(dto);
    const given = { name, password: dto.password };
    await this.attempt(given, address, device, async (operator) => {
      const admission = this.signInAdmission(operator, dto.totp);
      if (!admission) return undefined;
      const password = await hashPassword(dto.newPassword);
      return inTransaction(this.dataSource, async (manager) => {
        if ((await runStatement(manager, admission.sql, admission.values)).affected !== 1)
          return undefined;
        await manager.update(Operator, { id: operator.id }, { password });
        const sessions = await this.sessions.endAll(manager, operator.id, session);
        const who = { by: name, note: `from ${address}` };
        const change = { before: { other_sessions: sessions }, after: { other_sessions: 0 } };
        const subject = operatorSubject(name);
        await this.audit.write(manager, who, { act: 'operator.password', subject, ...change });
        return true;
      });
    });
  }

  async signOut({ id, operator: { name } }: DeskSession, address: string): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      await this.sessions.end(manager, id);
      const who = { by: name, note: `from ${address}` };
      const subject = operatorSubject(name);
      const act = 'operator.sign-out';
      await this.audit.write(manager, who, { act, subject, before: null, after: null });
    });
  }

  /** `proceed` is called with the operator whose password is right; it returns undefined to refuse. */
  private async attempt<T>(
    { name, password }: SignInDto,
    address: string,
    deviceCookie: string | undefined,
    proceed: (operator: Operator) => Promise<T | undefined>,
  ): Promise<T> {
    const due = performance.now() + MIN_REFUSAL_MS;
    try {
      const operator = await this.find(name);
      const device = this.devices.find(deviceCookie, name);
      const since = operator?.unlockedAt?.getTime() ?? 0;
      const tries = await this.attempts.count({ name, address, device, since });
      const isPassword = await verifyPassword(password, operator?.password);
      const result = operator && isPassword ? await proceed(operator) : undefined;
      if (result === undefined) {
        if (operator && (await tries.isLast())) await this.auditLock(operator, address);
        throw tries.throttled ?? new WrongCredentials();
      }
      await tries.undo();
      return result;
    } catch (error) {
      const isRefusal = error instanceof WrongCredentials || error instanceof SignInThrottled;
      if (isRefusal) await pause(Math.max(0, due - performance.now()));
      throw error;
    }
  }

  private async find(name: string): Promise<Operator | null> {
    // The column is ASCII: MariaDB refuses to compare it with anything else.
    if (!OPERATOR_NAME.test(name)) return null;
    return this.dataSource
      .createQueryBuilder(Operator, 'operator')
      .addSelect(['operator.password', 'operator.totpSecret'])
      .where('operator.name = :name', { name })
      .getOne();
  }

  private needsEnrolment({ totpSecret, disabledAt }: Operator): boolean {
    return !this.environment.embedded && totpSecret === null && disabledAt === null;
  }

  /** Undefined if the code is wrong, or there is none. */
  private signInAdmission(operator: Operator, code?: string): Admission | undefined {
    const { id, name, password, totpSecret } = operator;
    const act = 'operator.sign-in';
    if (this.environment.embedded)
      return { act, sql: SIGN_IN_WITHOUT_CODE, values: [id, password] };
    const secret = openTotpSecret(
      totpSecret ?? '',
      { kind: 'operator', name },
      this.environment.JWT_SECRET,
    );
    if (secret === undefined && totpSecret !== null)
      this.logger.error(
        `the app of the operator ${name} was set up under another JWT_SECRET: gatehouse operator reset ${name}`,
      );
    const step = secret === undefined ? undefined : matchStep(secret, code);
    return step === undefined
      ? undefined
      : { act, sql: SIGN_IN, values: [step, id, password, step] };
  }

  /** Undefined if something changed meanwhile, or the code was used. */
  private admit(
    { id, name, role }: Operator,
    address: string,
    admission: Admission | undefined,
  ): Promise<SignedIn | undefined> {
    if (!admission) return Promise.resolve(undefined);
    const { act, sql, values } = admission;
    return inTransaction(this.dataSource, async (manager) => {
      if ((await runStatement(manager, sql, values)).affected !== 1) return undefined;
      const secret = await this.sessions.create(manager, id, address);
      const who = { by: name, note: `from ${address}` };
      const subject = operatorSubject(name);
      await this.audit.write(manager, who, { act, subject, before: null, after: { address } });
      return { operator: { name, role }, secret };
    });
  }

  private async auditLock({ name }: Operator, address: string): Promise<void> {
    const who = { by: 'gatehouse', note: `too many failed tries, the last from ${address}` };
    const subject = operatorSubject(name);
    await this.audit.write(this.dataSource.manager, who, {
      act: 'operator.lock',
      subject,
      before: null,
      after: { address },
    });
  }
}

function refuseSamePassword({ password, newPassword }: ChangePasswordDto): void {
  if (newPassword === password)
    throw new InvalidRequest([
      { field: 'new_password', message: 'must differ from the current password' },
    ]);
}

function newEnrolment(name: string): EnrolmentView {
  const secret = generateTotpSecret();
  return { enrolment: { totp_secret: secret, totp_uri: totpUri(name, secret) } };
}

function matchStep(secret: string, code: string | undefined): number | undefined {
  const digits = code?.replaceAll(/\s/g, '') ?? '';
  return findTotpStep(secret, digits, Date.now());
}
