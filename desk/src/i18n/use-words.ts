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

/** Where the words are that the service puts into its sentences. */
const WORD_GROUPS = ['servers.fields', 'statuses', 'serverStatuses', 'auditKinds'];

/** Words, numbers and times in the operator's language. */
export function useWords() {
  const tag = () => tagOf(language());
  /** What the service may name tomorrow and we do not know yet is shown by its name. */
  const named = (group: string, name: string) =>
    hasText(`${group}.${name}`) ? t(`${group}.${name}`) : name;
  const wordOf = (name: string) => {
    const group = WORD_GROUPS.find((one) => /^\w+$/.test(name) && hasText(`${one}.${name}`));
    return group ? t(`${group}.${name}`) : name;
  };
  /** A sentence of the service, in the operator's language. */
  const say = (sentence: string) =>
    language() === 'zh' ? (toChinese(sentence, wordOf) ?? sentence) : sentence;
  return {
    t,
    named,
    say,
    /** A refused act explains itself in a sentence of its own. */
    errorText: ({ error, sentence }: Pick<ApiError, 'error' | 'sentence'>) => {
      if (error === 'act_refused' && sentence)
        return t('errors.act_refused', { sentence: say(sentence) });
      return hasText(`errors.${error}`) ? t(`errors.${error}`) : t('errors.internal_error');
    },
    /** As a sentence of its own, with the field's label. */
    problemText: ({ field, message }: FieldProblem) =>
      t('problemOf', {
        field: hasText(`servers.fields.${field}`)
          ? t(`servers.fields.${field}`)
          : named('fieldNames', field),
        message: say(message),
      }),
    /** “Chrome on Linux”; empty where nothing is known. */
    deviceText: ({ device, os, browse }: Device) => {
      const [browser, system] = [browse, os].map(withoutVersion);
      if (browser && system) return t('devices.on', { browser, system });
      const kind = typeof device === 'string' ? device : '';
      return browser || system || (DEVICE_KINDS.includes(kind) ? t(`devices.${kind}`) : kind);
    },
    number: (value: number) => value.toLocaleString(tag()),
    moment: (time: string | number, now = Date.now()) =>
      moment(typeof time === 'number' ? time : Date.parse(time), now, tag()),
    span: (seconds: number) => span(seconds, tag()),
    clock: (time: string | number) =>
      new Date(time).toLocaleTimeString(tag(), {
        hour: '2-digit',
        minute: '2-digit',
        hourCycle: 'h23',
      }),
  };
}
