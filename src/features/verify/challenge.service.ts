import {
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  randomInt,
  timingSafeEqual,
} from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Environment } from '../../platform/config/environment.js';
import { Settings } from '../../platform/config/settings.js';
import { localDay } from '../../platform/config/time.js';
import { Counters, type SharedCounter } from '../../platform/counters/counters.js';
import { currentTime } from '../../platform/database/database-clock.js';
import { selectRows } from '../../platform/database/sql.js';
import { MailRateLimit } from '../../platform/mail/mail-rate-limit.js';
import { SendLimits } from './send-limits.js';
import { ChallengeRequired } from './verify.errors.js';

export const CHALLENGE_VALID_SECONDS = 5 * 60;
const ALGORITHM = 'SHA-256';
const CODES_WITHOUT_CHALLENGE = 3;
// The number follows the salt in the hashed text. Without the `&`, digits could be moved from one to the other.
const SALT = /^[0-9a-f]{24}\?expires=(\d{1,12})&$/;

// The feature `accounts` depends on this one, so the table is read directly.
const TAKEN = 'SELECT taken FROM registration_day WHERE day = ?';

/**
 * Describes a challenge in the format of ALTCHA, version 1. The client searches for the number whose hash with the salt
 * is `challenge`.
 */
interface Challenge {
  algorithm: typeof ALGORITHM;
  challenge: string;
  salt: string;
  signature: string;
  maxnumber: number;
}

/**
 * Makes bots pay for codes with a proof of work. Nothing is stored for a challenge, because its signature shows that
 * this service issued it.
 */
@Injectable()
export class ChallengeService {
  private readonly key: Buffer;
  private readonly used: SharedCounter;

  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: Settings,
    private readonly limits: SendLimits,
    private readonly mails: MailRateLimit,
    counters: Counters,
    { JWT_SECRET }: Environment,
  ) {
    this.key = Buffer.from(hkdfSync('sha256', JWT_SECRET, '', 'gatehouse challenge', 32));
    this.used = counters.create('challenge_used');
  }

  async offer(address: string) {
    return {
      challenge: this.create(),
      required: await this.isDemanded(address),
      expires_in: CHALLENGE_VALID_SECONDS,
    };
  }

  /** Throws if a challenge is required and the payload does not solve it. Each solution is accepted once. */
  async requireSolution(payload: string | undefined, address: string): Promise<void> {
    if (!(await this.isDemanded(address))) return;
    const solved = payload === undefined ? undefined : this.verify(payload);
    if (solved === undefined) throw new ChallengeRequired();
    const { count } = await this.used.add(solved, 1, 2 * CHALLENGE_VALID_SECONDS);
    if (count > 1) throw new ChallengeRequired();
  }

  private create(): Challenge {
    const { difficulty } = this.settings.current.challenge;
    const expires = Math.floor(currentTime() / 1000) + CHALLENGE_VALID_SECONDS;
    const salt = `${randomBytes(12).toString('hex')}?expires=${expires}&`;
    const challenge = hashOf(salt, randomInt(difficulty));
    const signature = this.sign(challenge);
    return { algorithm: ALGORITHM, challenge, salt, signature, maxnumber: difficulty };
  }

  /** Returns the solved challenge, or undefined if the payload is not a valid solution. */
  private verify(payload: string): string | undefined {
    const { algorithm, salt, number, signature } = parsePayload(payload);
    if (algorithm !== ALGORITHM || typeof salt !== 'string' || !Number.isSafeInteger(number))
      return undefined;
    const expires = Number(SALT.exec(salt)?.[1] ?? 0);
    if (expires * 1000 < currentTime()) return undefined;
    const challenge = hashOf(salt, Number(number));
    const expected = Buffer.from(this.sign(challenge));
    const given = Buffer.from(typeof signature === 'string' ? signature : '');
    const isOurs = given.length === expected.length && timingSafeEqual(given, expected);
    return isOurs ? challenge : undefined;
  }

  private sign(challenge: string): string {
    return createHmac('sha256', this.key).update(challenge).digest('hex');
  }

  private async isDemanded(address: string): Promise<boolean> {
    const { challenge, verify } = this.settings.current;
    if (challenge.mode !== 'auto') return challenge.mode === 'always';
    if ((await this.limits.countOf(address)) >= CODES_WITHOUT_CHALLENGE) return true;
    if ((await this.mails.countOfMinute()) > challenge.busy_share * verify.per_minute_all)
      return true;
    return this.areRegistrationsBusy();
  }

  private async areRegistrationsBusy(): Promise<boolean> {
    const { challenge, day_max_reg: cap, timezone } = this.settings.current;
    if (cap === null) return false;
    const day = localDay(timezone, new Date());
    const [row] = await selectRows<{ taken: number }>(this.dataSource.manager, TAKEN, [day]);
    return (row?.taken ?? 0) > challenge.busy_share * cap;
  }
}

function hashOf(salt: string, number: number): string {
  return createHash('sha256').update(`${salt}${number}`).digest('hex');
}

function parsePayload(payload: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(payload, 'base64').toString());
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
