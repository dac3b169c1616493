import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { DataSource, IsNull, Repository } from 'typeorm';
import { PlayerBan } from '../../platform/auth/player-ban.entity.js';
import {
  isDatabaseUnavailable,
  isNotYetConnected,
} from '../../platform/database/database-errors.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { BanMail } from './ban-mail.js';

const INTERVAL_MS = 5000;
const BATCH = 100;

/**
 * Ends the sessions of players who were banned and mails them, however the ban was entered. The ban itself is in force
 * at once, because every look-up of a player finds it. Runs on every instance; the row gives each ban to one of them.
 */
@Injectable()
export class BanApplier implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(BanApplier.name);
  private timer?: NodeJS.Timeout;
  private running?: Promise<void>;

  constructor(
    private readonly dataSource: DataSource,
    @InjectRepository(PlayerBan) private readonly bans: Repository<PlayerBan>,
    private readonly sessions: SessionsService,
    private readonly mail: BanMail,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.applyAll(), INTERVAL_MS).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  /** One round; a second call meanwhile waits for the same round. */
  applyAll(): Promise<void> {
    this.running ??= this.runOnce()
      .catch((error: unknown) => this.report('bans could not be read', error))
      .finally(() => (this.running = undefined));
    return this.running;
  }

  private async runOnce(): Promise<void> {
    const due = await this.bans.find({
      where: { appliedAt: IsNull() },
      order: { id: 'ASC' },
      take: BATCH,
    });
    for (const ban of due)
      await this.apply(ban).catch((error: unknown) =>
        this.report(`ban ${ban.id} could not be applied`, error),
      );
  }

  private async apply(ban: PlayerBan): Promise<void> {
    const { id, playerId, scope, until, liftedAt } = ban;
    const isMine = await inTransaction(this.dataSource, async (manager) => {
      const now = new Date();
      const claim = { id, appliedAt: IsNull() };
      const { affected } = await manager.update(PlayerBan, claim, { appliedAt: now });
      if (affected !== 1) return false;
      if (scope === 'all') await this.sessions.endOthers(playerId, undefined, manager);
      return true;
    });
    const isOver = liftedAt !== null || (until !== null && until.getTime() <= Date.now());
    if (isMine && !isOver) this.mail.send(ban);
  }

  private report(what: string, error: unknown): void {
    if (isNotYetConnected(error, this.dataSource) || isDatabaseUnavailable(error))
      this.logger.debug(`${what} yet: ${(error as Error).message}`);
    else this.logger.warn(`${what}: ${(error as Error).message}`);
  }
}
