import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type Attribution as Who, AuditLog } from '../../../platform/audit/audit-log.js';
import { Environment } from '../../../platform/config/environment.js';
import { currentDate } from '../../../platform/database/database-clock.js';
import { isDuplicateKey } from '../../../platform/database/database-errors.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { ActionRefused } from '../action-refused.js';
import { operatorAuditSubject } from '../events/event-search.js';
import { generatePassword, hashPassword } from './operator-password.js';
import { OperatorSessions } from './operator-sessions.js';
import { Operator, type Role, ROLES } from './operator.entity.js';

type State = Record<string, unknown>;
type OperatorChange = (
  manager: EntityManager,
  operator: Operator,
) => Promise<{ before: State; after: State }>;

/** Runs in the action's transaction and throws if the action is not allowed. */
export type OperatorCheck = (manager: EntityManager) => Promise<void>;
const ALLOWED: OperatorCheck = () => Promise.resolve();

export const OPERATOR_NAME = /^[a-z0-9._-]{2,32}$/;

/** Each change and its `audit_event` are written in one transaction. */
@Injectable()
export class OperatorActions {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: OperatorSessions,
    private readonly audit: AuditLog,
    private readonly environment: Environment,
  ) {}

  /** An invited operator has not yet set up a password and an authenticator app. */
  async list() {
    const operators = await this.dataSource.manager.find(Operator, { order: { name: 'ASC' } });
    return operators.map(({ name, role, disabledAt, totpLastStep, createdAt }) => ({
      name,
      role,
      state: disabledAt
        ? ('disabled' as const)
        : totpLastStep === null && !this.environment.embedded
          ? ('invited' as const)
          : ('active' as const),
      created_at: createdAt,
    }));
  }

  /** Returns the password for the first sign-in, during which the operator sets a new one. */
  async add(
    who: Who,
    name: string,
    role: string,
    { password = generatePassword(), check = ALLOWED } = {},
  ): Promise<string> {
    if (!OPERATOR_NAME.test(name))
      throw new ActionRefused('a name is 2 to 32 lowercase letters, digits and . _ -');
    const made = { name, role: parseRole(role), createdAt: currentDate() };
    const hash = await hashPassword(password);
    try {
      await inTransaction(this.dataSource, async (manager) => {
        await check(manager);
        await manager.insert(Operator, { ...made, password: hash });
        await this.writeAudit(manager, who, 'add', name, {}, { role });
      });
    } catch (error) {
      if (isDuplicateKey(error))
        throw new ActionRefused(`operator ${name} already exists`, { cause: error });
      throw error;
    }
    return password;
  }

  disable(who: Who, name: string, check = ALLOWED): Promise<void> {
    return this.perform(who, 'disable', name, check, async (manager, { id, disabledAt }) => {
      if (disabledAt) throw new ActionRefused(`${name} is already disabled`);
      const now = currentDate();
      await manager.update(Operator, { id }, { disabledAt: now });
      const sessions = await this.sessions.endAll(manager, id);
      return {
        before: { disabled_at: null, sessions },
        after: { disabled_at: now.toISOString(), sessions: 0 },
      };
    });
  }

  /** Enables an operator and ends any lock that failed sign-ins caused. */
  enable(who: Who, name: string, check = ALLOWED): Promise<void> {
    return this.perform(who, 'enable', name, check, async (manager, { id, disabledAt }) => {
      await manager.update(Operator, { id }, { disabledAt: null, unlockedAt: currentDate() });
      return { before: { disabled_at: disabledAt }, after: { disabled_at: null } };
    });
  }

  setRole(who: Who, name: string, given: string): Promise<void> {
    const role = parseRole(given);
    return this.perform(who, 'set-role', name, ALLOWED, async (manager, { id, role: before }) => {
      if (role === before) throw new ActionRefused(`the role of ${name} is already ${role}`);
      await manager.update(Operator, { id }, { role });
      const sessions = await this.sessions.endAll(manager, id);
      return { before: { role: before, sessions }, after: { role, sessions: 0 } };
    });
  }

  /** Restores the state before the first sign-in. The old password, authenticator app and sessions stop working. */
  async reset(who: Who, name: string, check = ALLOWED): Promise<string> {
    const made = generatePassword();
    const password = await hashPassword(made);
    await this.perform(who, 'reset', name, check, async (manager, { id }) => {
      const noApp = { totpSecret: null, totpLastStep: null };
      await manager.update(Operator, { id }, { password, ...noApp, unlockedAt: currentDate() });
      const sessions = await this.sessions.endAll(manager, id);
      return { before: { sessions }, after: { sessions: 0 } };
    });
    return made;
  }

  private perform(
    who: Who,
    act: string,
    name: string,
    check: OperatorCheck,
    step: OperatorChange,
  ): Promise<void> {
    return inTransaction(this.dataSource, async (manager) => {
      await check(manager);
      const operator = await manager.findOneBy(Operator, { name });
      if (!operator) throw new ActionRefused(`there is no operator ${name}`);
      const { before, after } = await step(manager, operator);
      await this.writeAudit(manager, who, act, name, before, after);
    });
  }

  private writeAudit(
    manager: EntityManager,
    who: Who,
    act: string,
    name: string,
    before: State,
    after: State,
  ): Promise<void> {
    const subject = operatorAuditSubject(name);
    return this.audit.write(manager, who, { act: `operator.${act}`, subject, before, after });
  }
}

function parseRole(given: string): Role {
  const role = ROLES.find((each) => each === given);
  if (!role) throw new ActionRefused(`a role is ${ROLES.join(', ')}`);
  return role;
}
