import { Injectable } from '@nestjs/common';
import { DataSource, type SelectQueryBuilder } from 'typeorm';
import { sqlTime } from '../../../platform/database/sql.js';
import { ChatMessage } from '../../../features/chat/chat-message.entity.js';
import { pageRows } from '../page-rows.js';

// These constants limit the rows per scan, the number of scans and the time of a search that no index covers.
const ROWS_PER_SCAN = 1000;
const MAX_SCANS = 5;
const MAX_SCAN_MS = 100;
const CONTEXT_LINES = 20;
const ESCAPE = '!';

export interface ChatFilter {
  server?: number;
  account?: string;
  since?: Date;
  until?: Date;
  /** A chat line must contain all of these words. */
  words: string[];
  before?: number;
  limit: number;
}

export interface ChatPage {
  lines: ChatMessage[];
  next: number | null;
  /** If the search stopped early, it covered all lines since this time, and `next` continues the search. */
  searchedTo: Date | null;
}

type Query = SelectQueryBuilder<ChatMessage>;
type Position = Pick<ChatMessage, 'id' | 'time'>;
type Condition = [sql: string, values: object];

/** Searches the games' chat, newest line first by the games' clocks. Each index that it uses ends with `time`. */
@Injectable()
export class ChatSearch {
  constructor(private readonly dataSource: DataSource) {}

  async find(filter: ChatFilter): Promise<ChatPage> {
    const { before, limit } = filter;
    const started = performance.now();
    const lines: ChatMessage[] = [];
    let older = before === undefined ? undefined : await this.olderThanId(before);
    for (let scan = 1; ; scan++) {
      const query = this.queryByIndex(filter, older);
      const scanEnd = needsScan(filter) ? await findScanEnd(query) : null;
      if (scanEnd) query.andWhere(...newerThan(scanEnd, '>='));
      applyUnindexedFilters(query, filter);
      orderByTime(query, limit + 1 - lines.length);
      lines.push(...(await (scanEnd ? query.getMany() : pageRows(query))));
      if (lines.length > limit)
        return {
          lines: lines.slice(0, limit),
          next: Number(lines[limit - 1]!.id),
          searchedTo: null,
        };
      if (!scanEnd) return { lines, next: null, searchedTo: null };
      if (scan === MAX_SCANS || performance.now() - started > MAX_SCAN_MS)
        return { lines, next: Number(scanEnd.id), searchedTo: scanEnd.time };
      older = olderThan(scanEnd);
    }
  }

  /** Returns a chat line and its neighbours on the same server, oldest first. */
  async findContext(id: number): Promise<ChatMessage[] | undefined> {
    const line = await this.get(id);
    if (!line) return undefined;
    const near = (condition: Condition) =>
      this.query()
        .where('c.server_id = :server', { server: line.serverId })
        .andWhere(...condition);
    const [before, after] = await Promise.all([
      orderByTime(near(olderThan(line)), CONTEXT_LINES).getMany(),
      orderByTime(near(newerThan(line, '>')), CONTEXT_LINES, 'ASC').getMany(),
    ]);
    return [...before.toReversed(), line, ...after];
  }

  /** Filters only by the columns of one index, so that a scan reads a limited number of rows. */
  private queryByIndex(
    { server, account, since, until }: ChatFilter,
    older: Condition | undefined,
  ): Query {
    const query = this.query();
    if (account !== undefined) query.andWhere('c.account = :account', { account });
    else if (server !== undefined) query.andWhere('c.server_id = :server', { server });
    if (since) query.andWhere('c.time >= :since', { since: seconds(since) });
    if (until) query.andWhere('c.time < :until', { until: seconds(until) });
    return older ? query.andWhere(...older) : query;
  }

  private async olderThanId(id: number): Promise<Condition> {
    const last = await this.get(id);
    // The line is missing if retention has deleted it.
    return last ? olderThan(last) : ['c.id < :id', { id }];
  }

  private get(id: number): Promise<ChatMessage | null> {
    return this.dataSource.manager.findOneBy(ChatMessage, { id: String(id) });
  }

  private query(): Query {
    return this.dataSource.createQueryBuilder(ChatMessage, 'c');
  }
}

function needsScan({ server, account, words }: ChatFilter): boolean {
  return words.length > 0 || (server !== undefined && account !== undefined);
}

function applyUnindexedFilters(query: Query, { server, account, words }: ChatFilter): void {
  if (server !== undefined && account !== undefined)
    query.andWhere('c.server_id = :server', { server });
  words.forEach((word, place) => {
    const text = `%${word.replaceAll(/[%_!]/g, (sign) => ESCAPE + sign)}%`;
    query.andWhere(`c.content LIKE :word${place} ESCAPE '${ESCAPE}'`, { [`word${place}`]: text });
  });
}

function orderByTime(query: Query, limit: number, way: 'ASC' | 'DESC' = 'DESC'): Query {
  return query.orderBy('c.time', way).addOrderBy('c.id', way).limit(limit);
}

function olderThan({ id, time }: Position): Condition {
  const older = 'c.time <= :time AND (c.time < :time OR c.id < :id)';
  return [older, { id, time: seconds(time) }];
}

function newerThan({ id, time }: Position, than: '>' | '>='): Condition {
  const newer = `c.time >= :edgeTime AND (c.time > :edgeTime OR c.id ${than} :edge)`;
  return [newer, { edge: id, edgeTime: seconds(time) }];
}

/** Returns the last row of a scan using only the index, or null if fewer rows are left. */
function findScanEnd(query: Query): Promise<Position | null> {
  return orderByTime(query.clone().select(['c.id', 'c.time']), 1)
    .offset(ROWS_PER_SCAN - 1)
    .getOne();
}

/** Drops fractions, because the column holds whole seconds and SQLite compares times as text. */
function seconds(time: Date): string {
  return sqlTime(time).slice(0, 19);
}
