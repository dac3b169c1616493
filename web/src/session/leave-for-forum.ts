import { forumAddress } from '../api/client';
import { expectLanding } from './forum-landing';

/** Use a button for this, because a link could be opened in another tab, which would reject the response. */
export function leaveForForum(returnTo: string, accountToLink?: string): void {
  location.assign(forumAddress(returnTo, expectLanding(accountToLink)));
}
