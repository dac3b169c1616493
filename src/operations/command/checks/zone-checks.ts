import { connect } from 'node:net';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Environment } from '../../../config/environment.js';
import { AppError } from '../../../http/errors/app-error.js';
import { type WithdrawalZone, WithdrawalZones } from '../../../withdraw/game/withdrawal-zones.js';
import { ZoneDatabase } from '../../../withdraw/game/zone-database.js';
import { zoneProblem } from '../../../zones/zone-problem.js';
import { Zone } from '../../../zones/zone.entity.js';
import { type Finding, good, note, wrong } from './finding.js';

const PATIENCE_MS = 3000;
const AT_ONCE = 8;
const NO_ROLE = 0;

/** Every zone that is open: its row, its game database and the port of its GM interface. Sends no command. */
@Injectable()
export class ZoneChecks {
  constructor(
    @InjectRepository(Zone) private readonly zones: Repository<Zone>,
    private readonly withdrawalZones: WithdrawalZones,
    private readonly zoneDatabase: ZoneDatabase,
    private readonly environment: Environment,
  ) {}

  /** Of all zones, or of one. */
  async run(only?: number): Promise<Finding[]> {
    const zones = await this.zones.find({ order: { id: 'ASC' } });
    if (only !== undefined && !zones.some(({ id }) => id === only))
      return [wrong('zones', `there is no zone ${only}`)];
    const open = zones.filter(({ id, status }) =>
      only === undefined ? status !== 'closed' : id === only,
    );
    if (open.length === 0)
      return [wrong('zones', 'there is none, so nobody can register: gatehouse zone add')];
    const findings: Finding[][] = [];
    for (let from = 0; from < open.length; from += AT_ONCE)
      findings.push(
        ...(await Promise.all(open.slice(from, from + AT_ONCE).map((zone) => this.look(zone)))),
      );
    return findings.flat();
  }

  private async look(zone: Zone): Promise<Finding[]> {
    const what = `zone ${zone.id}`;
    const problem = zoneProblem(zone);
    if (problem) return [wrong(what, `is left out: ${problem}; gatehouse zone set ${zone.id} …`)];
    if (zone.mergedInto !== null) return [note(what, `merged into zone ${zone.mergedInto}`)];
    const ways = await this.withdrawalZones.ofOrder(zone.id);
    if (!ways) return [wrong(what, 'is left out')];
    const { host, port } = ways.gm;
    const [database, gm] = await Promise.all([this.database(what, ways), listens(host, port)]);
    return [
      database,
      gm
        ? wrong(
            what,
            `its GM interface ${host}:${port} is not listening (${gm}): zone into maintenance, start it`,
          )
        : good(what, `its GM interface ${host}:${port} is listening`),
    ];
  }

  private async database(what: string, zone: WithdrawalZone): Promise<Finding> {
    const { GAME_DATABASE_URL, embedded } = this.environment;
    if (GAME_DATABASE_URL === undefined)
      return embedded
        ? note(what, "its database is the sandbox's, which only the service reaches")
        : wrong(what, 'GAME_DATABASE_URL is not set, so every withdrawal answers 503');
    try {
      await this.zoneDatabase.balanceOf(zone, NO_ROLE);
      return good(what, 'its database can be read');
    } catch (error) {
      const reason = error instanceof AppError ? error.reason : undefined;
      return wrong(what, reason ?? (error as Error).message);
    }
  }
}

/** Connects, and says nothing. Gives why it could not. */
function listens(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: PATIENCE_MS });
    const end = (problem?: string) => {
      socket.destroy();
      resolve(problem);
    };
    socket.on('connect', () => end());
    socket.on('timeout', () => end(`no answer within ${PATIENCE_MS / 1000} s`));
    socket.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
  });
}
