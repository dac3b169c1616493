import 'reflect-metadata';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsIn, IsObject, Length, ValidateNested } from 'class-validator';
import { AllowNull, IsZonedDateTime, IsUrlWithProtocol } from './validators.js';

const MAX_NOTICES = 5;
const MAX_LEGAL_LINES = 20;
const Text = () => Length(1, 500, { message: 'must be a text of 1 to 500 characters' });

/** Holds a text that players see, in both languages of the site. */
export class LocalizedText {
  @Text() zh: string;
  @Text() en: string;
}

export const IsLocalizedText = () => (target: object, key: string) => {
  const message = 'must be { zh: …, en: … }';
  IsObject({ message })(target, key);
  ValidateNested({ message })(target, key);
  Type(() => LocalizedText)(target, key);
};

export const NOTICE_LEVELS = ['info', 'warning'] as const;
export type NoticeLevel = (typeof NOTICE_LEVELS)[number];

/** Describes an entry of the setting `legal`. The initial values are the defaults of omitted keys. */
export class LegalLine {
  @IsLocalizedText() text: LocalizedText;

  @AllowNull() @IsUrlWithProtocol(['https:', 'mailto:']) link: string | null = null;
}

/** Describes an entry of the setting `notices`. */
export class NoticeSettings extends LegalLine {
  @IsIn(NOTICE_LEVELS, { message: 'must be info or warning' })
  level: NoticeLevel = 'info';

  @AllowNull() @IsZonedDateTime() from: string | null = null;
  @AllowNull() @IsZonedDateTime() until: string | null = null;
}

export const IsListOf = (type: () => new () => object, what: string, max: number) => () =>
  function isList(target: object, key: string): void {
    IsArray({ message: `must be a list of ${what}s` })(target, key);
    ArrayMaxSize(max, { message: `must contain at most ${max} ${what}s` })(target, key);
    ValidateNested({
      each: true,
      message: `must be ${/^[aeiou]/.test(what) ? 'an' : 'a'} ${what}`,
    })(target, key);
    Type(type)(target, key);
  };

export const IsNoticeList = IsListOf(() => NoticeSettings, 'notice', MAX_NOTICES);
export const IsLegalList = IsListOf(() => LegalLine, 'line', MAX_LEGAL_LINES);

/** Finds notices that can never appear. */
export function noticeProblems(notices: unknown): string[] {
  if (!Array.isArray(notices)) return [];
  return notices.flatMap((notice: NoticeSettings | undefined, place) =>
    notice?.from && notice.until && Date.parse(notice.from) >= Date.parse(notice.until)
      ? [`notices.${place}.from must be before its until`]
      : [],
  );
}

export function activeNotices(notices: NoticeSettings[], now: number): NoticeSettings[] {
  return notices.filter(
    ({ from, until }) =>
      (from === null || Date.parse(from) <= now) && (until === null || now < Date.parse(until)),
  );
}
