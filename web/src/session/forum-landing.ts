import { localPath } from './local-path';

export interface ForumLanding {
  ticket: string | null;
  linked: boolean;
  returnTo: string;
  error: string | null;
}

let waiting: ForumLanding | undefined;

/** Takes the forum's answer out of the address bar before anything can see, store or share it. */
export function takeLandingFromAddress(): void {
  const landing = readLanding(location.pathname, location.hash);
  if (!landing) return;
  waiting = landing;
  history.replaceState(null, '', location.pathname + location.search);
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

export function readLanding(path: string, hash: string): ForumLanding | undefined {
  const answer = new URLSearchParams(hash.replace(/^#/, ''));
  const ticket = answer.get('ticket');
  const error = answer.get('error');
  if (path !== '/signin' || (!ticket && !error)) return undefined;
  return {
    ticket,
    error: error && /^[a-z_]{1,40}$/.test(error) ? error : error && 'internal_error',
    linked: answer.get('linked') === '1',
    returnTo: localPath(answer.get('return_to')),
  };
}
