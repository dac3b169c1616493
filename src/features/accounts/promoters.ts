import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { MAX_INT } from '../../platform/http/validation/field-rules.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import { requestLog } from '../../platform/log/log.js';
import { Promoter } from './promoter.entity.js';

/** Resolves the promoter named by the link that brought a new player. */
@Injectable()
export class Promoters {
  constructor(@InjectRepository(Promoter) private readonly promoters: Repository<Promoter>) {}

  /** The id of an active promoter, or null. A bad `agent_id` is logged and never stops a registration. */
  async resolve(given: unknown, { requestId }: RequestContext): Promise<number | null> {
    if (given === undefined || given === '') return null;
    const id = typeof given === 'string' && /^[1-9]\d{0,9}$/.test(given) ? Number(given) : NaN;
    if (!(id <= MAX_INT)) {
      requestLog(requestId, Promoters.name).warn('an ill-formed agent_id is ignored');
      return null;
    }
    if (await this.promoters.existsBy({ id, active: true })) return id;
    requestLog(requestId, Promoters.name).warn(
      `agent_id ${id} is ignored: there is no such active agent`,
    );
    return null;
  }
}
