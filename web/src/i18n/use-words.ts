import { type Language, tagOf } from 'gatehouse-ui/languages';
import { useI18n } from 'vue-i18n';
import type { ApiError } from '../api/api-error';
import { ago, duration } from './durations';

/** Words, numbers and times in the player's language. */
export function useWords() {
  const words = useI18n({ useScope: 'global' });
  const { t, locale } = words;
  const te = (key: string) => words.te(key);
  const tag = () => tagOf(locale.value as Language);
  return {
    t,
    errorText: ({ error }: Pick<ApiError, 'error'>) =>
      te(`errors.${error}`) ? t(`errors.${error}`) : t('errors.internal_error'),
    problemText: (name: string | undefined, values: Record<string, unknown> = {}) =>
      name && t(`fields.problems.${name}`, values),
    number: (value: number) => value.toLocaleString(tag()),
    currency: (name: string) => (te(`currencies.${name}`) ? t(`currencies.${name}`) : name),
    date: (time: string | number) =>
      new Date(time).toLocaleDateString(tag(), { dateStyle: 'medium' }),
    dateTime: (time: string | number) =>
      new Date(time).toLocaleString(tag(), {
        year: 'numeric',
        month: 'short',
        day: 'numeric',
        hour: '2-digit',
        minute: '2-digit',
        timeZoneName: 'short',
      }),
    ago: (time: string, now: number) => ago(Date.parse(time), now, tag()),
    duration: (seconds: number) => duration(seconds, tag()),
    time: (time: string | number) => new Date(time).toLocaleTimeString(tag()),
  };
}
