import { ref, watch } from 'vue';
import { ApiError } from '../api/api-error';
import { IS_SAME_ORIGIN, post } from '../api/client';
import { announceSignOut, askOtherTabs, openChannel } from './other-tabs';
import { session } from './session';
import { useConfigNow } from './use-config';

/**
 * Marks a sign-out that the service may not have received, so that the cookie does not sign the player in again.
 */
const LEAVING_KEY = 'gatehouse-leaving';
/** Marks a browser that may have a cookie, which scripts cannot see. Other browsers need not ask for a token. */
const STAYING_KEY = 'gatehouse-staying';

/** All sign-in forms share this choice to stay signed in. */
export const wantsToStay = ref(false);

/** Returns whether the browser may have the cookie of a trusted device. A password sign-in then sends its cookies. */
export function mayBeTrusted(): boolean {
  return useConfigNow().config.value?.trust.enabled ?? IS_SAME_ORIGIN;
}

let asked: Promise<boolean> | undefined;
// After the service has rejected the cookie, or the player has signed out, the cookie is not used.
let isRefused = false;
// Only a newly opened tab takes over a session. A tab in which the player signed out does not.
let isNewTab = session.token === null;

/** Returns the fields to add to a sign-in request. */
export function staying() {
  if (wantsToStay.value) note(STAYING_KEY, true);
  return { remember: wantsToStay.value || undefined };
}

/** Gets a token from another tab, or with the cookie if there is one. Concurrent callers share the result. */
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
  // The player may have signed in meanwhile.
  if (!handed || session.token) return session.isFresh();
  session.begin(handed, handed.server_id);
  return true;
}

/** Signs out in this tab, in the browser's other tabs, and at the service. */
export function signOut(): void {
  const { account } = session;
  leave();
  if (account) announceSignOut(account);
}

/** Signs this tab out when another tab with the same account signs out. */
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
      note(LEAVING_KEY, false);
    },
    { flush: 'sync' },
  );
}

async function refresh(): Promise<boolean> {
  const { token, account } = session;
  if (isRefused || !isNoted(STAYING_KEY) || !(await mayHaveCookie())) return false;
  if (isNoted(LEAVING_KEY)) {
    tellSignOut(null);
    return false;
  }
  try {
    const answer = await post('/api/session/refresh', undefined, { signed: false, cookie: true });
    // The player signed in or out during the request, or the cookie belongs to another tab's account.
    if (session.token !== token) return session.isFresh();
    if (account !== null && answer.account !== account) return false;
    session.begin(answer, session.serverId);
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    isRefused = error.error === 'session_ended';
    if (isRefused) note(STAYING_KEY, false);
    return false;
  }
}

function leave(): void {
  const { token } = session;
  isRefused = true;
  session.end();
  note(LEAVING_KEY, true);
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
      () => note(LEAVING_KEY, false),
      // After this response, the cookie is no longer usable.
      ({ error }: ApiError) => error === 'unauthorized' && note(LEAVING_KEY, false),
    );
}

async function mayHaveCookie(): Promise<boolean> {
  if (IS_SAME_ORIGIN) return true;
  const { config, loadConfig } = useConfigNow();
  if (!config.value) await loadConfig();
  return config.value?.remember.enabled ?? false;
}

/** Without storage, assumes that the browser may have a cookie and that no earlier sign-out is pending. */
function isNoted(key: string): boolean {
  try {
    return localStorage.getItem(key) !== null;
  } catch {
    return key === STAYING_KEY;
  }
}

function note(key: string, is: boolean): void {
  try {
    if (is) localStorage.setItem(key, '1');
    else localStorage.removeItem(key);
  } catch {
    // Without storage, `isNoted` returns defaults.
  }
}
