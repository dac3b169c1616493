import { connect } from 'node:net';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import pLimit from 'p-limit';
import { DataSource, Repository } from 'typeorm';
import { GameServer, toServedServer } from '../../../features/servers/game-server.entity.js';
import { validateServer } from '../../../features/servers/server-validation.js';
import { GameDatabase } from '../../../features/withdraw/game/game-database.js';
import {
  type WithdrawalServer,
  WithdrawalServers,
} from '../../../features/withdraw/game/withdrawal-servers.js';
import { WithdrawalOrphans } from '../../../features/withdraw/record/withdrawal-orphans.js';
import { groupByServer, Withdrawal } from '../../../features/withdraw/record/withdrawal.entity.js';
import { reserveNames } from '../../../platform/auth/reserved-names.js';
import { Environment } from '../../../platform/config/environment.js';
import { Settings } from '../../../platform/config/settings.js';
import { formatMinute } from '../../../platform/config/time.js';
import { endpointProblem } from '../../../platform/http/request/endpoint-problem.js';
import { AppError } from '../../../platform/http/errors/app-error.js';
import { validateMerge } from '../../actions/servers/server-change-validation.js';
import { type CheckResult, failed, info, passed } from './check-result.js';

const TIMEOUT_MS = 3000;
const CONCURRENCY = 8;
const NO_ROLE = 0;
const SHOWN_NAMES = 20;

/** Checks the row, the game database and the GM port of every open server. It sends no command, but reserves names. */
@Injectable()
export class ServerChecks {
  constructor(
    @InjectRepository(GameServer) private readonly servers: Repository<GameServer>,
    private readonly withdrawalServers: WithdrawalServers,
    private readonly gameDatabase: GameDatabase,
    private readonly dataSource: DataSource,
    private readonly environment: Environment,
    private readonly settings: Settings,
  ) {}

  async run(only?: number): Promise<CheckResult[]> {
    const servers = await this.servers.find({ order: { id: 'ASC' } });
    if (only !== undefined && !servers.some(({ id }) => id === only))
      return [failed('servers', `there is no server ${only}`)];
    const open = servers.filter((server) =>
      only === undefined ? toServedServer(server).status !== 'closed' : server.id === only,
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
    const others = all.filter((other) => other !== server);
    const badMerge = validateMerge(server, others);
    if (badMerge) {
      const undo = `gatehouse server merge ${server.id} --into none`;
      return [failed(what, `nobody can withdraw there: ${badMerge}; ${undo}`)];
    }
    if (server.mergedInto !== null) return [info(what, `merged into server ${server.mergedInto}`)];
    const ways = await this.withdrawalServers.findForOrder(server.id);
    if (!ways) return [failed(what, 'is left out')];
    const { host, port } = ways.gm;
    const forbidden = endpointProblem(ways.gm, this.environment, this.settings.current);
    const [database, gm] = await Promise.all([
      this.database(what, ways),
      forbidden === undefined ? connectProblem(host, port) : undefined,
    ]);
    if (forbidden !== undefined)
      return [...database, failed(what, `nothing is sent to its GM interface: ${forbidden}`)];
    if (!gm)
      return [
        ...database,
        passed(
          what,
          `its GM interface ${host}:${port} accepts connections (does it answer? --game-server ${server.id})`,
        ),
      ];
    const silent = `its GM interface ${host}:${port} is not listening (${gm})`;
    const { status } = toServedServer(server);
    if (status !== 'maintenance' && status !== 'closed')
      return [
        ...database,
        failed(what, `${silent}: put the server into maintenance and start its game server`),
      ];
    const next = `and it is ${status === 'closed' ? 'closed' : 'in maintenance'}: start its game server before you open it`;
    return [...database, info(what, `${silent}, ${next}`)];
  }

  private async database(what: string, server: WithdrawalServer): Promise<CheckResult[]> {
    const { GAME_DATABASE_URL, embedded } = this.environment;
    if (GAME_DATABASE_URL === undefined)
      return [
        embedded
          ? info(
              what,
              "its database is not checked, because only the service can reach the sandbox's databases",
            )
          : failed(what, 'GAME_DATABASE_URL is not set, so every withdrawal answers 503'),
      ];
    try {
      await this.gameDatabase.balanceOf(server, NO_ROLE);
      return [passed(what, 'its database can be read'), ...(await this.reserve(what, server))];
    } catch (error) {
      const reason = error instanceof AppError ? error.reason : undefined;
      return [failed(what, reason ?? (error as Error).message)];
    }
  }

  /** Reserves names that have roles but no player, because a stranger who registered one would get the roles. */
  private async reserve(what: string, server: WithdrawalServer): Promise<CheckResult[]> {
    const reserved: string[] = [];
    for await (const names of this.gameDatabase.accountNames(server))
      reserved.push(...(await reserveNames(this.dataSource, names)));
    if (reserved.length === 0) return [];
    const more = reserved.length > SHOWN_NAMES ? ' …' : '';
    const shown = reserved.slice(0, SHOWN_NAMES).join(', ') + more;
    const text = `${reserved.length} names with roles have no player, and nobody can register them any more: ${shown}`;
    return [info(what, text)];
  }
}

/** Returns why a connection fails, or undefined if it succeeds. Sends no data. */
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

/** Finds withdrawals that a person must settle. They also reveal a game server that listens but does not respond. */
@Injectable()
export class WithdrawalChecks {
  constructor(
    private readonly dataSource: DataSource,
    private readonly orphans: WithdrawalOrphans,
  ) {}

  async run(only?: number): Promise<CheckResult[]> {
    const rows = await this.dataSource.manager.find(Withdrawal, {
      select: { id: true, roleServerId: true, createdAt: true },
      where: { status: 'unknown', ...(only !== undefined && { roleServerId: only }) },
      order: { id: 'ASC' },
    });
    const byServer = [...groupByServer(rows)].toSorted(([one], [other]) => one - other);
    const unknown = byServer.map(([server, { length, 0: oldest }]) => {
      return failed(
        `server ${server}`,
        `unknown withdrawals: ${length}, the oldest since ${formatMinute(oldest!.createdAt)} UTC: gatehouse withdrawal list --status unknown --server ${server}`,
      );
    });
    const gone = only === undefined ? await this.orphans.findUnhandled() : [];
    if (gone.length > 0)
      unknown.push(
        failed('withdrawals', `${gone.length} orders without one: gatehouse withdrawal orphans`),
      );
    return unknown.length > 0 ? unknown : [passed('withdrawals', 'none waits for a person')];
  }
}
