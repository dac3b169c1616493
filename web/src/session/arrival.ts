import { ref } from 'vue';

interface Greeting {
  key: string;
  values: Record<string, string>;
}

const waiting = ref<Greeting | null>(null);

/** A word said on one page and read on the next. */
export const arrival = {
  say(key: string, values: Record<string, string> = {}): void {
    waiting.value = { key, values };
  },

  take(): Greeting | null {
    const greeting = waiting.value;
    waiting.value = null;
    return greeting;
  },
};
