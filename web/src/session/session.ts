import { computed, reactive, ref } from 'vue';
import { readClaims } from './token';

const TOKEN_KEY = 'CQ-TOKEN';
const ZONE_KEY = 'CQ-ZONE';

const token = ref(sessionStorage.getItem(TOKEN_KEY));
const zoneId = ref(Number(sessionStorage.getItem(ZONE_KEY)) || null);
const claims = computed(() => (token.value ? readClaims(token.value) : undefined));
/** Why the last session ended without the player's doing, until the next one begins. */
const ended = ref<string | null>(null);

/** Who plays in this tab. The token is kept here, in session storage, and nowhere else. */
export const session = reactive({
  token,
  zoneId,
  ended,
  account: computed(() => claims.value?.account ?? null),

  /** False also for a token that ran out while the tab lay in the background: that session is ended here. */
  isAlive(): boolean {
    if (!token.value) return false;
    if (claims.value && claims.value.exp * 1000 > Date.now()) return true;
    this.endBecause('unauthorized');
    return false;
  },

  begin(newToken: string, lastZoneId: number | null): void {
    token.value = newToken;
    sessionStorage.setItem(TOKEN_KEY, newToken);
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
    this.rememberZone(null);
  },

  endBecause(reason: string): void {
    this.end();
    ended.value = reason;
  },
});
