import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../config/environment.js';
import { Settings } from '../../config/settings.js';
import { type Instance, instancesOf } from '../../operations/fleet-instances.js';
import { figuresOf, type InstanceFigures, NO_FIGURES } from '../../operations/instance-figures.js';
import { type InstanceStatus, statusOf } from '../../operations/instance-status.js';

const PATIENCE_MS = 1000;
const FIGURES_EVERY_MS = 15_000;
// A refusal is a line in its log.
const REFUSED_EVERY_MS = 60_000;
const TOO_SLOW = 'it does not answer within a second';

export interface SeenInstance extends Omit<InstanceFigures, 'failed_mails'> {
  /** Null: the one of this host, which nobody has named. */
  name: string | null;
  address: string;
  state: 'up' | 'impaired' | 'down';
  version: string | null;
  problem: string | null;
  /** Until it said that it is ready. */
  ms: number | null;
  redis: string | null;
  settings: string | null;
  /** False: it did not let us read its metrics, or has not yet. */
  has_figures: boolean;
}

interface Asked {
  at: number;
  isUnderWay: boolean;
  answer: Promise<InstanceFigures | null>;
  latest: InstanceFigures | null;
}

/** The instances that `gatehouse status` asks, each asked once at a time. One that hangs holds up no page. */
@Injectable()
export class NowInstances {
  private readonly asking = new Map<string, Promise<InstanceStatus>>();
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
      inTime(this.statusOf(url), undefined),
      this.figuresOf(url),
    ]);
    const { version = null, redis = null, settings = null } = status ?? {};
    const problem = status ? status.problem : TOO_SLOW;
    const { failed_mails: _, ...shown } = figures ?? NO_FIGURES;
    return {
      ...shown,
      name,
      address: url,
      state: status?.ready === false ? 'down' : problem === null ? 'up' : 'impaired',
      version,
      problem,
      ms: status?.ready ? status.ms : null,
      // Who is ready has read and written it.
      database: status?.ready ? 'up' : shown.database,
      redis,
      settings,
      has_figures: figures !== null,
    };
  }

  private statusOf(url: string): Promise<InstanceStatus> {
    const asked = this.asking.get(url) ?? statusOf(url).finally(() => this.asking.delete(url));
    this.asking.set(url, asked);
    return asked;
  }

  /** Not at every look: an instance gathers them from all its workers. */
  private figuresOf(url: string): Promise<InstanceFigures | null> {
    const last = this.figures.get(url);
    const every = last?.latest ? FIGURES_EVERY_MS : REFUSED_EVERY_MS;
    if (last && (last.isUnderWay || performance.now() - last.at < every))
      return inTime(last.answer, last.latest);
    const asked: Asked = {
      at: performance.now(),
      isUnderWay: true,
      answer: figuresOf(url),
      latest: last?.latest ?? null,
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
