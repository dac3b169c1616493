import { Injectable } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import type { Counter } from 'prom-client';
import { Settings } from '../../platform/config/settings.js';
import { InvalidRequest } from '../../platform/http/errors/http.errors.js';
import { AddressList } from '../../platform/http/request/address.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { type ChatRecord, MAX_RECORDS, validateChatRecord } from './chat.dto.js';
import { type ChatReporter, ChatTable } from './chat-table.js';

class RejectedRecordView {
  @ApiProperty({ type: 'integer', description: 'index in `records`, from 0' }) index: number;
  @ApiProperty({ example: 'content' }) field: string;
  @ApiProperty({ example: 'must be 1 to 2000 characters long' }) message: string;
}

export class ChatReportView {
  @ApiProperty({ type: 'integer', description: 'number of records that were stored' })
  accepted: number;
  @ApiProperty({
    type: 'integer',
    description:
      'number of records whose server_id and chat_id were already stored, or repeat another record of this report',
  })
  duplicates: number;
  @ApiProperty({ type: [RejectedRecordView], description: 'one entry for each malformed record' })
  rejected: RejectedRecordView[];
}

@Injectable()
export class ChatService {
  private readonly records: Counter<'outcome'>;

  constructor(
    private readonly table: ChatTable,
    private readonly settings: Settings,
    metrics: Metrics,
  ) {
    this.records = metrics.counter(
      'gatehouse_chat_records_total',
      'Reported chat records: accepted, duplicate or rejected',
      ['outcome', ['accepted', 'duplicate', 'rejected']],
    );
  }

  /** Accepts a record or a batch as `{ records }`. A batch may contain invalid records, which the response lists. */
  report(body: object, address: string): Promise<ChatReportView> {
    const gameServers = AddressList.of(this.settings.current.game_server_ips);
    const reporter = { address, isGameServer: gameServers.has(address) };
    return 'records' in body
      ? this.reportMany(body.records, reporter)
      : this.reportOne(body, reporter);
  }

  private async reportOne(record: object, reporter: ChatReporter): Promise<ChatReportView> {
    const problems = [...validateChatRecord(record)];
    if (problems.length > 0) throw new InvalidRequest(problems);
    return this.store([record as ChatRecord], [], reporter);
  }

  private async reportMany(records: unknown, reporter: ChatReporter): Promise<ChatReportView> {
    if (!Array.isArray(records) || records.length > MAX_RECORDS)
      throw new InvalidRequest([
        { field: 'records', message: `must be a list of up to ${MAX_RECORDS} records` },
      ]);
    const valid: ChatRecord[] = [];
    const rejected: RejectedRecordView[] = [];
    for (const [index, record] of (records as unknown[]).entries()) {
      const problem = firstProblem(record);
      if (problem) rejected.push({ index, ...problem });
      else valid.push(record as ChatRecord);
    }
    return this.store(valid, rejected, reporter);
  }

  private async store(
    valid: ChatRecord[],
    rejected: RejectedRecordView[],
    reporter: ChatReporter,
  ): Promise<ChatReportView> {
    const accepted = await this.table.insert(valid, reporter);
    const duplicates = valid.length - accepted;
    this.records.inc({ outcome: 'accepted' }, accepted);
    this.records.inc({ outcome: 'duplicate' }, duplicates);
    this.records.inc({ outcome: 'rejected' }, rejected.length);
    return { accepted, duplicates, rejected };
  }
}

function firstProblem(record: unknown) {
  if (typeof record !== 'object' || record === null || Array.isArray(record))
    return { field: 'records', message: 'must be a list of objects' };
  return validateChatRecord(record).next().value;
}
