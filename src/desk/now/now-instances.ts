import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../config/environment.js';
import { Settings } from '../../config/settings.js';
import { type Instance, instancesOf } from '../../operations/fleet-instances.js';
import {
  figuresOf,
  type InstanceFigures,
  NO_FIGURES,
  type NoFigures,
} from '../../operations/instance-figures.js';
import { PROBLEMS } from '../../operations/instance-problems.js';
import { type InstanceStatus, statusOf } from '../../operations/instance-status.js';
import type { SeenInstance } from '../answers/now.js';

const PATIENCE_MS = 1000;
const FIGURES_EVERY_MS = 15_000;
// A refusal is a line in its log.
const REFUSED_EVERY_MS = 60_000;
// A look asks anew and waits a second; one that hangs is known by what it said, or did not, shortly before.
const FAILED_LATELY_MS = 30_000;
const TOO_SLOW: Pick<InstanceStatus, 'problem' | 'problem_codes'> = {
  problem: PROBLEMS.too_slow,
  problem_codes: ['too_slow'],
};

type Figures = InstanceFigures | NoFigures;

interface Asked {
  at: number;
  isUnderWay: boolean;
  answer: Promise<Figures>;
  latest: Figures;
}

/** The instances that `gatehouse status` asks, each asked once at a time. One that hangs holds up no page. */
@Injectable()
export class NowInstances {
  private readonly asking = new Map<string, Promise<InstanceStatus>>();
  /** As each ended its last ask: one that hangs always has another under way. */
  private readonly settled = new Map<string, { at: number; status: InstanceStatus }>();
  private readonly figures = new Map<string, Asked>();

  constructor(
    private readonly environment: Environment,
    private readonly settings: Settings,
  ) {}

  look(): Promise<SeenInstance[]> {
    const instances = instancesOf(this.environment, this.settings.current);
    return Promise.all(instances.map((instance) => this.see(instance)));
  }

  private async see({ name, url }: Instance): Promise<SeenInstance> {
    const [status, figures] = await Promise.all([
      inTime(this.statusOf(url), this.failureOf(url)),
      this.figuresOf(url),
    ]);
    const { version = null, redis = null, settings = null } = status ?? {};
    const { problem, problem_codes } = status ?? TOO_SLOW;
    const isRead = typeof figures !== 'string';
    const { failed_mails: _, ...shown } = isRead ? figures : NO_FIGURES;
    return {
      ...shown,
      name,
      address: url,
      state: status?.ready === false ? 'down' : problem === null ? 'up' : 'impaired',
      version,
      problem,
      problem_codes,
      ms: status?.ready ? status.ms : null,
      // Who is ready has read and written it.
      database: status?.ready ? 'up' : shown.database,
      redis,
      settings,
      has_figures: isRead,
      figures_refused: figures === 'refused',
    };
  }

  private statusOf(url: string): Promise<InstanceStatus> {
    const asked = this.asking.get(url) ?? this.ask(url);
    this.asking.set(url, asked);
    return asked;
  }

  private async ask(url: string): Promise<InstanceStatus> {
    const status = await statusOf(url);
    this.settled.set(url, { at: performance.now(), status });
    this.asking.delete(url);
    return status;
  }

  private failureOf(url: string): InstanceStatus | undefined {
    const last = this.settled.get(url);
    if (!last || performance.now() - last.at > FAILED_LATELY_MS) return undefined;
    return last.status.ready ? undefined : last.status;
  }

  /** Not at every look: an instance gathers them from all its workers. */
  private figuresOf(url: string): Promise<Figures> {
    const last = this.figures.get(url);
    const every = last?.latest === 'refused' ? REFUSED_EVERY_MS : FIGURES_EVERY_MS;
    if (last && (last.isUnderWay || performance.now() - last.at < every))
      return inTime(last.answer, last.latest);
    const asked: Asked = {
      at: performance.now(),
      isUnderWay: true,
      answer: figuresOf(url),
      latest: last?.latest ?? 'no_answer',
    };
    this.figures.set(url, asked);
    void asked.answer.then((latest) => Object.assign(asked, { latest, isUnderWay: false }));
    return inTime(asked.answer, asked.latest);
  }
}

/** What is there within a second, else `otherwise`. */
function inTime<T, U>(answer: Promise<T>, otherwise: U): Promise<T | U> {
  return Promise.race([answer, pause(PATIENCE_MS, otherwise, { ref: false })]);
}
