import { ref } from 'vue';
import { ApiError } from '../api/api-error';

/** Runs a task, and once more after the player has confirmed who it is, if the service asked for that. */
export type Confirmed = <T>(task: () => Promise<T>) => Promise<T>;

/** Repeats what the service refused with `sign_in_again`, once the player has confirmed who it is. */
export function useConfirmation() {
  const isAsked = ref(false);
  let settled: (isConfirmed: boolean) => void = () => undefined;

  async function confirmed<T>(task: () => Promise<T>): Promise<T> {
    try {
      return await task();
    } catch (error) {
      if (!(error instanceof ApiError) || error.error !== 'sign_in_again') throw error;
      isAsked.value = true;
      if (!(await new Promise<boolean>((resolve) => (settled = resolve)))) throw error;
      return task();
    }
  }

  function settle(isConfirmed: boolean): void {
    isAsked.value = false;
    settled(isConfirmed);
  }

  return { isAsked, confirmed, settle };
}
