import { forumAddress } from '../api/client';
import { expectLanding } from './forum-landing';

/** Called by buttons, not by links: a link may be opened in another tab, and the answer is taken only in this one. */
export function leaveForForum(returnTo: string): void {
  location.assign(forumAddress(returnTo, expectLanding()));
}
