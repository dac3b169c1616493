import { localPath } from './local-path';
import { newKey } from './new-key';

const NONCE_KEY = 'CQ-FORUM-NONCE';
const LANDING_KEY = 'CQ-FORUM-LANDING';

export interface ForumLanding {
  ticket: string | null;
  nonce: string | null;
  linked: boolean;
  returnTo: string;
  error: string | null;
}

let waiting: ForumLanding | undefined;

/** What this tab sets out with for the forum, and only an answer that brings it back is taken. */
export function expectLanding(): string {
  const nonce = newKey();
  sessionStorage.setItem(NONCE_KEY, nonce);
  return nonce;
}

/** Takes the forum's answer out of the address bar before anything can see or share it. */
export function takeLandingFromAddress(): void {
  const { pathname, search, hash } = location;
  const landing = readLanding(pathname, hash);
  if (!landing) return takeUpAfterReload(pathname);
  history.replaceState(null, '', pathname + search);
  waiting = ownLanding(landing, sessionStorage.getItem(NONCE_KEY));
  if (waiting !== landing) return;
  sessionStorage.removeItem(NONCE_KEY);
  sessionStorage.setItem(LANDING_KEY, hash);
}

/** The answer that this page was opened with. Given out once. */
export function takeLanding(): ForumLanding | undefined {
  const landing = waiting;
  waiting = undefined;
  return landing;
}

export function hasLanding(): boolean {
  return waiting !== undefined;
}

/** Once it is used or given up: until then, it is still there after a reload. */
export function forgetLanding(): void {
  sessionStorage.removeItem(LANDING_KEY);
}

export function readLanding(path: string, hash: string): ForumLanding | undefined {
  const answer = new URLSearchParams(hash.replace(/^#/, ''));
  const ticket = answer.get('ticket');
  const error = answer.get('error');
  if (path !== '/signin' || (!ticket && !error)) return undefined;
  return {
    ticket,
    nonce: answer.get('nonce'),
    error: error && /^[a-z_]{1,40}$/.test(error) ? error : error && 'internal_error',
    linked: answer.get('linked') === '1',
    returnTo: localPath(answer.get('return_to')),
  };
}

/**
 * The answer itself where this tab asked for it. Any other was made elsewhere: its ticket may be for the identity
 * of somebody who wants it linked to the account of whoever follows the link.
 */
export function ownLanding(landing: ForumLanding, nonce: string | null): ForumLanding {
  if (nonce !== null && landing.nonce === nonce) return landing;
  // The service itself tells no nonce where it knows nothing of the login, which has mostly taken too long.
  const error = landing.ticket ? 'foreign_landing' : 'oauth_state_invalid';
  return { ticket: null, nonce: null, linked: false, returnTo: '/', error };
}

function takeUpAfterReload(path: string): void {
  waiting = readLanding(path, sessionStorage.getItem(LANDING_KEY) ?? '');
  if (!waiting) forgetLanding();
}
