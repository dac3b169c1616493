import { ref, watch } from 'vue';
import { ApiError } from '../api/api-error';
import { IS_SAME_ORIGIN, post } from '../api/client';
import { session } from './session';
import { useConfigNow } from './use-config';

/** Marks a sign-out that the service may not have heard of: the cookie must not sign in again. */
const LEAVING_KEY = 'gatehouse-leaving';
const CHANNEL = 'gatehouse-session';

/** Whether the player wants to stay signed in: the same on all sign-in forms. */
export const wantsToStay = ref(false);

let asked: Promise<boolean> | undefined;
// The service has said that there is no cookie that it knows.
let isRefused = false;
let channel: BroadcastChannel | undefined;

/** What to send along with a sign-in. */
export function staying() {
  return { remember: wantsToStay.value || undefined };
}

/** Exchanges the cookie, if there is one, for a token. The same answer for all who ask at once. */
export function restore(): Promise<boolean> {
  asked ??= refresh().finally(() => (asked = undefined));
  return asked;
}

/** Signs out here, in the other tabs of this browser, and at the service. */
export function signOut(): void {
  const { account } = session;
  leave();
  // A channel, unlike a window, takes no origin: it is that of this page alone.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  channel?.postMessage({ signedOut: account });
}

/** A sign-out in one tab is one in all, but for those where another account plays. */
export function followOtherTabs(): void {
  if ('BroadcastChannel' in window) channel = new BroadcastChannel(CHANNEL);
  channel?.addEventListener('message', ({ data }: MessageEvent<{ signedOut?: string }>) => {
    if (!session.account || data.signedOut !== session.account) return;
    leave();
    session.ended = 'signed_out_elsewhere';
  });
  watch(
    () => session.token,
    (token) => {
      if (!token) return;
      isRefused = false;
      noteLeaving(false);
    },
    { flush: 'sync' },
  );
}

async function refresh(): Promise<boolean> {
  const { token, account } = session;
  if (isRefused || !(await mayHaveCookie())) return false;
  if (isLeaving()) {
    tellSignOut(null);
    return false;
  }
  try {
    const answer = await post('/api/session/refresh', undefined, { signed: false, cookie: true });
    // Somebody has signed in or out meanwhile; or the cookie is another account's, of another tab.
    if (session.token !== token) return session.isFresh();
    if (account !== null && answer.account !== account) return false;
    session.begin(answer, session.serverId);
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    isRefused = error.error === 'session_ended';
    return false;
  }
}

function leave(): void {
  const { token } = session;
  isRefused = true;
  session.end();
  noteLeaving(true);
  tellSignOut(token);
}

function tellSignOut(token: string | null): void {
  void mayHaveCookie()
    .then((cookie) =>
      post('/api/logout', undefined, {
        signed: false,
        cookie,
        headers: token ? { Authorization: `Bearer ${token}` } : {},
      }),
    )
    .then(
      () => noteLeaving(false),
      // An answer, whatever it says, means that the cookie is of no use any more.
      ({ error }: ApiError) => error === 'unauthorized' && noteLeaving(false),
    );
}

async function mayHaveCookie(): Promise<boolean> {
  if (IS_SAME_ORIGIN) return true;
  const { config, loadConfig } = useConfigNow();
  if (!config.value) await loadConfig();
  return config.value?.remember.enabled ?? false;
}

function isLeaving(): boolean {
  try {
    return localStorage.getItem(LEAVING_KEY) !== null;
  } catch {
    return false;
  }
}

function noteLeaving(is: boolean): void {
  try {
    if (is) localStorage.setItem(LEAVING_KEY, '1');
    else localStorage.removeItem(LEAVING_KEY);
  } catch {
    // Where storage is blocked, a sign-out without network lasts for this page.
  }
}
