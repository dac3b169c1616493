import { ref } from 'vue';
import type { WithdrawBody } from '../api/contract';

interface Draft {
  account: string;
  body: WithdrawBody;
  /** The session had ended: the service refused to take the request. */
  isUnsent: boolean;
}

const kept = ref<Draft | null>(null);

/** What was asked for and refused, for the form to come back with: also after a sign-in, to the same account. */
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
