import { computed, reactive, ref } from 'vue';
import type { Ban } from '../api/api-error';
import type { Data } from '../api/contract';
import { lifetime } from './lifetime';
import { readAccount } from './token';

const TOKEN_KEY = 'CQ-TOKEN';
const SERVER_KEY = 'CQ-SERVER';

type Issued = Pick<Data<'/api/login', 'post'>, 'token' | 'expires_in'>;

const token = ref(sessionStorage.getItem(TOKEN_KEY));
const serverId = ref(Number(sessionStorage.getItem(SERVER_KEY)) || null);
const account = computed(() => (token.value ? (readAccount(token.value) ?? null) : null));
/**
 * Holds the reason why the last session ended, unless the player signed out. The next session clears the reason.
 */
const ended = ref<string | null>(null);
const endedByBan = ref<Ban | null>(null);

/** Holds this tab's player. Only session storage keeps the token. */
export const session = reactive({
  token,
  serverId,
  ended,
  endedByBan,
  account,

  /** Ends the session if its token has expired, for example while the tab was in the background. */
  isAlive(): boolean {
    if (!token.value) return false;
    if (this.isFresh()) return true;
    this.endBecause('unauthorized');
    return false;
  },

  isFresh(): boolean {
    return account.value !== null && !lifetime.isOver();
  },

  begin(answer: Issued, lastServerId: number | null): void {
    token.value = answer.token;
    sessionStorage.setItem(TOKEN_KEY, answer.token);
    lifetime.start(answer.expires_in);
    ended.value = null;
    this.rememberServer(lastServerId);
  },

  /** Returns the session for another tab of this browser. */
  handOver() {
    return {
      account: account.value!,
      token: token.value!,
      expires_in: lifetime.secondsLeft(),
      server_id: serverId.value,
    };
  },

  rememberServer(id: number | null): void {
    serverId.value = id;
    if (id === null) sessionStorage.removeItem(SERVER_KEY);
    else sessionStorage.setItem(SERVER_KEY, String(id));
  },

  end(): void {
    token.value = null;
    sessionStorage.removeItem(TOKEN_KEY);
    lifetime.forget();
    this.rememberServer(null);
  },

  endBecause(reason: string, ban?: Ban): void {
    this.end();
    ended.value = reason;
    endedByBan.value = ban ?? null;
  },
});
