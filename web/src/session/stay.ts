import { ref, watch } from 'vue';
import { ApiError } from '../api/api-error';
import { IS_SAME_ORIGIN, post } from '../api/client';
import { announceSignOut, askOtherTabs, openChannel } from './other-tabs';
import { session } from './session';
import { useConfigNow } from './use-config';

/** Marks a sign-out that the service may not have heard of: the cookie must not sign in again. */
const LEAVING_KEY = 'gatehouse-leaving';

/** Whether the player wants to stay signed in: the same on all sign-in forms. */
export const wantsToStay = ref(false);

let asked: Promise<boolean> | undefined;
// The service has said that it knows no such cookie.
let isRefused = false;
// Only a newly opened tab takes over a session, not one in which somebody signed out.
let isNewTab = session.token === null;

/** What to send with a sign-in. */
export function staying() {
  return { remember: wantsToStay.value || undefined };
}

/** Gets a token from another tab, or with the cookie if there is one. Concurrent callers share the answer. */
export function restore(): Promise<boolean> {
  asked ??= takeOver()
    .then((isIn) => isIn || refresh())
    .finally(() => (asked = undefined));
  return asked;
}

async function takeOver(): Promise<boolean> {
  if (!isNewTab) return false;
  isNewTab = false;
  const handed = await askOtherTabs();
  // Somebody may have signed in meanwhile.
  if (!handed || session.token) return session.isFresh();
  session.begin(handed, handed.server_id);
  return true;
}

/** Signs out here, in the other tabs of this browser, and at the service. */
export function signOut(): void {
  const { account } = session;
  leave();
  if (account) announceSignOut(account);
}

/** A sign-out in one tab signs out all tabs with the same account. */
export function followOtherTabs(): void {
  openChannel((account) => {
    if (account !== session.account) return;
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
    // Somebody has signed in or out meanwhile; or the cookie belongs to another tab's account.
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
      // Any answer means that the cookie is no longer usable.
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
