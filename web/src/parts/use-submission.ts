import { nextTick, reactive, ref, type Ref } from 'vue';
import { ApiError } from '../api/api-error';
import { useCountdown } from './use-countdown';

export type Problems<F extends string> = Partial<Record<F, string>>;

interface Options<F extends string> {
  form: Ref<HTMLElement | null>;
  /** What is wrong before anything is sent: field to the name of its problem. */
  check: () => Problems<F>;
  send: () => Promise<void>;
  /** Errors of the service that belong to one field. */
  fieldOf?: Partial<Record<string, F>>;
}

/** One form: checked, sent once at a time, its refusal shown where it belongs, the focus led there. */
export function useSubmission<F extends string>({ form, check, send, fieldOf = {} }: Options<F>) {
  const busy = ref(false);
  const problems = reactive<Record<string, string | undefined>>({});
  const refusal = ref<ApiError | null>(null);
  const { left: waiting, start: wait } = useCountdown();

  function show(found: Problems<F>): boolean {
    for (const field of Object.keys(problems)) delete problems[field];
    Object.assign(problems, found);
    return Object.keys(found).length > 0;
  }

  async function leadToProblem(): Promise<void> {
    await nextTick();
    form.value?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }

  function refused(error: ApiError): void {
    const field = fieldOf[error.error];
    if (field) show({ [field]: error.error } as Problems<F>);
    else if (error.details.length > 0)
      show(
        Object.fromEntries(
          error.details.map((detail) => [detail.field, detail.field]),
        ) as Problems<F>,
      );
    if (!field) refusal.value = error;
    if (error.retryAfter) wait(error.retryAfter);
  }

  async function submit(): Promise<void> {
    if (busy.value || waiting.value > 0) return;
    refusal.value = null;
    if (show(check())) return leadToProblem();
    busy.value = true;
    try {
      await send();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      refused(error);
      await leadToProblem();
    } finally {
      busy.value = false;
    }
  }

  return { busy, problems, refusal, waiting, submit, refused };
}
