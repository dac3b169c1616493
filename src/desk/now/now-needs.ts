import { Injectable } from '@nestjs/common';
import { toIso } from '../../accounts/player-edits.js';
import { JournalSearch } from '../../journal/journal-search.js';
import { WaitingWithdrawals } from '../../withdraw/desk/waiting-withdrawals.js';
import type { Need, SeenMail } from '../answers/now.js';

const GUESSES_WITHIN_MS = 600_000;
const GUESSES_EVERY_MS = 60_000;
const MANY_GUESSES = 50;
const NEAR = 0.9;

export interface Known {
  registrations: { today: number; cap: number | null };
  failingZones: number;
  badInstances: number;
  versionsDiffer: boolean;
  isRedisDown: boolean;
  mail: SeenMail;
}

/** What needs a person, the most urgent first. */
@Injectable()
export class NowNeeds {
  private guessing: Need[] = [];
  private guessesAsked = -Infinity;

  constructor(
    private readonly waiting: WaitingWithdrawals,
    private readonly journal: JournalSearch,
  ) {}

  async find(known: Known): Promise<Need[]> {
    const { registrations, failingZones, badInstances } = known;
    const [unknown, wishes, orphans, guessing] = await Promise.all([
      this.waiting.unknown(),
      this.waiting.wishes(),
      this.waiting.orphans(),
      this.guesses(),
    ]);
    const { today, cap } = registrations;
    const waits = (kind: string, link: string, { count, oldest }: typeof unknown) =>
      count > 0 ? [need(kind, link, { count, oldest: toIso(oldest) })] : [];
    return [
      ...(badInstances > 0 ? [need('instance', '/', { count: badInstances })] : []),
      ...waits('unknown_withdrawal', '/withdrawals?status=unknown', unknown),
      ...waits('settle_waits', '/withdrawals?status=unknown', wishes),
      ...waits('orphan', '/withdrawals', orphans),
      ...(failingZones > 0 ? [need('zone_failing', '/zones', { count: failingZones })] : []),
      ...guessing,
      ...(cap !== null && today >= cap * NEAR ? [need('cap_near', '/', { count: today })] : []),
      ...(known.isRedisDown ? [need('redis_down', '/')] : []),
      ...aboutMail(known.mail),
      ...(known.versionsDiffer ? [need('versions_differ', '/')] : []),
    ];
  }

  /** It reads ten minutes of sign-ins, so not at every look. */
  private async guesses(): Promise<Need[]> {
    const now = performance.now();
    if (now - this.guessesAsked < GUESSES_EVERY_MS) return this.guessing;
    this.guessesAsked = now;
    const since = new Date(Date.now() - GUESSES_WITHIN_MS);
    const many = (await this.journal.guesses('player_id', since)).filter(
      ({ player, tries }) => player !== null && tries >= MANY_GUESSES,
    );
    const [worst] = many;
    return (this.guessing = worst
      ? [need('guessing', `/players/${worst.player}`, { count: many.length })]
      : []);
  }
}

function aboutMail({ state, mails_last_hour: hour }: Known['mail']): Need[] {
  if (state === 'down') return [need('mail_down', '/')];
  if (state === 'failing') return [need('mail_failing', '/', { count: hour?.failed })];
  return state === 'slow' ? [need('mail_slow', '/', { count: hour?.slow })] : [];
}

function need(kind: string, link: string, more: Partial<Need> = {}): Need {
  return { kind, text_key: `needs.${kind}`, link, ...more };
}
