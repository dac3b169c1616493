import { ref } from 'vue';
import type { WithdrawBody } from '../api/contract';

interface Draft {
  account: string;
  body: WithdrawBody;
  /** True means that the service refused the request because the session had ended. */
  isUnsent: boolean;
}

const kept = ref<Draft | null>(null);

/** Keeps a refused request, which fills the form again, even after another sign-in to the same account. */
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
