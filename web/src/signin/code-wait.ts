import { computed, inject, type InjectionKey, provide, ref } from 'vue';
import { useCountdown } from '../parts/use-countdown';

/**
 * Holds the e-mail address to which a code was sent, and the time until the next code can be sent. All forms on
 * the page share this state.
 */
function createCodeWait() {
  const { left, start } = useCountdown();
  const sentTo = ref('');
  const waitsFor = ref('');
  return {
    sentTo,
    /** The countdown belongs to one e-mail address, so correcting a mistyped address ends the wait. */
    leftFor: (mailbox: string) => (waitsFor.value === mailbox ? left.value : 0),
    wait(mailbox: string, seconds: number): void {
      waitsFor.value = mailbox;
      start(seconds);
    },
    isRunning: computed(() => left.value > 0),
  };
}

type CodeWait = ReturnType<typeof createCodeWait>;
const KEY: InjectionKey<CodeWait> = Symbol('code wait');

export function provideCodeWait(): void {
  provide(KEY, createCodeWait());
}

/** Returns the page's wait, or a new wait if the page has none. */
export function useCodeWait(): CodeWait {
  return inject(KEY, createCodeWait, true);
}
