import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ulid } from 'ulid';
import { Environment } from '../config/environment.js';
import type { EventType } from '../config/event-settings.js';
import { Settings } from '../config/settings.js';
import { DAY_MS } from '../config/time.js';
import { currentDate, currentTime } from '../database/database-clock.js';
import { ExpiredRowCleaner } from '../database/expired-row-cleaner.js';
import { isMysql, runStatement, selectRows, sqlTime } from '../database/sql.js';
import type { OutboxEvent } from './event.entity.js';

/** Undelivered events, such as those of an endpoint that was removed from the settings, are kept this long. */
const UNDELIVERED_MS = 90 * DAY_MS;
/** Replaces the endpoint in events from a command that could not read the settings. */
export const UNKNOWN_ENDPOINT = '';

type NewEvent = Pick<OutboxEvent, 'playerId' | 'webhookId' | 'type' | 'body'>;

/** Writes events about players for the endpoints in the settings. Without an endpoint, it writes nothing. */
@Injectable()
export class EventOutbox {
  constructor(
    private readonly settings: Settings,
    private readonly environment: Environment,
    expiredRows: ExpiredRowCleaner,
  ) {
    expiredRows.deleteAfter(0, 'event_outbox', 'expires_at');
  }

  /**
   * Announces a change to a player in the transaction that makes it. The details must contain no mailbox, hash, token
   * or address.
   */
  async announce(
    manager: EntityManager,
    type: EventType,
    playerId: number,
    details: Record<string, string | number | null> = {},
  ): Promise<void> {
    const endpoints = this.endpointsFor(type);
    if (endpoints.length === 0) return;
    const [player] = await selectRows<{ account: string; gameAccount: string | null }>(
      manager,
      'SELECT account, game_account AS gameAccount FROM player WHERE id = ?',
      [playerId],
    );
    if (!player) return;
    const { account, gameAccount } = player;
    const data = { player_id: playerId, account, game_account: gameAccount || account, ...details };
    const timestamp = currentDate().toISOString();
    const body = JSON.stringify({ type, timestamp, data });
    await this.add(manager, endpoints, { playerId, webhookId: `evt_${ulid()}`, type, body });
  }

  /** Adds an event from a command that did not know the endpoints. */
  async addForAll(manager: EntityManager, event: NewEvent): Promise<void> {
    const endpoints = this.endpointsFor(event.type);
    if (endpoints.length > 0) await this.add(manager, endpoints, event);
  }

  /**
   * Makes the player's events due. The queue's row is written before the events and stays locked until the commit, so
   * that `EventDelivery` does not delete the row before it sees the new events.
   */
  async wake(
    manager: EntityManager,
    queues: Array<Pick<OutboxEvent, 'endpoint' | 'playerId'>>,
  ): Promise<void> {
    const conflict = isMysql(manager.dataSource)
      ? 'ON DUPLICATE KEY UPDATE'
      : 'ON CONFLICT DO UPDATE SET';
    const now = sqlTime(currentTime());
    await runStatement(
      manager,
      `INSERT INTO event_queue (endpoint, player_id, due_at, version)
       VALUES ${queues.map(() => '(?, ?, ?, 0)').join(', ')} ${conflict} version = version + 1`,
      queues.flatMap(({ endpoint, playerId }) => [endpoint, playerId, now]),
    );
  }

  private endpointsFor(type: EventType): string[] {
    const { startsWithRefusedSettings } = this.environment;
    if (startsWithRefusedSettings && this.settings.problems.length > 0) return [UNKNOWN_ENDPOINT];
    return this.settings.current.events
      .filter(({ types }) => types === null || types.includes(type))
      .map(({ name }) => name)
      .toSorted();
  }

  private async add(
    manager: EntityManager,
    endpoints: string[],
    { playerId, webhookId, type, body }: NewEvent,
  ): Promise<void> {
    const queues = endpoints
      .filter((endpoint) => endpoint !== UNKNOWN_ENDPOINT)
      .map((endpoint) => ({ endpoint, playerId }));
    if (queues.length > 0) await this.wake(manager, queues);
    const now = currentTime();
    const [createdAt, expiresAt] = [sqlTime(now), sqlTime(now + UNDELIVERED_MS)];
    await runStatement(
      manager,
      `INSERT INTO event_outbox (endpoint, player_id, webhook_id, type, body, created_at, expires_at)
       VALUES ${endpoints.map(() => '(?, ?, ?, ?, ?, ?, ?)').join(', ')}`,
      endpoints.flatMap((endpoint) => {
        return [endpoint, playerId, webhookId, type, body, createdAt, expiresAt];
      }),
    );
  }
}
