import { Injectable } from '@nestjs/common';
import { DataSource, type SelectQueryBuilder } from 'typeorm';
import { sqlTime } from '../../database/sql-time.js';
import { ChatMessage } from '../chat-message.entity.js';

// Where no index leads to the lines themselves, so many are read at once, so often, unless the time is up before.
const LINES_A_LOOK = 1000;
const MOST_LOOKS = 5;
const LONGEST_MS = 100;
const AROUND = 20;
const ESCAPE = '!';

export interface ChatFilter {
  zone?: number;
  account?: string;
  since?: Date;
  until?: Date;
  /** All of them, anywhere in a line. */
  words: string[];
  /** The last one of the page before. */
  before?: number;
  limit: number;
}

export interface ChatPage {
  lines: ChatMessage[];
  next: number | null;
  /** Not everything was looked through, only what was said since then: `next` goes on. Null: everything was. */
  searchedTo: Date | null;
}

type Query = SelectQueryBuilder<ChatMessage>;
type Place = Pick<ChatMessage, 'id' | 'time'>;
type Condition = [sql: string, values: object];

/** What was said in the games, newest first by the games' clocks. Each key of the table ends with the time. */
@Injectable()
export class ChatSearch {
  constructor(private readonly dataSource: DataSource) {}

  async find(filter: ChatFilter): Promise<ChatPage> {
    const { before, limit } = filter;
    const started = performance.now();
    const lines: ChatMessage[] = [];
    let older = before === undefined ? undefined : await this.before(before);
    for (let look = 1; ; look++) {
      const query = this.byKey(filter, older);
      const edge = needsLooking(filter) ? await lastOfALook(query) : null;
      if (edge) query.andWhere(...newerThan(edge, '>='));
      narrow(query, filter);
      lines.push(...(await inOrder(query, limit + 1 - lines.length).getMany()));
      if (lines.length > limit)
        return {
          lines: lines.slice(0, limit),
          next: Number(lines[limit - 1]!.id),
          searchedTo: null,
        };
      if (!edge) return { lines, next: null, searchedTo: null };
      if (look === MOST_LOOKS || performance.now() - started > LONGEST_MS)
        return { lines, next: Number(edge.id), searchedTo: edge.time };
      older = olderThan(edge);
    }
  }

  /** A line with what was said in its zone before and after it, oldest first. */
  async around(id: number): Promise<ChatMessage[] | undefined> {
    const line = await this.get(id);
    if (!line) return undefined;
    const near = (condition: Condition) =>
      this.query()
        .where('c.server_id = :zone', { zone: line.serverId })
        .andWhere(...condition);
    const [before, after] = await Promise.all([
      inOrder(near(olderThan(line)), AROUND).getMany(),
      inOrder(near(newerThan(line, '>')), AROUND, 'ASC').getMany(),
    ]);
    return [...before.toReversed(), line, ...after];
  }

  /** By one key alone, so that a look is as long as it says: of an account, else of a zone, else of all. */
  private byKey({ zone, account, since, until }: ChatFilter, older: Condition | undefined): Query {
    const query = this.query();
    if (account !== undefined) query.andWhere('c.account = :account', { account });
    else if (zone !== undefined) query.andWhere('c.server_id = :zone', { zone });
    if (since) query.andWhere('c.time >= :since', { since: seconds(since) });
    if (until) query.andWhere('c.time < :until', { until: seconds(until) });
    return older ? query.andWhere(...older) : query;
  }

  private async before(id: number): Promise<Condition> {
    const last = await this.get(id);
    // Retention may have deleted the line.
    return last ? olderThan(last) : ['c.id < :id', { id }];
  }

  private get(id: number): Promise<ChatMessage | null> {
    return this.dataSource.manager.findOneBy(ChatMessage, { id: String(id) });
  }

  private query(): Query {
    return this.dataSource.createQueryBuilder(ChatMessage, 'c');
  }
}

function needsLooking({ zone, account, words }: ChatFilter): boolean {
  return words.length > 0 || (zone !== undefined && account !== undefined);
}

/** By what the key does not tell. */
function narrow(query: Query, { zone, account, words }: ChatFilter): void {
  if (zone !== undefined && account !== undefined) query.andWhere('c.server_id = :zone', { zone });
  words.forEach((word, place) => {
    const text = `%${word.replaceAll(/[%_!]/g, (sign) => ESCAPE + sign)}%`;
    query.andWhere(`c.content LIKE :word${place} ESCAPE '${ESCAPE}'`, { [`word${place}`]: text });
  });
}

function inOrder(query: Query, limit: number, way: 'ASC' | 'DESC' = 'DESC'): Query {
  return query.orderBy('c.time', way).addOrderBy('c.id', way).limit(limit);
}

function olderThan({ id, time }: Place): Condition {
  const older = 'c.time <= :time AND (c.time < :time OR c.id < :id)';
  return [older, { id, time: seconds(time) }];
}

function newerThan({ id, time }: Place, than: '>' | '>='): Condition {
  const newer = `c.time >= :edgeTime AND (c.time > :edgeTime OR c.id ${than} :edge)`;
  return [newer, { edge: id, edgeTime: seconds(time) }];
}

/** From the index alone. Null where there are not so many. */
function lastOfALook(query: Query): Promise<Place | null> {
  return inOrder(query.clone().select(['c.id', 'c.time']), 1)
    .offset(LINES_A_LOOK - 1)
    .getOne();
}

/** The column has whole seconds, in SQLite as a text that ends with them. */
function seconds(time: Date): string {
  return sqlTime(time).slice(0, 19);
}
