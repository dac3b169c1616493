import { computed, nextTick, reactive, ref, type Ref, watch } from 'vue';
import { ApiError } from '../api/api-error';
import { useCountdown } from './use-countdown';

export type Problems<F extends string> = Partial<Record<F, string>>;

interface Options<F extends string> {
  form: Ref<HTMLElement | null>;
  /** Returns the name of a problem for each invalid field. */
  check: () => Problems<F>;
  send: () => Promise<void>;
  /** Maps errors of the service to the field that shows them. */
  fieldOf?: Partial<Record<string, F>>;
  /** Returns the account that the form is about. A lock of one account must not affect another account. */
  about?: () => string;
}

/**
 * Checks a form, prevents concurrent submissions, shows each problem at its field, and focuses the first problem.
 */
export function useSubmission<F extends string>({
  form,
  check,
  send,
  fieldOf = {},
  about = () => '',
}: Options<F>) {
  const busy = ref(false);
  const problems = reactive<Record<string, string | undefined>>({});
  const refusal = ref<ApiError | null>(null);
  const { left, start: wait } = useCountdown();
  /** Null means that the wait applies to every account. */
  const lockedAccount = ref<string | null>(null);
  const waiting = computed(() =>
    lockedAccount.value === null || lockedAccount.value === about() ? left.value : 0,
  );

  // When a field is edited, its problem disappears, and so does a refusal without a waiting time.
  watch(form, (element) => element?.addEventListener('input', edited));

  function edited({ target }: Event): void {
    delete problems[(target as HTMLInputElement).name];
    if (waiting.value === 0) refusal.value = null;
  }

  function show(found: Problems<F>): boolean {
    for (const field of Object.keys(problems)) delete problems[field];
    Object.assign(problems, found);
    return Object.keys(found).length > 0;
  }

  async function leadToProblem(): Promise<void> {
    await nextTick();
    form.value?.querySelector<HTMLElement>('[aria-invalid="true"], [role=alert] a')?.focus();
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
    lockedAccount.value = error.error === 'login_throttled' ? about() : null;
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
