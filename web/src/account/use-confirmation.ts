import { ref } from 'vue';
import { ApiError } from '../api/api-error';

/** This error is thrown if the player cancels the confirmation. No page shows it. */
export const CANCELLED = 'cancelled';

/**
 * Runs a task. If the service asks for confirmation, runs the task again after the player has confirmed their
 * identity.
 */
export type Confirmed = <T>(task: () => Promise<T>) => Promise<T>;

/**
 * Repeats a request that the service refused with `sign_in_again`, once the player has confirmed their identity.
 */
export function useConfirmation() {
  const isAsked = ref(false);
  let settled: (isConfirmed: boolean) => void = () => undefined;

  async function confirmed<T>(task: () => Promise<T>): Promise<T> {
    try {
      return await task();
    } catch (error) {
      if (!(error instanceof ApiError) || error.error !== 'sign_in_again') throw error;
      isAsked.value = true;
      const isConfirmed = await new Promise<boolean>((resolve) => (settled = resolve));
      if (!isConfirmed) throw new ApiError(CANCELLED);
      return task();
    }
  }

  function settle(isConfirmed: boolean): void {
    isAsked.value = false;
    settled(isConfirmed);
  }

  return { isAsked, confirmed, settle };
}
