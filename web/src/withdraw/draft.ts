import { ref } from 'vue';
import type { WithdrawBody } from '../api/contract';

interface Draft {
  account: string;
  body: WithdrawBody;
  /** The session had ended: the service refused the request. */
  isUnsent: boolean;
}

const kept = ref<Draft | null>(null);

/** A refused request, to fill the form again: also after a sign-in, for the same account. */
export const draft = {
  keep(account: string | null, body: WithdrawBody, isUnsent = false): void {
    kept.value = account === null ? null : { account, body, isUnsent };
  },

  take(account: string | null): Draft | null {
    const mine = kept.value?.account === account ? kept.value : null;
    kept.value = null;
    return mine;
  },
};
