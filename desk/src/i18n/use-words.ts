import { tagOf } from 'gatehouse-ui/languages';
import type { ApiError, FieldProblem } from '../api/api-error';
import { hasText, language, t } from './i18n';
import { toChinese } from './sentences';
import { moment, span } from './times';

interface Device {
  device?: unknown;
  os?: unknown;
  browse?: unknown;
}
const DEVICE_KINDS = ['desktop', 'phone', 'tablet'];
const withoutVersion = (name: unknown) =>
  typeof name === 'string' ? name.replace(/[ /][\d.]+$/, '') : '';

/** These text groups contain the words that the service uses in its sentences. */
const WORD_GROUPS = ['servers.fields', 'statuses', 'serverStatuses', 'auditKinds'];

/** Returns functions for words, numbers and times in the operator's language. */
export function useWords() {
  const tag = () => tagOf(language());
  /**
   * A newer service may send a name that this page does not know. Such a name is shown unchanged.
   */
  const named = (group: string, name: string) =>
    hasText(`${group}.${name}`) ? t(`${group}.${name}`) : name;
  const wordOf = (name: string) => {
    const group = WORD_GROUPS.find((one) => /^\w+$/.test(name) && hasText(`${one}.${name}`));
    return group ? t(`${group}.${name}`) : name;
  };
  /** Returns a sentence of the service in the operator's language. */
  const say = (sentence: string) =>
    language() === 'zh' ? (toChinese(sentence, wordOf) ?? sentence) : sentence;
  return {
    t,
    named,
    say,
    /** Returns the message of the error `act_refused`, which gives the reason, or the text of any other error. */
    errorText: ({ error, sentence }: Pick<ApiError, 'error' | 'sentence'>) => {
      if (error === 'act_refused' && sentence)
        return t('errors.act_refused', { sentence: say(sentence) });
      return hasText(`errors.${error}`) ? t(`errors.${error}`) : t('errors.internal_error');
    },
    /** Returns a field problem as a full sentence with the field's label. */
    problemText: ({ field, message }: FieldProblem) =>
      t('problemOf', {
        field: hasText(`servers.fields.${field}`)
          ? t(`servers.fields.${field}`)
          : named('fieldNames', field),
        message: say(message),
      }),
    /** Returns “Chrome on Linux”, or an empty string for an unknown device. */
    deviceText: ({ device, os, browse }: Device) => {
      const [browser, system] = [browse, os].map(withoutVersion);
      if (browser && system) return t('devices.on', { browser, system });
      const kind = typeof device === 'string' ? device : '';
      return browser || system || (DEVICE_KINDS.includes(kind) ? t(`devices.${kind}`) : kind);
    },
    number: (value: number) => value.toLocaleString(tag()),
    moment: (time: string | number, now = Date.now()) =>
      moment(typeof time === 'number' ? time : Date.parse(time), now, tag()),
    /** Returns the calendar day of a time in a time zone, such as “Nov 14, 2026”. */
    day: (time: string, timeZone: string) =>
      new Date(time).toLocaleDateString(tag(), { dateStyle: 'medium', timeZone }),
    /** Returns the browser's time zone, in which the desk shows times, such as “Asia/Shanghai (GMT+8)”. */
    zone: () => {
      const format = new Intl.DateTimeFormat(tag(), { timeZoneName: 'shortOffset' });
      const offset = format.formatToParts().find(({ type }) => type === 'timeZoneName')?.value;
      const { timeZone } = format.resolvedOptions();
      return offset && offset !== timeZone ? `${timeZone} (${offset})` : timeZone;
    },
    span: (seconds: number) => span(seconds, tag()),
    clock: (time: string | number) =>
      new Date(time).toLocaleTimeString(tag(), {
        hour: '2-digit',
        minute: '2-digit',
        hourCycle: 'h23',
      }),
  };
}
