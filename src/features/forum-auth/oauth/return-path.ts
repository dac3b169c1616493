const MAX_LENGTH = 512;
export const HOME = '/';

// An allow list, because nobody can list everything that browsers and proxies treat as another site's address: plain
// segments, none empty or made of dots only, then a query and a fragment in ordinary characters.
const LOCAL_PATH =
  /^(?:\/|(?:\/[\w~-][\w.~-]*)+\/?)(?:\?[\w.~!$&'()*+,;=:@%/?-]*)?(?:#[\w.~!$&'()*+,;=:@%/?-]*)?$/;

/** The page of the front end to return to. Anything but a plain local path becomes the home page. */
export function safeReturnPath(requested: unknown): string {
  return typeof requested === 'string' &&
    requested.length <= MAX_LENGTH &&
    LOCAL_PATH.test(requested)
    ? requested
    : HOME;
}
