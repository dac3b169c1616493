import { type Language, tagOf } from 'gatehouse-ui/languages';
import { useI18n } from 'vue-i18n';
import type { ApiError } from '../api/api-error';
import { moment, span } from './times';

/** Words, numbers and times in the operator's language. */
export function useWords() {
  const words = useI18n({ useScope: 'global' });
  const { t, locale } = words;
  const tag = () => tagOf(locale.value as Language);
  /** What the service may name tomorrow and we do not know yet is shown by its name. */
  const named = (group: string, name: string) =>
    words.te(`${group}.${name}`) ? t(`${group}.${name}`) : name;
  return {
    t,
    named,
    /** A refused act explains itself in a sentence of its own. */
    errorText: ({ error, sentence }: Pick<ApiError, 'error' | 'sentence'>) => {
      if (error === 'act_refused' && sentence) return t('errors.act_refused', { sentence });
      return words.te(`errors.${error}`) ? t(`errors.${error}`) : t('errors.internal_error');
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
