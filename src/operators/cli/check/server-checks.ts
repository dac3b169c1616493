import { connect } from 'node:net';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import pLimit from 'p-limit';
import { Repository } from 'typeorm';
import { Environment } from '../../../platform/config/environment.js';
import { Settings } from '../../../platform/config/settings.js';
import { AppError } from '../../../platform/http/errors/app-error.js';
import {
  type WithdrawalServer,
  WithdrawalServers,
} from '../../../features/withdraw/game/withdrawal-servers.js';
import { gameHostProblem } from '../../../features/withdraw/game/game-hosts.js';
import { GameDatabase } from '../../../features/withdraw/game/game-database.js';
import { validateServer } from '../../../features/servers/server-validation.js';
import { GameServer } from '../../../features/servers/game-server.entity.js';
import { validateMerge } from '../../actions/servers/server-change-validation.js';
import { type CheckResult, passed, info, failed } from './check-result.js';

const TIMEOUT_MS = 3000;
const CONCURRENCY = 8;
const NO_ROLE = 0;

/** Every open server: its row, its game database and the port of its GM interface. Sends no command. */
@Injectable()
export class ServerChecks {
  constructor(
    @InjectRepository(GameServer) private readonly servers: Repository<GameServer>,
    private readonly withdrawalServers: WithdrawalServers,
    private readonly gameDatabase: GameDatabase,
    private readonly environment: Environment,
    private readonly settings: Settings,
  ) {}

  /** For all servers, or for one. */
  async run(only?: number): Promise<CheckResult[]> {
    const servers = await this.servers.find({ order: { id: 'ASC' } });
    if (only !== undefined && !servers.some(({ id }) => id === only))
      return [failed('servers', `there is no server ${only}`)];
    const open = servers.filter(({ id, status }) =>
      only === undefined ? status !== 'closed' : id === only,
    );
    if (open.length === 0)
      return [failed('servers', 'there is none, so nobody can register: gatehouse server add')];
    const findings = await pLimit(CONCURRENCY).map(open, (server) =>
      this.checkServer(server, servers),
    );
    return findings.flat();
  }

  private async checkServer(server: GameServer, all: GameServer[]): Promise<CheckResult[]> {
    const what = `server ${server.id}`;
    const problem = validateServer(server);
    if (problem)
      return [failed(what, `is left out: ${problem}; gatehouse server set ${server.id} …`)];
    const badMerge = validateMerge(
      server,
      all.filter((other) => other !== server),
    );
    if (badMerge)
      return [
        failed(
          what,
          `nobody can withdraw there: ${badMerge}; gatehouse server merge ${server.id} --into none`,
        ),
      ];
    if (server.mergedInto !== null) return [info(what, `merged into server ${server.mergedInto}`)];
    const ways = await this.withdrawalServers.findForOrder(server.id);
    if (!ways) return [failed(what, 'is left out')];
    const { host, port } = ways.gm;
    const forbidden = gameHostProblem(host, this.settings.current.game_hosts);
    const [database, gm] = await Promise.all([
      this.database(what, ways),
      forbidden === undefined ? connectProblem(host, port) : undefined,
    ]);
    if (forbidden !== undefined)
      return [database, failed(what, `nothing is sent to its GM interface: ${forbidden}`)];
    if (!gm) return [database, passed(what, `its GM interface ${host}:${port} is listening`)];
    const silent = `its GM interface ${host}:${port} is not listening (${gm})`;
    return [
      database,
      server.status === 'maintenance'
        ? info(
            what,
            `${silent}, and it is in maintenance: start its game server before you open it`,
          )
        : failed(what, `${silent}: put the server into maintenance and start its game server`),
    ];
  }

  private async database(what: string, server: WithdrawalServer): Promise<CheckResult> {
    const { GAME_DATABASE_URL, embedded } = this.environment;
    if (GAME_DATABASE_URL === undefined)
      return embedded
        ? info(what, 'its database is not looked at: only the service reaches those of the sandbox')
        : failed(what, 'GAME_DATABASE_URL is not set, so every withdrawal answers 503');
    try {
      await this.gameDatabase.balanceOf(server, NO_ROLE);
      return passed(what, 'its database can be read');
    } catch (error) {
      const reason = error instanceof AppError ? error.reason : undefined;
      return failed(what, reason ?? (error as Error).message);
    }
  }
}

/** Connects without sending anything. Returns why it failed. */
function connectProblem(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: TIMEOUT_MS });
    const end = (problem?: string) => {
      socket.destroy();
      resolve(problem);
    };
    socket.on('connect', () => end());
    socket.on('timeout', () => end(`no answer within ${TIMEOUT_MS / 1000} s`));
    socket.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
  });
}
