import { ref } from 'vue';

interface Greeting {
  key: string;
  values: Record<string, string>;
}

const waiting = ref<Greeting | null>(null);

/** Holds a message that one page sets and the next page shows. */
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
