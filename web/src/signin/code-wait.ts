import { computed, inject, type InjectionKey, provide, ref } from 'vue';
import { useCountdown } from '../parts/use-countdown';

/** The mailbox to which a code was sent, and the time until the next: shared by all forms on the page. */
function createCodeWait() {
  const { left, start } = useCountdown();
  const sentTo = ref('');
  const waitsFor = ref('');
  return {
    sentTo,
    /** The countdown belongs to one mailbox: correcting a mistyped address ends the wait. */
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

/** The page's, or a new one if the page has none. */
export function useCodeWait(): CodeWait {
  return inject(KEY, createCodeWait, true);
}
