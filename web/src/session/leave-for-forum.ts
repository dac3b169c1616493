import { forumAddress } from '../api/client';
import { expectLanding } from './forum-landing';

/** For buttons, not links: a link could be opened in another tab, which would reject the answer. */
export function leaveForForum(returnTo: string, accountToLink?: string): void {
  location.assign(forumAddress(returnTo, expectLanding(accountToLink)));
}
