import { localPath } from 'gatehouse-ui/local-path';
import { newKey } from './new-key';

const NONCE_KEY = 'CQ-FORUM-NONCE';
const LANDING_KEY = 'CQ-FORUM-LANDING';
const LINK_KEY = 'CQ-FORUM-LINK';

export interface ForumLanding {
  ticket: string | null;
  nonce: string | null;
  linked: boolean;
  name: string | null;
  returnTo: string;
  error: string | null;
}

let waiting: ForumLanding | undefined;

/** Creates this tab's nonce. The tab accepts only a forum response with this nonce. */
export function expectLanding(linkTo?: string): string {
  const nonce = newKey();
  sessionStorage.setItem(NONCE_KEY, nonce);
  if (linkTo === undefined) sessionStorage.removeItem(LINK_KEY);
  else sessionStorage.setItem(LINK_KEY, linkTo);
  return nonce;
}

/** Returns the account that the player asked to link before leaving for the forum. */
export function accountToLink(): string | null {
  return sessionStorage.getItem(LINK_KEY);
}

/** Removes the forum's response from the address bar, so that it is not shared or logged. */
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

/** Returns the forum's response with which this page was opened. Further calls return undefined. */
export function takeLanding(): ForumLanding | undefined {
  const landing = waiting;
  waiting = undefined;
  return landing;
}

export function hasLanding(): boolean {
  return waiting !== undefined;
}

/** Deletes the forum's response once it is used or abandoned. Until then it survives a reload. */
export function forgetLanding(): void {
  sessionStorage.removeItem(LANDING_KEY);
  sessionStorage.removeItem(LINK_KEY);
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
    name: answer.get('name'),
    returnTo: localPath(answer.get('return_to')),
  };
}

/**
 * Accepts only the response to this tab's own request, to prevent login CSRF. Any other ticket may come from an
 * attacker who wants to link their forum identity to the victim's account.
 */
export function ownLanding(landing: ForumLanding, nonce: string | null): ForumLanding {
  if (nonce !== null && landing.nonce === nonce) return landing;
  // The service sends no nonce if it no longer knows the login, usually because the login timed out.
  const error = landing.ticket ? 'foreign_landing' : 'oauth_state_invalid';
  return { ticket: null, nonce: null, linked: false, name: null, returnTo: '/', error };
}

function takeUpAfterReload(path: string): void {
  waiting = readLanding(path, sessionStorage.getItem(LANDING_KEY) ?? '');
  if (!waiting) forgetLanding();
}
