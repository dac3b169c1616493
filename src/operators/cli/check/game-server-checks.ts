import { lookup } from 'node:dns/promises';
import { randomBytes } from 'node:crypto';
import { get } from 'node:http';
import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { DataSource, In, IsNull, MoreThan, Not } from 'typeorm';
import { GmClient } from '../../../features/withdraw/game/gm-client.js';
import {
  type GmAddress,
  WithdrawalServers,
} from '../../../features/withdraw/game/withdrawal-servers.js';
import { GameServerCall, RefusedRequest } from '../../../platform/audit/audit.entity.js';
import { Environment } from '../../../platform/config/environment.js';
import { Settings } from '../../../platform/config/settings.js';
import { DAY_MS, formatMinute } from '../../../platform/config/time.js';
import { AddressList, normalizeAddress } from '../../../platform/http/request/address.js';
import { endpointProblem } from '../../../platform/http/request/endpoint-problem.js';
import { type CheckResult, failed, info, passed, runCheck } from './check-result.js';

const TIMEOUT_MS = 5000;
/** The service rejects callbacks if the clocks differ by more than 300 s, so operators should act well before that. */
const MAX_CLOCK_SKEW_SECONDS = 60;
const MAX_REFUSALS = 1000;
const MAX_OTHERS = 5;
/** No withdrawal has this order number, because the ids of withdrawals start at 1. */
const NO_ORDER = 'W0-000000000000';

type Refusal = Pick<RefusedRequest, 'createdAt' | 'method' | 'path' | 'reason' | 'requestId'>;

/** Tests one game server in both directions without touching money. */
@Injectable()
export class GameServerChecks {
  constructor(
    private readonly withdrawalServers: WithdrawalServers,
    private readonly dataSource: DataSource,
    private readonly environment: Environment,
    private readonly settings: Settings,
  ) {}

  async run(id: number): Promise<CheckResult[]> {
    const server = await this.withdrawalServers.findForOrder(id);
    if (!server || endpointProblem(server.gm, this.environment, this.settings.current)) return [];
    const what = `server ${id}`;
    const addresses = await resolve(server.gm.host);
    const calls = await this.dataSource.manager.find(GameServerCall, {
      where: { address: In(addresses) },
      order: { acceptedAt: 'DESC' },
    });
    const parts = await Promise.all([
      runCheck(what, () => this.gm(what, id, server.gm)),
      runCheck(what, async () => [await clock(what, server.gm, calls)]),
      runCheck(what, () => this.callbacks(what, addresses, calls)),
    ]);
    return parts.flat();
  }

  /** Queries an order that does not exist, with the right secret and with a wrong one. */
  private async gm(what: string, id: number, gm: GmAddress): Promise<CheckResult[]> {
    if (this.settings.current.withdraw.gm_query_op === null)
      return [
        info(
          what,
          'no command was sent: only with withdraw.gm_query_op can one be sent that changes nothing',
        ),
      ];
    const answered = await this.query(gm, id);
    if (answered.kind === 'applied')
      return [
        failed(what, `it says that it applied an order that never existed: ${answered.evidence}`),
      ];
    if (answered.kind !== 'not_applied')
      return [
        failed(
          what,
          `it did not answer a signed query as it should: ${answered.evidence}; compare GM_SECRET and docs/game-servers.md`,
        ),
      ];
    const forged = await this.query(gm, id, randomBytes(32).toString('hex'));
    return [
      passed(what, 'it answers a signed query'),
      forged.kind === 'no_answer'
        ? passed(what, 'it refuses a query with a wrong signature')
        : failed(
            what,
            `it accepts a wrong signature, so whoever reaches it can deduct: ${forged.evidence}`,
          ),
    ];
  }

  private query(gm: GmAddress, id: number, secret = this.environment.GM_SECRET) {
    const environment = Object.create(this.environment, {
      GM_SECRET: { value: secret },
    }) as Environment;
    return new GmClient(environment, this.settings).queryOrder(gm, id, NO_ORDER);
  }

  private async callbacks(
    what: string,
    addresses: string[],
    calls: GameServerCall[],
  ): Promise<CheckResult[]> {
    const allowed = AddressList.of(this.settings.current.game_server_ips);
    const unlisted = addresses.filter((address) => !allowed.has(address));
    const refusals = latestOfPaths(await this.refusals(addresses));
    const from = addresses.join(', ');
    return [
      ...(unlisted.length > 0
        ? [
            failed(
              what,
              `its callbacks would be refused: add ${unlisted.join(', ')} to game_server_ips`,
            ),
          ]
        : []),
      ...calls.map(({ path, acceptedAt }) =>
        passed(what, `${path} from ${from}: last accepted ${formatMinute(acceptedAt)} UTC`),
      ),
      ...refusals.map(({ last, count }) => toFinding(what, last, count, calls)),
      ...(calls.length + refusals.length === 0 ? [await this.silence(what, from)] : []),
    ];
  }

