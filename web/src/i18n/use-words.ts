import { tagOf } from 'gatehouse-ui/languages';
import type { ApiError } from '../api/api-error';
import type { Config, SignedIn, Withdrawal } from '../api/contract';
import { shortestPassword } from '../session/use-config';
import { strengthOf } from '../signin/password-strength';
import { newPasswordRule } from '../signin/rules';
import { ago, duration } from './durations';
import { hasText, language, t } from './i18n';

/** Returns functions for words, numbers and times in the player's language. */
export function useWords() {
  const tag = () => tagOf(language());
  return {
    t,
    errorText: ({ error }: Pick<ApiError, 'error'>) =>
      hasText(`errors.${error}`) ? t(`errors.${error}`) : t('errors.internal_error'),
    /** Says why a withdrawal was not carried out. A failed withdrawal without a reason was settled after a check. */
    reasonText: ({ status, reason }: Pick<Withdrawal, 'status' | 'reason'>) => {
      if (!reason)
        return t(status === 'failed' ? 'withdraw.refused.checked' : 'errors.withdrawal_refused');
      const own = `withdraw.refused.${reason}`;
      return t(hasText(own) ? own : `errors.${reason}`);
    },
    problemText: (
      name: string | undefined,
      values: Record<string, string | number | undefined> = {},
    ) => name && t(`fields.problems.${name}`, { least: shortestPassword(), ...values }),
    /** Says why the service would refuse the password, or how strong it is. */
    newPasswordHint: (password: string, account: string, email: string) => {
      const length = t('fields.hints.password', { least: shortestPassword() });
      if (!password) return length;
      const problem = newPasswordRule(shortestPassword(), account, email)(password);
      const isRefused = problem !== undefined && problem !== 'password';
      const name = isRefused ? `problems.${problem}` : `strength.${strengthOf(password, account)}`;
      return `${length} · ${t(`fields.${name}`)}`;
    },
    number: (value: number) => value.toLocaleString(tag()),
    /** Names a browser without version numbers, which mean nothing to most players and change every few weeks. */
    deviceName: ({ os, browse }: Pick<SignedIn, 'os' | 'browse'>) => {
      const [system, browser] = [os, browse].map((name) => name?.replace(/ [\d._]+$/, ''));
      if (system && browser) return t('account.device', { browser, system });
      return browser ?? system ?? t('account.unknownDevice');
    },
    /** Returns the operator's text in the player's language. */
    localized: (text: NonNullable<Config['withdraw']['destination']>) => text[language()],
    currency: (name: string) => (hasText(`currencies.${name}`) ? t(`currencies.${name}`) : name),
    date: (time: string | number) =>
      new Date(time).toLocaleDateString(tag(), { dateStyle: 'medium' }),
    dateTime: (time: string | number) =>
      new Date(time).toLocaleString(tag(), {
        year: 'numeric',
        month: 'short',
        day: 'numeric',
        hour: 'numeric',
        minute: '2-digit',
      }),
    // Intl returns 现在, but Chinese readers expect 刚刚.
    ago: (time: string, now: number) =>
      now - Date.parse(time) < 60_000 ? t('justNow') : ago(Date.parse(time), now, tag()),
    labelled: (label: string, text: string) => t('labelled', { label, text }),
    duration: (seconds: number) => duration(seconds, tag()),
    time: (time: string | number) => new Date(time).toLocaleTimeString(tag()),
  };
}
