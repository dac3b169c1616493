import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import {
  ServerWithdrawalStats,
  type ServerWithdrawalCounts,
} from '../../actions/servers/server-withdrawal-stats.js';
import { validateServer } from '../../../features/servers/server-validation.js';
import { GameServer } from '../../../features/servers/game-server.entity.js';
import type { FailingServer, Dashboard } from '../responses/dashboard.js';

export const MIN_FAILED = 3;

/** The number of servers by status, and those that need a look. */
@Injectable()
export class DashboardServers {
  constructor(
    @InjectRepository(GameServer) private readonly servers: Repository<GameServer>,
    private readonly work: ServerWithdrawalStats,
  ) {}

  async load(): Promise<Dashboard['servers']> {
    const [servers, work] = await Promise.all([this.servers.find(), this.work.countByServer()]);
    const used = servers.filter(({ status }) => status !== 'closed');
    const shut = used.filter(({ status }) => status === 'maintenance');
    return {
      open: used.length - shut.length,
      maintenance: shut.length,
      failing: used.flatMap((server) => failing(server, work.get(server.id))),
    };
  }
}

function failing(server: GameServer, work: ServerWithdrawalCounts | undefined): FailingServer[] {
  const problem = validateServer(server) ?? null;
  const { unknown = 0, failedLastHour: failed_last_hour = 0 } = work ?? {};
  if (problem === null && unknown === 0 && failed_last_hour < MIN_FAILED) return [];
  const why = problem === null ? 'withdrawals' : 'row';
  return [{ id: server.id, name: server.name, why, problem, unknown, failed_last_hour }];
}
