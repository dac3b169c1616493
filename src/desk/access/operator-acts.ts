import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { isDuplicate } from '../../database/database-errors.js';
import { inTransaction } from '../../database/transaction.js';
import { ActRefused } from '../../journal/act-refused.js';
import { AuditBook, type Operator as Who } from '../../journal/audit-book.js';
import { hashPassword, newPassword } from './operator-password.js';
import { OperatorSessions } from './operator-sessions.js';
import { subjectOfOperator } from './operator-subject.js';
import { Operator } from './operator.entity.js';
import { type Role, ROLES } from './role.js';
import { newTotpSecret } from './totp.js';

/** Told once: of the password only a hash is stored. */
export interface NewSecrets {
  password: string;
  totpSecret: string;
}

type State = Record<string, unknown>;
type Step = (
  manager: EntityManager,
  operator: Operator,
) => Promise<{ before: State; after: State }>;

const NAME = /^[a-z0-9._-]{2,32}$/;

/** What is done about operators, by the command alone. Each act is one transaction with its `audit_event`. */
@Injectable()
export class OperatorActs {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: OperatorSessions,
    private readonly audit: AuditBook,
  ) {}

  list(): Promise<Operator[]> {
    return this.dataSource.manager.find(Operator, { order: { name: 'ASC' } });
  }

  async add(who: Who, name: string, role: string, password = newPassword()): Promise<NewSecrets> {
    if (!NAME.test(name)) throw new ActRefused('a name is 2 to 32 small letters, digits and . _ -');
    const made = { name, role: toRole(role), createdAt: new Date() };
    const secrets = { password, totpSecret: newTotpSecret() };
    const hash = await hashPassword(password);
    try {
      await inTransaction(this.dataSource, async (manager) => {
        await manager.insert(Operator, { ...made, ...secrets, password: hash });
        await this.write(manager, who, 'add', name, {}, { role });
      });
    } catch (error) {
      if (isDuplicate(error)) throw new ActRefused(`there is a ${name} already`, { cause: error });
      throw error;
    }
    return secrets;
  }

  disable(who: Who, name: string): Promise<void> {
    return this.act(who, 'disable', name, async (manager, { id, disabledAt }) => {
      if (disabledAt) throw new ActRefused(`${name} is disabled already`);
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
    return this.act(who, 'enable', name, async (manager, { id, disabledAt, lockedUntil }) => {
      if (!disabledAt && !lockedUntil)
        throw new ActRefused(`${name} is neither disabled nor locked`);
      await manager.update(Operator, { id }, { disabledAt: null, failures: 0, lockedUntil: null });
      return {
        before: { disabled_at: disabledAt, locked_until: lockedUntil },
        after: { disabled_at: null, locked_until: null },
      };
    });
  }

  setRole(who: Who, name: string, given: string): Promise<void> {
    const role = toRole(given);
    return this.act(who, 'set-role', name, async (manager, { id, role: before }) => {
      if (role === before) throw new ActRefused(`${name} is ${role} already`);
      await manager.update(Operator, { id }, { role });
      const sessions = await this.sessions.endAll(manager, id);
      return { before: { role: before, sessions }, after: { role, sessions: 0 } };
    });
  }

  /** A new password and a new secret for the app; neither the old ones nor a session work any more. */
  async reset(who: Who, name: string): Promise<NewSecrets> {
    const secrets = { password: newPassword(), totpSecret: newTotpSecret() };
    const password = await hashPassword(secrets.password);
    await this.act(who, 'reset', name, async (manager, { id }) => {
      const unlocked = { failures: 0, lockedUntil: null, totpLastStep: null };
      const { totpSecret } = secrets;
      await manager.update(Operator, { id }, { password, totpSecret, ...unlocked });
      const sessions = await this.sessions.endAll(manager, id);
      return { before: { sessions }, after: { sessions: 0 } };
    });
    return secrets;
  }

  private act(who: Who, act: string, name: string, step: Step): Promise<void> {
    return inTransaction(this.dataSource, async (manager) => {
      const operator = await manager.findOneBy(Operator, { name });
      if (!operator) throw new ActRefused(`there is no operator ${name}`);
      const { before, after } = await step(manager, operator);
      await this.write(manager, who, act, name, before, after);
    });
  }

  private write(
    manager: EntityManager,
    who: Who,
    act: string,
    name: string,
    before: State,
    after: State,
  ): Promise<void> {
    const subject = subjectOfOperator(name);
    return this.audit.write(manager, who, { act: `operator.${act}`, subject, before, after });
  }
}

function toRole(given: string): Role {
  const role = ROLES.find((each) => each === given);
  if (!role) throw new ActRefused(`a role is ${ROLES.join(', ')}`);
  return role;
}
