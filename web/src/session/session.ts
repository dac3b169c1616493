import { computed, reactive, ref } from 'vue';
import type { Data } from '../api/contract';
import { lifetime } from './lifetime';
import { readAccount } from './token';

const TOKEN_KEY = 'CQ-TOKEN';
const ZONE_KEY = 'CQ-ZONE';

type Issued = Pick<Data<'/api/login', 'post'>, 'token' | 'expires_in'>;

const token = ref(sessionStorage.getItem(TOKEN_KEY));
const zoneId = ref(Number(sessionStorage.getItem(ZONE_KEY)) || null);
const account = computed(() => (token.value ? (readAccount(token.value) ?? null) : null));
/** Why the last session ended, unless the player signed out. Cleared when the next one begins. */
const ended = ref<string | null>(null);

/** Who plays in this tab. The token is stored in session storage and nowhere else. */
export const session = reactive({
  token,
  zoneId,
  ended,
  account,

  /** Ends the session if its token expired, for example while the tab was in the background. */
  isAlive(): boolean {
    if (!token.value) return false;
    if (this.isFresh()) return true;
    this.endBecause('unauthorized');
    return false;
  },

  isFresh(): boolean {
    return account.value !== null && !lifetime.isOver();
  },

  begin(answer: Issued, lastZoneId: number | null): void {
    token.value = answer.token;
    sessionStorage.setItem(TOKEN_KEY, answer.token);
    lifetime.start(answer.expires_in);
    ended.value = null;
    this.rememberZone(lastZoneId);
  },

  rememberZone(id: number | null): void {
    zoneId.value = id;
    if (id === null) sessionStorage.removeItem(ZONE_KEY);
    else sessionStorage.setItem(ZONE_KEY, String(id));
  },

  end(): void {
    token.value = null;
    sessionStorage.removeItem(TOKEN_KEY);
    lifetime.forget();
    this.rememberZone(null);
  },

  endBecause(reason: string): void {
    this.end();
    ended.value = reason;
  },
});
