import { ref } from 'vue';

interface Greeting {
  key: string;
  values: Record<string, string>;
}

const waiting = ref<Greeting | null>(null);

/** A message set on one page and shown on the next. */
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
