import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { LARGEST_INT } from '../http/fields.js';
import type { Visit } from '../http/visit.js';
import { requestLog } from '../log/log.js';
import { Agent } from './agent.entity.js';

/** Promoters, as named by the links that bring new players. */
@Injectable()
export class Agents {
  constructor(@InjectRepository(Agent) private readonly agents: Repository<Agent>) {}

  /** The active promoter of that id. A link that names none brings a player all the same. */
  async resolve(given: unknown, { requestId }: Visit): Promise<number | null> {
    if (given === undefined || given === '') return null;
    const id = typeof given === 'string' && /^[1-9]\d{0,9}$/.test(given) ? Number(given) : NaN;
    if (!(id <= LARGEST_INT)) {
      requestLog(requestId, Agents.name).warn('an ill-formed agent_id is ignored');
      return null;
    }
    if (await this.agents.existsBy({ id, active: true })) return id;
    requestLog(requestId, Agents.name).warn(
      `agent_id ${id} is ignored: there is no such active agent`,
    );
    return null;
  }
}
