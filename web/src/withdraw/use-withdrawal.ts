import { computed, onScopeDispose, ref } from 'vue';
import { CANCELLED, useConfirmation } from '../account/use-confirmation';
import { ApiError } from '../api/api-error';
import { get, post } from '../api/client';
import type { WithdrawBody, Withdrawal } from '../api/contract';
import { useCountdown } from '../parts/use-countdown';
import { newKey } from '../session/new-key';
import { session } from '../session/session';
import { type Attempt, forgetAttempt, isOf, keepAttempt, keptAttempt } from './attempt';
import { draft } from './draft';
import { ASK_EVERY_MS, isRefusal, leavesOutcomeOpen, STILL_UNDER_WAY_MS } from './outcome';
import { isSettled } from './withdrawal-states';

const SOON_MS = 2000;
const NEWEST = 20;

/**
 * The state is `form` before the request, `sending` while the request is in flight, `open` if no response arrived,
 * `checking` if the service does not know the outcome yet, and `settled` or `refused` if it does.
 */
export type Phase = 'form' | 'sending' | 'open' | 'checking' | 'settled' | 'refused';

/** Follows one withdrawal from the button to its outcome, across reloads. */
export function useWithdrawal(onNews: () => void) {
  const kept = keptAttempt(session.account);
  const attempt = ref<Attempt | undefined>(kept);
  const phase = ref<Phase>(kept ? (kept.id === undefined ? 'open' : 'checking') : 'form');
  const result = ref<Withdrawal | null>(null);
  const refusal = ref<ApiError | null>(null);
  const askedAt = ref<number | null>(null);
  const isAsking = ref(false);
  const { left: waiting, start: wait } = useCountdown();
  /** From this time on, a request without a response can no longer arrive. */
  const certainFrom = computed(() => (attempt.value?.unansweredAt ?? 0) + STILL_UNDER_WAY_MS);
  const confirmation = useConfirmation();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isDisposed = false;
  onScopeDispose(() => {
    isDisposed = true;
    clearTimeout(timer);
  });

  /**
   * Does nothing after the player has left the page, because another account may have signed in since then, and no
   * request must be sent in its name.
   */
  function later(task: () => Promise<void>, ms: number): void {
    if (!isDisposed) timer = setTimeout(() => void task(), ms);
  }

  function start(
    body: WithdrawBody,
    seen: Pick<Attempt, 'roleName' | 'serverName' | 'newestBefore'>,
  ): Promise<void> {
    if (phase.value !== 'form' || !session.account) return Promise.resolve();
    const { account } = session;
    attempt.value = { account, key: newKey(), body, ...seen, startedAt: Date.now() };
    return send();
  }

  /** Sends or resends the request. The same key with the same body never leads to a second withdrawal. */
  async function send(): Promise<void> {
    clearTimeout(timer);
    if (!attempt.value || phase.value === 'sending') return;
    phase.value = 'sending';
    refusal.value = null;
    askedAt.value = null;
    const { unansweredAt } = attempt.value;
    const sentAt = Date.now();
    try {
      learn(await confirmation.confirmed(() => request(unansweredAt)));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.error === CANCELLED) {
        if (unansweredAt === undefined) return reset();
        phase.value = 'open';
        return;
      }
      refusal.value = error;
      if (error.retryAfter) wait(error.retryAfter);
      const since = unansweredAt === undefined ? undefined : sentAt - unansweredAt;
      if (!leavesOutcomeOpen(error, since)) return settle('refused');
      phase.value = 'open';
      // This request was refused, but the earlier request may still arrive.
      if (isRefusal(error)) note({ unansweredAt });
      // The first request is still being processed, so the page soon asks for its response.
      if (error.error === 'idempotency_conflict') later(send, SOON_MS);
    }
  }

  /**
   * If the service first demands a confirmation of identity, this request has had no effect, so the attempt is
   * forgotten unless an earlier request got no response.
   */
  async function request(unansweredAt: number | undefined): Promise<Withdrawal> {
    note({ unansweredAt: Date.now() });
    const { account, key, body } = attempt.value!;
    draft.take(account);
    try {
      const headers = { 'Idempotency-Key': key };
      return await post('/api/game/withdraw', body, { headers });
    } catch (error) {
      if (error instanceof ApiError && error.error === 'sign_in_again') {
        note({ unansweredAt });
        if (unansweredAt === undefined) {
          forgetAttempt({ account });
          draft.keep(account, body);
        }
      }
      throw error;
    }
  }

  function learn(withdrawal: Withdrawal): void {
    result.value = withdrawal;
    if (isSettled(withdrawal)) return settle('settled');
    phase.value = 'checking';
    note({ id: withdrawal.id });
    onNews();
    askLater();
  }

  function note(news: Partial<Attempt>): void {
    attempt.value = { ...attempt.value!, ...news };
    keepAttempt(attempt.value);
  }

  function settle(outcome: 'settled' | 'refused'): void {
    phase.value = outcome;
    const { account, body } = attempt.value!;
    forgetAttempt({ account });
    if (outcome === 'refused' || result.value?.status !== 'succeeded')
      draft.keep(account, body, !session.token);
    onNews();
  }

  function askLater(): void {
    later(ask, ASK_EVERY_MS);
  }

  /** Looks for the request among the withdrawals and does not send it again. */
  async function checkStatus(): Promise<void> {
    if (isAsking.value || !attempt.value) return;
    isAsking.value = true;
    refusal.value = null;
    try {
      const { withdrawals } = await get('/api/game/withdraw', { query: { limit: NEWEST } });
      const found = withdrawals.find((one) => isOf(attempt.value!, one));
      if (phase.value !== 'open') return;
      askedAt.value = Date.now();
      if (found) learn(found);
      else onNews();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (phase.value === 'open') refusal.value = error;
    } finally {
      isAsking.value = false;
    }
  }

  async function ask(): Promise<void> {
    if (document.visibilityState === 'hidden') return askLater();
    try {
      const withdrawal = await get('/api/game/withdraw/{id}', { path: { id: attempt.value!.id! } });
      askedAt.value = Date.now();
      result.value = withdrawal;
      if (isSettled(withdrawal)) return settle('settled');
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.error === 'withdrawal_not_found') return reset();
    }
    if (session.token) askLater();
    return undefined;
  }

  function reset(): void {
    clearTimeout(timer);
    if (attempt.value) forgetAttempt(attempt.value);
    attempt.value = undefined;
    result.value = null;
    refusal.value = null;
    askedAt.value = null;
    phase.value = 'form';
  }

  if (phase.value === 'checking') void ask();
  if (phase.value === 'open') void checkStatus();
  return {
    phase,
    attempt,
    result,
    refusal,
    certainFrom,
    askedAt,
    isAsking,
    waiting,
    confirmation,
    start,
    send,
    checkStatus,
    reset,
  };
}

export type WithdrawalInHand = ReturnType<typeof useWithdrawal>;
