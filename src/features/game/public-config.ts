import { ApiProperty } from '@nestjs/swagger';
import type { Environment } from '../../platform/config/environment.js';
import {
  activeNotices,
  NOTICE_LEVELS,
  type NoticeLevel,
  type NoticeSettings,
} from '../../platform/config/notice-settings.js';
import { rememberDays, trustDays } from '../../platform/config/settings.js';
import type { SettingsValues } from '../../platform/config/settings.schema.js';
import { CODE_DIGITS, CODE_VALID_SECONDS } from '../verify/code-store.js';

class LocalizedTextView {
  @ApiProperty({ description: 'in Chinese' }) zh: string;
  @ApiProperty({ description: 'in English' }) en: string;
}

class WithdrawConfigView {
  @ApiProperty() enabled: boolean;
  @ApiProperty({ type: 'integer', example: 100 }) min: number;
  @ApiProperty({ type: 'integer', example: 100_000 }) max: number;
  @ApiProperty({ type: 'integer', example: 500_000 }) daily_max: number;
  @ApiProperty({ example: 'yuanbao' }) currency: string;
  @ApiProperty({
    type: LocalizedTextView,
    nullable: true,
    description: 'where the withdrawn amount goes; null if the operator does not say',
  })
  destination: LocalizedTextView | null;
}

class RegistrationConfigView {
  @ApiProperty({
    description:
      'false while registration is switched off, but not when the daily limit is reached',
  })
  open: boolean;
}

class PasswordConfigView {
  @ApiProperty({
    type: 'integer',
    example: 8,
    description: 'minimum number of characters of a new password',
  })
  min_length: number;
}

class CodeConfigView {
  @ApiProperty({ type: 'integer', description: 'number of digits of a code' }) length: number;
  @ApiProperty({ type: 'integer', description: 'seconds' }) expires_in: number;
  @ApiProperty({ type: 'integer', description: 'seconds until another code can be requested' })
  resend_in: number;
}

class ForumLoginConfigView {
  @ApiProperty() enabled: boolean;
}

class RememberConfigView {
  @ApiProperty({ description: 'whether a browser may stay signed in' }) enabled: boolean;
  @ApiProperty({ type: 'integer', example: 30, description: 'number of days after its last use' })
  days: number;
}

class TrustConfigView {
  @ApiProperty({ description: 'whether a browser may skip the second step of a sign-in' })
  enabled: boolean;
  @ApiProperty({ type: 'integer', example: 30, description: 'number of days' }) days: number;
}

class AccountConfigView {
  @ApiProperty({
    type: 'integer',
    example: 7,
    description:
      'days from the request until the account is closed; with 0, players cannot close their accounts',
  })
  close_days: number;
}

const orNull = { type: String, nullable: true } as const;

class LegalLineView {
  @ApiProperty({ type: LocalizedTextView }) text: LocalizedTextView;
  @ApiProperty({ ...orNull, description: 'https: or mailto:' }) link: string | null;
}

class NoticeView extends LegalLineView {
  @ApiProperty({ enum: NOTICE_LEVELS }) level: NoticeLevel;
  @ApiProperty({ ...orNull, format: 'date-time' }) from: string | null;
  @ApiProperty({
    ...orNull,
    format: 'date-time',
    description: 'when the notice ends; null if unknown',
  })
  until: string | null;
}

export class ConfigView {
  @ApiProperty({ type: WithdrawConfigView }) withdraw: WithdrawConfigView;
  @ApiProperty({ type: RegistrationConfigView }) registration: RegistrationConfigView;
  @ApiProperty({ type: PasswordConfigView }) password: PasswordConfigView;
  @ApiProperty({ type: CodeConfigView }) code: CodeConfigView;
  @ApiProperty({ type: ForumLoginConfigView }) forum_login: ForumLoginConfigView;
  @ApiProperty({ type: RememberConfigView }) remember: RememberConfigView;
  @ApiProperty({ type: TrustConfigView }) trust: TrustConfigView;
  @ApiProperty({ type: AccountConfigView }) account: AccountConfigView;
  @ApiProperty({
    type: [NoticeView],
    maxItems: 5,
    description: 'the messages that every page shows now, in the order of the settings',
  })
  notices: NoticeView[];
  @ApiProperty({ type: [LegalLineView], description: 'the lines in the footer of every page' })
  legal: LegalLineView[];
  @ApiProperty({ ...orNull, description: 'https: or mailto:' }) support_url: string | null;
  @ApiProperty({ ...orNull, description: 'https: or mailto:' }) privacy_url: string | null;
  @ApiProperty({ ...orNull, description: 'URL of the game client that the front end opens' })
  game_client_url: string | null;
}

/** Lists each public setting explicitly, so that a new setting is not published by accident. */
export function toConfigView(settings: SettingsValues, environment: Environment): ConfigView {
  const { enabled, min, max, daily_max, currency, destination } = settings.withdraw;
  const days = rememberDays(settings, environment);
  const daysOfTrust = trustDays(settings, environment);
  return {
    withdraw: { enabled, min, max, daily_max, currency, destination },
    registration: { open: settings.day_max_reg !== 0 },
    password: { min_length: settings.password.min_length },
    code: {
      length: CODE_DIGITS,
      expires_in: CODE_VALID_SECONDS,
      resend_in: settings.verify.cooldown,
    },
    forum_login: { enabled: environment.forum !== undefined },
    remember: { enabled: days > 0, days },
    trust: { enabled: daysOfTrust > 0, days: daysOfTrust },
    account: { close_days: settings.account.close_days },
    notices: activeNotices(settings.notices, Date.now()).map(toNoticeView),
    legal: settings.legal.map(({ text: { zh, en }, link }) => ({ text: { zh, en }, link })),
    support_url: settings.support_url,
    privacy_url: settings.privacy_url,
    game_client_url: settings.game_client_url ?? sandboxClient(environment),
  };
}

function toNoticeView({ text, level, from, until, link }: NoticeSettings): NoticeView {
  const { zh, en } = text;
  const inUtc = (time: string | null) => time && new Date(time).toISOString();
  return { text: { zh, en }, level, from: inUtc(from), until: inUtc(until), link };
}

function sandboxClient({ sandboxUrl }: Environment): string | null {
  return sandboxUrl === undefined ? null : `${sandboxUrl}/client`;
}
