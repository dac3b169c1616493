import 'reflect-metadata';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsIn, IsObject, Length, ValidateNested } from 'class-validator';
import { AllowNull } from './setting.decorator.js';
import { IsZonedDateTime, IsUrlWithProtocol } from './validators.js';

const MAX_NOTICES = 5;
const Text = () => Length(1, 500, { message: 'must be a text of 1 to 500 characters' });

class NoticeText {
  @Text() zh: string;
  @Text() en: string;
}

export const NOTICE_LEVELS = ['info', 'warning'] as const;
export type NoticeLevel = (typeof NOTICE_LEVELS)[number];

/** An entry of the setting `notices`. An omitted key has the value shown. */
export class NoticeSettings {
  @IsObject({ message: 'must be { zh: …, en: … }' })
  @ValidateNested({ message: 'must be { zh: …, en: … }' })
  @Type(() => NoticeText)
  text: NoticeText;

  @IsIn(NOTICE_LEVELS, { message: 'must be info or warning' })
  level: NoticeLevel = 'info';

  @AllowNull() @IsZonedDateTime() from: string | null = null;
  @AllowNull() @IsZonedDateTime() until: string | null = null;
  @AllowNull() @IsUrlWithProtocol(['https:', 'mailto:']) link: string | null = null;
}

export const IsNoticeList = () => (target: object, key: string) => {
  IsArray({ message: 'must be a list of notices' })(target, key);
  ArrayMaxSize(MAX_NOTICES, { message: `must be at most ${MAX_NOTICES} notices` })(target, key);
  ValidateNested({ each: true, message: 'must be a notice' })(target, key);
  Type(() => NoticeSettings)(target, key);
};

/** Notices that can never be shown. */
export function noticeProblems(notices: unknown): string[] {
  if (!Array.isArray(notices)) return [];
  return notices.flatMap((notice: NoticeSettings | undefined, place) =>
    notice?.from && notice.until && Date.parse(notice.from) >= Date.parse(notice.until)
      ? [`notices.${place}.from must be before its until`]
      : [],
  );
}

/** Those to show now: between `from` and `until`. */
export function activeNotices(notices: NoticeSettings[], now: number): NoticeSettings[] {
  return notices.filter(
    ({ from, until }) =>
      (from === null || Date.parse(from) <= now) && (until === null || now < Date.parse(until)),
  );
}
