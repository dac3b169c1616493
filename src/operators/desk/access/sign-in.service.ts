import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { Transform } from 'class-transformer';
import pLimit from 'p-limit';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditLog } from '../../../platform/audit/audit-log.js';
import {
  findTotpStep,
  generateTotpSecret,
  openTotpSecret,
  sealTotpSecret,
  totpUri,
} from '../../../platform/auth/totp.js';
import { Environment } from '../../../platform/config/environment.js';
import { currentTime } from '../../../platform/database/database-clock.js';
import { runStatement } from '../../../platform/database/sql.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { InvalidRequest } from '../../../platform/http/errors/http.errors.js';
import { TextField } from '../../../platform/http/validation/field.decorator.js';
import { operatorAuditSubject } from '../../actions/events/event-search.js';
import { OPERATOR_NAME } from '../../actions/operators/operator-actions.js';
import { hashPassword, verifyPassword } from '../../actions/operators/operator-password.js';
import { type DeskSession, OperatorSessions } from '../../actions/operators/operator-sessions.js';
import { type DeskOperator, Operator } from '../../actions/operators/operator.entity.js';
import { SignInThrottled, WrongCredentials } from './access.errors.js';
import { DeskCookie } from './desk-cookie.js';
import { SignInAttempts } from './sign-in-attempts.js';

export class SignInDto {
  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? value.trim().toLowerCase() : value,
  )
  @TextField({ max: 64, example: 'anna' })
  name: string;

  @TextField({ max: 200 })
  password: string;

  @TextField({ max: 16, optional: true, description: 'the code of the authenticator app' })
  totp?: string;
}

export class ChangePasswordDto {
  @TextField({ max: 200 })
  password: string;

  @TextField({ min: 12, max: 128 })
  newPassword: string;

  @TextField({ max: 16, optional: true, description: 'the code of the authenticator app' })
  totp?: string;
}

/** Completes the first sign-in, which uses a password that an admin or the command line created. */
export class EnrolDto extends SignInDto {
  @TextField({ min: 12, max: 128 })
  newPassword: string;

  @TextField({
    max: 32,
    pattern: /^[A-Z2-7]{32}$/,
    description: 'the secret from the response to the sign-in',
  })
  totpSecret: string;
}

/** Every rejection takes a multiple of this time, so that the duration does not reveal which names exist. */
const REFUSAL_STEP_MS = 500;
/** Limits parallel hashes, because each one occupies a core for about 80 ms. */
const HASHES_AT_ONCE = 2;
const MAX_WAITING = 100;
const RETRY_SECONDS = 5;

// The statements repeat the checks, because the operator may concurrently be reset or disabled, or sign in with the
// same code.
const SIGN_IN = `UPDATE operator SET totp_last_step = ?
  WHERE id = ? AND password = ? AND disabled_at IS NULL AND (totp_last_step IS NULL OR totp_last_step < ?)`;
const SIGN_IN_WITHOUT_CODE =
  'UPDATE operator SET password = password WHERE id = ? AND password = ? AND disabled_at IS NULL';
const ENROL = `UPDATE operator SET totp_last_step = ?, password = ?, totp_secret = ?
  WHERE id = ? AND password = ? AND disabled_at IS NULL AND totp_secret IS NULL`;

export interface SignedIn {
  operator: DeskOperator;
  secret: string;
}

/** Holds the statement that admits an operator. If it changes no row, the operator changed after the check. */
interface Admission {
  act: string;
  sql: string;
  values: unknown[];
}

/** Signs operators in with a password and an authenticator app's code. Each code works once. */
@Injectable()
export class SignInService {
  private readonly logger = new Logger(SignInService.name);
  /** Known devices have their own queue, so that guesses from other browsers do not delay their operators. */
  private readonly knownDevices = pLimit(HASHES_AT_ONCE);
  private readonly otherDevices = pLimit(HASHES_AT_ONCE);