  private refusals(addresses: string[]): Promise<RefusedRequest[]> {
    return this.dataSource.manager.find(RefusedRequest, {
      where: {
        address: In(addresses),
        reason: Not(IsNull()),
        createdAt: MoreThan(new Date(Date.now() - DAY_MS)),
      },
      order: { id: 'DESC' },
      take: MAX_REFUSALS,
    });
  }

  /** Lists other callers, because a game server may call from a different address than it listens on. */
  private async silence(what: string, from: string): Promise<CheckResult> {
    const since = new Date(Date.now() - DAY_MS);
    const [accepted, refused] = await Promise.all([
      this.dataSource.manager.find(GameServerCall, {
        order: { acceptedAt: 'DESC' },
        take: MAX_OTHERS,
      }),
      this.dataSource.manager.find(RefusedRequest, {
        where: { reason: Not(IsNull()), createdAt: MoreThan(since) },
        order: { id: 'DESC' },
        take: MAX_OTHERS,
      }),
    ]);
    const others = new Set([...accepted, ...refused].map(({ address }) => address));
    const hint = others.size > 0 ? `; callbacks came from ${[...others].join(', ')}` : '';
    return info(what, `no callback or chat report has arrived from ${from}${hint}`);
  }
}

function toFinding(
  what: string,
  last: Refusal,
  count: number,
  calls: GameServerCall[],
): CheckResult {
  const { method, path, reason, requestId, createdAt } = last;
  const isOver = calls.some((call) => call.path === path && call.acceptedAt > createdAt);
  const text =
    `${method} ${path} was refused ${count} times in a day, last ${formatMinute(createdAt)} UTC` +
    `${isOver ? ' and accepted since' : ''}: ${reason}: gatehouse events request ${requestId}`;
  return isOver ? info(what, text) : failed(what, text);
}

function latestOfPaths(rows: RefusedRequest[]): Array<{ last: Refusal; count: number }> {
  const groups = new Map<string, { last: Refusal; count: number }>();
  for (const row of rows) {
    const group = groups.get(row.path) ?? { last: row, count: 0 };
    group.count++;
    groups.set(row.path, group);
  }
  return [...groups.values()];
}

async function resolve(host: string): Promise<string[]> {
  const name = host.replace(/^\[(.*)\]$/, '$1');
  if (isIP(name) !== 0) return [normalizeAddress(name)];
  const found = await lookup(name, { all: true });
  return found.map(({ address }) => normalizeAddress(address));
}

/** Compares the clocks by the `Date` header, or else by the last signed callback. */
async function clock(what: string, gm: GmAddress, calls: GameServerCall[]): Promise<CheckResult> {
  const date = await fetchDate(gm);
  const signed = calls.find(({ clockSkew }) => clockSkew !== null);
  const skew =
    date === undefined ? signed?.clockSkew : Math.round((date.getTime() - Date.now()) / 1000);
  if (skew === undefined || skew === null)
    return info(
      what,
      'its clock is unknown: it sends no Date header, and no signed callback has arrived',
    );
  const text = `its clock is ${Math.abs(skew)} s ${skew < 0 ? 'behind' : 'ahead'}`;
  return Math.abs(skew) > MAX_CLOCK_SKEW_SECONDS
    ? failed(what, `${text}, and beyond 300 s callbacks and commands are refused: set up NTP`)
    : passed(what, text);
}

/** Sends a GET request without fields, which no game server treats as a command. */
function fetchDate({ host, port, path }: GmAddress): Promise<Date | undefined> {
  return new Promise((done, fail) => {
    const options = { host: host.replace(/^\[(.*)\]$/, '$1'), port, path, agent: false };
    const asked = get({ ...options, timeout: TIMEOUT_MS }, (answer) => {
      const { date } = answer.headers;
      answer.destroy();
      done(date === undefined || Number.isNaN(Date.parse(date)) ? undefined : new Date(date));
    });
    asked.on('timeout', () => asked.destroy(new Error(`no answer within ${TIMEOUT_MS / 1000} s`)));
    asked.on('error', (error) =>
      fail(new Error(`its GM interface does not answer HTTP: ${error.message}`)),
    );
  });
}
