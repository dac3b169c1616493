import { createHash, createHmac, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, Not } from 'typeorm';
import { currentDate, currentTime } from '../../../platform/database/database-clock.js';
import { ExpiredRowCleaner } from '../../../platform/database/expired-row-cleaner.js';
import { selectRows, sqlTime } from '../../../platform/database/sql.js';
import { type DeskOperator, OperatorSession } from './operator.entity.js';

const MAX_AGE_MS = 8 * 60 * 60 * 1000;
const MAX_IDLE_MS = 30 * 60 * 1000;
const TOUCH_EVERY_MS = 60 * 1000;
const MAX_SESSIONS = 5;

export const MAX_SESSION_SECONDS = MAX_AGE_MS / 1000;

// The query reads the operator's current role, which may have changed since the sign-in.
const FIND = `SELECT o.name, o.role, s.seen_at < ? AS isUnseen
  FROM operator_session s INNER JOIN operator o ON o.id = s.operator_id
  WHERE s.id = ? AND s.expires_at > ? AND s.seen_at > ? AND o.disabled_at IS NULL`;

export interface DeskSession {
  operator: DeskOperator;
  /** The id is the hash under which the session is stored. No client ever sees the hash. */
  id: string;
}

type SessionRow = DeskOperator & { isUnseen: number | string };

/** A cookie contains 256 random bits, and only their hash is stored. */
@Injectable()
export class OperatorSessions {
  constructor(
    private readonly dataSource: DataSource,
    expiredRows: ExpiredRowCleaner,
  ) {
    expiredRows.deleteAfter(0, 'operator_session', 'expires_at');
  }

  /** Creates a session in the sign-in's transaction and returns the cookie's value. */
  async create(manager: EntityManager, operatorId: number, address: string): Promise<string> {
    const secret = randomBytes(32).toString('base64url');
    const now = currentDate();
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

  /** Finds the session of a cookie. Extends the session unless the page sent the request in the background. */
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

  /** Ends sessions in the transaction that changes the operator, and returns their number. */
  async endAll(manager: EntityManager, operatorId: number, except = ''): Promise<number> {
    const others = { operatorId, id: Not(except) };
    return (await manager.delete(OperatorSession, others)).affected ?? 0;
  }

  private async select(id: string): Promise<SessionRow | undefined> {
    const now = currentTime();
    const values = [sqlTime(now - TOUCH_EVERY_MS), id, sqlTime(now), sqlTime(now - MAX_IDLE_MS)];
    return (await selectRows<SessionRow>(this.dataSource.manager, FIND, values))[0];
  }

  private async touch(id: string): Promise<void> {
    await this.dataSource.manager.update(OperatorSession, { id }, { seenAt: currentDate() });
  }
}

/** Returns the token that a request must contain. Another site's page cannot compute the token. */
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
