import { createHash, createHmac, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, Not } from 'typeorm';
import { ExpiredRowCleaner } from '../../../platform/database/expired-row-cleaner.js';
import { sqlTime } from '../../../platform/database/sql-time.js';
import { selectRows } from '../../../platform/database/statement.js';
import { OperatorSession } from './operator-session.entity.js';
import type { DeskOperator } from './role.js';

const MAX_AGE_MS = 8 * 60 * 60 * 1000;
const MAX_IDLE_MS = 30 * 60 * 1000;
const TOUCH_EVERY_MS = 60 * 1000;
const MAX_SESSIONS = 5;

export const MAX_SESSION_SECONDS = MAX_AGE_MS / 1000;

/** The operator's current role, not that of the sign-in. */
const FIND = `SELECT o.name, o.role, s.seen_at < ? AS isUnseen
  FROM operator_session s INNER JOIN operator o ON o.id = s.operator_id
  WHERE s.id = ? AND s.expires_at > ? AND s.seen_at > ? AND o.disabled_at IS NULL`;

/** A valid session with its operator. */
export interface DeskSession {
  operator: DeskOperator;
  /** The hash under which the session is stored; never sent to a client. */
  id: string;
}

type SessionRow = DeskOperator & { isUnseen: number | string };

/** The sign-ins of operators. A cookie's value is 256 random bits, of which only the hash is stored. */
@Injectable()
export class OperatorSessions {
  constructor(
    private readonly dataSource: DataSource,
    expiredRows: ExpiredRowCleaner,
  ) {
    expiredRows.deleteAfter(0, 'operator_session', 'expires_at');
  }

  /** Returns the value for the cookie. Runs in the transaction of the sign-in. */
  async create(manager: EntityManager, operatorId: number, address: string): Promise<string> {
    const secret = randomBytes(32).toString('base64url');
    const now = new Date();
    await manager.insert(OperatorSession, {
      id: idOf(secret),
      operatorId,
      address,
      createdAt: now,
      seenAt: now,
      expiresAt: new Date(now.getTime() + MAX_AGE_MS),
    });
    await endOldest(manager, operatorId);
    return secret;
  }

  /** The session of a cookie. Extends it unless a page asked by itself. */
  async find(secret: string, extendsSession = true): Promise<DeskSession | undefined> {
    const id = idOf(secret);
    const found = await this.select(id);
    if (!found) return undefined;
    if (extendsSession && Number(found.isUnseen) === 1) await this.touch(id);
    return { id, operator: { name: found.name, role: found.role } };
  }

  async end(manager: EntityManager, id: string): Promise<void> {
    await manager.delete(OperatorSession, { id });
  }

  /** Returns how many there were. Runs in the transaction that changes the operator. */
  async endAll(manager: EntityManager, operatorId: number, except = ''): Promise<number> {
    const others = { operatorId, id: Not(except) };
    return (await manager.delete(OperatorSession, others)).affected ?? 0;
  }

  private async select(id: string): Promise<SessionRow | undefined> {
    const now = Date.now();
    const values = [sqlTime(now - TOUCH_EVERY_MS), id, sqlTime(now), sqlTime(now - MAX_IDLE_MS)];
    return (await selectRows<SessionRow>(this.dataSource.manager, FIND, values))[0];
  }

  private async touch(id: string): Promise<void> {
    await this.dataSource.manager.update(OperatorSession, { id }, { seenAt: new Date() });
  }
}

/** Another site's page can make the browser send the cookie, but knows neither it nor values derived from it. */
export function csrfToken(secret: string): string {
  return createHmac('sha256', secret).update('gatehouse desk').digest('base64url');
}

function idOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

async function endOldest(manager: EntityManager, operatorId: number): Promise<void> {
  const excess = await manager.find(OperatorSession, {
    select: { id: true },
    where: { operatorId },
    order: { createdAt: 'DESC' },
    skip: MAX_SESSIONS,
    take: 100,
  });
  if (excess.length > 0)
    await manager.delete(
      OperatorSession,
      excess.map(({ id }) => id),
    );
}