  constructor(
    private readonly environment: Environment,
    private readonly dataSource: DataSource,
    private readonly attempts: SignInAttempts,
    private readonly cookie: DeskCookie,
    private readonly sessions: OperatorSessions,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Returns an enrolment if the operator has no authenticator app. The enrolment also replaces the initial password,
   * which others know.
   */
  signIn(dto: SignInDto, address: string, device?: string) {
    return this.attempt<SignedIn | Enrolment>(dto, address, device, async (operator) =>
      this.needsEnrolment(operator)
        ? newEnrolment(operator.name)
        : this.admit(operator, address, this.signInAdmission(operator, dto.totp)),
    );
  }

  /** Accepts the app's secret from the browser, because an operator who sends another one harms nobody else. */
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

  /** Changes the password under the same limits as a sign-in, and ends the operator's other sessions. */
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
        await this.writeAudit(manager, 'operator.password', name, address, {
          before: { other_sessions: sessions },
          after: { other_sessions: 0 },
        });
        return true;
      });
    });
  }

  async signOut({ id, operator: { name } }: DeskSession, address: string): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      await this.sessions.end(manager, id);
      await this.writeAudit(manager, 'operator.sign-out', name, address);
    });
  }

  /** Calls `proceed` with the operator if the password is right. `proceed` returns undefined to reject the attempt. */
  private async attempt<T>(
    { name, password }: SignInDto,
    address: string,
    deviceCookie: string | undefined,
    proceed: (operator: Operator) => Promise<T | undefined>,
  ): Promise<T> {
    const started = performance.now();
    try {
      const device = this.cookie.findDevice(deviceCookie, name);
      const queue = device ? this.knownDevices : this.otherDevices;
      if (queue.pendingCount >= MAX_WAITING) throw new SignInThrottled(RETRY_SECONDS);
      const operator = await this.find(name);
      const since = operator?.unlockedAt?.getTime() ?? 0;
      const tries = await this.attempts.count({ name, address, device, since });
      // An unknown name waits in the queue but needs no hash, so that guessed names do not delay operators.
      const isPassword = await queue(async () =>
        operator ? verifyPassword(password, operator.password) : false,
      );
      const result = operator && isPassword ? await proceed(operator) : undefined;
      if (result === undefined) {
        if (operator && (await tries.isLast())) await this.auditLock(operator, address);
        throw tries.throttled ?? new WrongCredentials();
      }
      await tries.undo();
      return result;
    } catch (error) {
      const isRefusal = error instanceof WrongCredentials || error instanceof SignInThrottled;
      const elapsed = performance.now() - started;
      if (isRefusal) await pause(REFUSAL_STEP_MS - (elapsed % REFUSAL_STEP_MS));
      throw error;
    }
  }

  private async find(name: string): Promise<Operator | null> {
    // The column is ASCII, and MariaDB cannot compare it with other text.
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

  /** Returns undefined if the code is wrong or missing. */
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

  /** Returns undefined if the operator has changed since the check or the code has been used. */
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
      await this.writeAudit(manager, act, name, address, { after: { address } });
      return { operator: { name, role }, secret };
    });
  }

  private async auditLock({ name }: Operator, address: string): Promise<void> {
    const who = { by: 'gatehouse', note: `too many failed tries, the last from ${address}` };
    const entry = { act: 'operator.lock', subject: operatorAuditSubject(name) };
    const change = { before: null, after: { address } };
    await this.audit.write(this.dataSource.manager, who, { ...entry, ...change });
  }

  private writeAudit(
    manager: EntityManager,
    act: string,
    name: string,
    address: string,
    { before = null, after = null }: { before?: object | null; after?: object | null } = {},
  ): Promise<void> {
    const who = { by: name, note: `from ${address}` };
    return this.audit.write(manager, who, {
      act,
      subject: operatorAuditSubject(name),
      before,
      after,
    });
  }
}

function refuseSamePassword({ password, newPassword }: ChangePasswordDto): void {
  if (newPassword === password)
    throw new InvalidRequest([
      { field: 'new_password', message: 'must differ from the current password' },
    ]);
}

type Enrolment = ReturnType<typeof newEnrolment>;

/** Starts the first sign-in, which requires a new password and an authenticator app. */
function newEnrolment(name: string) {
  const secret = generateTotpSecret();
  return { enrolment: { totp_secret: secret, totp_uri: totpUri(name, secret) } };
}

function matchStep(secret: string, code: string | undefined): number | undefined {
  const digits = code?.replaceAll(/\s/g, '') ?? '';
  return findTotpStep(secret, digits, currentTime());
}
