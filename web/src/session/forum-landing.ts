import { localPath } from 'gatehouse-ui/local-path';
import { newKey } from './new-key';

const NONCE_KEY = 'CQ-FORUM-NONCE';
const LANDING_KEY = 'CQ-FORUM-LANDING';
const LINK_KEY = 'CQ-FORUM-LINK';

export interface ForumLanding {
  ticket: string | null;
  nonce: string | null;
  linked: boolean;
  /** The person's name at the forum, if known. */
  name: string | null;
  returnTo: string;
  error: string | null;
}

let waiting: ForumLanding | undefined;

/** Creates this tab's nonce. Only an answer of the forum that carries it is accepted. */
export function expectLanding(linkTo?: string): string {
  const nonce = newKey();
  sessionStorage.setItem(NONCE_KEY, nonce);
  if (linkTo === undefined) sessionStorage.removeItem(LINK_KEY);
  else sessionStorage.setItem(LINK_KEY, linkTo);
  return nonce;
}

/** The account that the player asked to link before leaving for the forum. */
export function accountToLink(): string | null {
  return sessionStorage.getItem(LINK_KEY);
}

/** Removes the forum's answer from the address bar, so that it cannot be shared or logged. */
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

/** The answer that this page was opened with. Can be taken once. */
export function takeLanding(): ForumLanding | undefined {
  const landing = waiting;
  waiting = undefined;
  return landing;
}

export function hasLanding(): boolean {
  return waiting !== undefined;
}

/** Called once the answer is used or abandoned. Until then it survives a reload. */
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
 * Accepts only the answer to a request of this tab (login CSRF): another one's ticket may belong to an attacker who wants
 * their forum identity linked to the victim's account.
 */
export function ownLanding(landing: ForumLanding, nonce: string | null): ForumLanding {
  if (nonce !== null && landing.nonce === nonce) return landing;
  // The service sends no nonce when it no longer knows the login, usually because it timed out.
  const error = landing.ticket ? 'foreign_landing' : 'oauth_state_invalid';
  return { ticket: null, nonce: null, linked: false, name: null, returnTo: '/', error };
}

function takeUpAfterReload(path: string): void {
  waiting = readLanding(path, sessionStorage.getItem(LANDING_KEY) ?? '');
  if (!waiting) forgetLanding();
}
