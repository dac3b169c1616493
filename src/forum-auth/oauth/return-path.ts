const LONGEST = 512;
export const HOME = '/';

// A list of what is allowed, since what browsers and proxies take for another site's address cannot all be listed:
// plain segments, none empty and none of dots, then a query and a fragment in ordinary characters.
const LOCAL_PATH =
  /^(?:\/|(?:\/[\w~-][\w.~-]*)+\/?)(?:\?[\w.~!$&'()*+,;=:@%/?-]*)?(?:#[\w.~!$&'()*+,;=:@%/?-]*)?$/;

/** The page of the front end to come back to; its home where the wish is not plainly one of its pages. */
export function returnPath(wish: unknown): string {
  return typeof wish === 'string' && wish.length <= LONGEST && LOCAL_PATH.test(wish) ? wish : HOME;
}
