import { tagOf } from 'gatehouse-ui/languages';
import type { ApiError } from '../api/api-error';
import { strengthOf } from '../signin/password-strength';
import { ago, duration } from './durations';
import { hasText, language, t } from './i18n';

/** Words, numbers and times in the player's language. */
export function useWords() {
  const tag = () => tagOf(language());
  return {
    t,
    errorText: ({ error }: Pick<ApiError, 'error'>) =>
      hasText(`errors.${error}`) ? t(`errors.${error}`) : t('errors.internal_error'),
    problemText: (name: string | undefined, values?: Parameters<typeof t>[1]) =>
      name && t(`fields.problems.${name}`, values),
    newPasswordHint: (password: string, account: string) =>
      password
        ? `${t('fields.hints.password')} · ${t(`fields.strength.${strengthOf(password, account)}`)}`
        : t('fields.hints.password'),
    number: (value: number) => value.toLocaleString(tag()),
    currency: (name: string) => (hasText(`currencies.${name}`) ? t(`currencies.${name}`) : name),
    date: (time: string | number) =>
      new Date(time).toLocaleDateString(tag(), { dateStyle: 'medium' }),
    dateTime: (time: string | number) =>
      new Date(time).toLocaleString(tag(), {
        year: 'numeric',
        month: 'short',
        day: 'numeric',
        hour: '2-digit',
        minute: '2-digit',
      }),
    ago: (time: string, now: number) => ago(Date.parse(time), now, tag()),
    duration: (seconds: number) => duration(seconds, tag()),
    time: (time: string | number) => new Date(time).toLocaleTimeString(tag()),
  };
}
