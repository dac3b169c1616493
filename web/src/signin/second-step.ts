import { shallowRef } from 'vue';
import { ApiError, type SecondStep } from '../api/api-error';

interface OpenStep extends SecondStep {
  done: (answer: unknown) => void;
  leave: (reason?: ApiError) => void;
}

export const openStep = shallowRef<OpenStep | null>(null);

/** Returns the response to a sign-in, after the second step if the account has one. */
export async function withSecondStep<T>(signIn: () => Promise<T>): Promise<T> {
  try {
    return await signIn();
  } catch (error) {
    if (!(error instanceof ApiError) || !error.step) throw error;
    const { step } = error;
    return new Promise<T>((resolve, reject) => {
      const close = () => (openStep.value = null);
      openStep.value = {
        ...step,
        done: (answer) => (close(), resolve(answer as T)),
        leave: (reason = error) => (close(), reject(reason)),
      };
    });
  }
}
