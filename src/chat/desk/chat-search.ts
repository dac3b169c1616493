import { Injectable } from '@nestjs/common';
import { DataSource, type SelectQueryBuilder } from 'typeorm';
import { sqlTime } from '../../database/sql-time.js';
import { ChatMessage } from '../chat-message.entity.js';

// Read in one go; a search for words goes on from there.
const LINES_A_LOOK = 5000;
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
  /** Not everything was looked through: `next` goes on. */
  cut: boolean;
}

type Query = SelectQueryBuilder<ChatMessage>;

/** What was said in the games, newest first: by time within a zone or of an account, else in the order of the reports. */
@Injectable()
export class ChatSearch {
  constructor(private readonly dataSource: DataSource) {}

  async find(filter: ChatFilter): Promise<ChatPage> {
    const { words, since, until, limit } = filter;
    const byTime = filter.zone !== undefined || filter.account !== undefined;
    const query = await this.within(filter, byTime);
    const hasIndex = words.length === 0 && (byTime || (!since && !until));
    const edge = hasIndex ? null : await lastOfALook(query, byTime);
    if (edge) query.andWhere(...newerThan(edge, byTime, '>='));
    if (!byTime) timesOf(query, filter);
    words.forEach((word, place) => {
      const text = `%${word.replaceAll(/[%_!]/g, (sign) => ESCAPE + sign)}%`;
      query.andWhere(`c.content LIKE :word${place} ESCAPE '${ESCAPE}'`, { [`word${place}`]: text });
    });
    const found = await inOrder(query, byTime)
      .limit(limit + 1)
      .getMany();
    const lines = found.slice(0, limit);
    if (found.length > limit) return { lines, next: Number(lines.at(-1)!.id), cut: false };
    return { lines, next: edge && Number(edge.id), cut: edge !== null };
  }

  /** A line with what was said in its zone before and after it, oldest first. */
  async around(id: number): Promise<ChatMessage[] | undefined> {
    const line = await this.get(id);
    if (!line) return undefined;
    const near = () =>
      this.dataSource
        .createQueryBuilder(ChatMessage, 'c')
        .where('c.server_id = :zone', { zone: line.serverId })
        .limit(AROUND);
    const [before, after] = await Promise.all([
      inOrder(near().andWhere(...olderThan(line, true)), true).getMany(),
      near()
        .andWhere(...newerThan(line, true, '>'))
        .orderBy('c.time', 'ASC')
        .addOrderBy('c.id', 'ASC')
        .getMany(),
    ]);
    return [...before.toReversed(), line, ...after];
  }

  private async within(filter: ChatFilter, byTime: boolean): Promise<Query> {
    const { zone, account, before } = filter;
    const query = this.dataSource.createQueryBuilder(ChatMessage, 'c');
    if (zone !== undefined) query.andWhere('c.server_id = :zone', { zone });
    if (account !== undefined) query.andWhere('c.account = :account', { account });
    if (byTime) timesOf(query, filter);
    if (before === undefined) return query;
    // Retention may have deleted the line.
    const last = byTime ? await this.get(before) : null;
    const [condition, values] = last ? olderThan(last, true) : ['c.id < :id', { id: before }];
    return query.andWhere(condition, values);
  }

  private get(id: number): Promise<ChatMessage | null> {
    return this.dataSource.manager.findOneBy(ChatMessage, { id: String(id) });
  }
}

function timesOf(query: Query, { since, until }: ChatFilter): void {
  if (since) query.andWhere('c.time >= :since', { since: seconds(since) });
  if (until) query.andWhere('c.time < :until', { until: seconds(until) });
}

function inOrder(query: Query, byTime: boolean): Query {
  return byTime
    ? query.orderBy('c.time', 'DESC').addOrderBy('c.id', 'DESC')
    : query.orderBy('c.id', 'DESC');
}

function olderThan({ id, time }: ChatMessage, byTime: boolean): [string, object] {
  const older = 'c.time <= :time AND (c.time < :time OR c.id < :id)';
  return [byTime ? older : 'c.id < :id', { id, time: seconds(time) }];
}

function newerThan({ id, time }: ChatMessage, byTime: boolean, than: '>' | '>='): [string, object] {
  const newer = `c.time >= :edgeTime AND (c.time > :edgeTime OR c.id ${than} :edge)`;
  return [byTime ? newer : `c.id ${than} :edge`, { edge: id, edgeTime: seconds(time) }];
}

/** From the index alone. Null where there are not so many. */
function lastOfALook(query: Query, byTime: boolean): Promise<ChatMessage | null> {
  return inOrder(query.clone().select(['c.id', 'c.time']), byTime)
    .offset(LINES_A_LOOK - 1)
    .limit(1)
    .getOne();
}

/** The column has whole seconds, in SQLite as a text that ends with them. */
function seconds(time: Date): string {
  return sqlTime(time).slice(0, 19);
}
