import { computed, inject, type InjectionKey, provide, ref } from 'vue';
import { useCountdown } from '../parts/use-countdown';

/** To which mailbox a code was sent, and how long until the next: the same for all forms on the page. */
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

/** That of the page, or one of its own where the page has none. */
export function useCodeWait(): CodeWait {
  return inject(KEY, createCodeWait, true);
}
