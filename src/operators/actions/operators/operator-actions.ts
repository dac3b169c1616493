import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { isDuplicateKey } from '../../../platform/database/database-errors.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { ActionRefused } from '../action-refused.js';
import { AuditLog, type Attribution as Who } from '../../../platform/audit/audit-log.js';
import { hashPassword, generatePassword } from './operator-password.js';
import { OperatorSessions } from './operator-sessions.js';
import { operatorSubject } from './operator-subject.js';
import { Operator } from './operator.entity.js';
import { type Role, ROLES } from './role.js';
import { generateTotpSecret } from './totp.js';

/** Told once: of the password only a hash is stored. */
export interface NewSecrets {
  password: string;
  totpSecret: string;
}

type State = Record<string, unknown>;
type OperatorChange = (
  manager: EntityManager,
  operator: Operator,
) => Promise<{ before: State; after: State }>;

const NAME = /^[a-z0-9._-]{2,32}$/;

/** What is done about operators, by the command alone. Each act is one transaction with its `audit_event`. */
@Injectable()
export class OperatorActions {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: OperatorSessions,
    private readonly audit: AuditLog,
  ) {}

  list(): Promise<Operator[]> {
    return this.dataSource.manager.find(Operator, { order: { name: 'ASC' } });
  }

  async add(
    who: Who,
    name: string,
    role: string,
    password = generatePassword(),
  ): Promise<NewSecrets> {
    if (!NAME.test(name))
      throw new ActionRefused('a name is 2 to 32 small letters, digits and . _ -');
    const made = { name, role: parseRole(role), createdAt: new Date() };
    const secrets = { password, totpSecret: generateTotpSecret() };
    const hash = await hashPassword(password);
    try {
      await inTransaction(this.dataSource, async (manager) => {
        await manager.insert(Operator, { ...made, ...secrets, password: hash });
        await this.writeAudit(manager, who, 'add', name, {}, { role });
      });
    } catch (error) {
      if (isDuplicateKey(error))
        throw new ActionRefused(`there is a ${name} already`, { cause: error });
      throw error;
    }
    return secrets;
  }

  disable(who: Who, name: string): Promise<void> {
    return this.perform(who, 'disable', name, async (manager, { id, disabledAt }) => {
      if (disabledAt) throw new ActionRefused(`${name} is disabled already`);
      const now = new Date();
      await manager.update(Operator, { id }, { disabledAt: now });
      const sessions = await this.sessions.endAll(manager, id);
      return {
        before: { disabled_at: null, sessions },
        after: { disabled_at: now.toISOString(), sessions: 0 },
      };
    });
  }

  /** Also ends a lock after failed tries. */
  enable(who: Who, name: string): Promise<void> {
    return this.perform(who, 'enable', name, async (manager, { id, disabledAt, lockedUntil }) => {
      if (!disabledAt && !lockedUntil)
        throw new ActionRefused(`${name} is neither disabled nor locked`);
      await manager.update(Operator, { id }, { disabledAt: null, failures: 0, lockedUntil: null });
      return {
        before: { disabled_at: disabledAt, locked_until: lockedUntil },
        after: { disabled_at: null, locked_until: null },
      };
    });
  }

  setRole(who: Who, name: string, given: string): Promise<void> {
    const role = parseRole(given);
    return this.perform(who, 'set-role', name, async (manager, { id, role: before }) => {
      if (role === before) throw new ActionRefused(`${name} is ${role} already`);
      await manager.update(Operator, { id }, { role });
      const sessions = await this.sessions.endAll(manager, id);
      return { before: { role: before, sessions }, after: { role, sessions: 0 } };
    });
  }

  /** A new password and a new secret for the app; neither the old ones nor a session work any more. */
  async reset(who: Who, name: string): Promise<NewSecrets> {
    const secrets = { password: generatePassword(), totpSecret: generateTotpSecret() };
    const password = await hashPassword(secrets.password);
    await this.perform(who, 'reset', name, async (manager, { id }) => {
      const unlocked = { failures: 0, lockedUntil: null, totpLastStep: null };
      const { totpSecret } = secrets;
      await manager.update(Operator, { id }, { password, totpSecret, ...unlocked });
      const sessions = await this.sessions.endAll(manager, id);
      return { before: { sessions }, after: { sessions: 0 } };
    });
    return secrets;
  }

  private perform(who: Who, act: string, name: string, step: OperatorChange): Promise<void> {
    return inTransaction(this.dataSource, async (manager) => {
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
    const subject = operatorSubject(name);
    return this.audit.write(manager, who, { act: `operator.${act}`, subject, before, after });
  }
}

function parseRole(given: string): Role {
  const role = ROLES.find((each) => each === given);
  if (!role) throw new ActionRefused(`a role is ${ROLES.join(', ')}`);
  return role;
}
