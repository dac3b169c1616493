/**
 * Returns a path on this site. The home page replaces the sign-in page and any value that could lead to another
 * site.
 */
export function localPath(wish: unknown): string {
  if (typeof wish !== 'string' || !/^\/(?![/\\])/.test(wish)) return '/';
  try {
    const { origin, pathname, search } = new URL(wish, 'http://here.invalid');
    // Resolving dot segments may leave two leading slashes, which a browser reads as the host name of another
    // site.
    const leadsBack = origin === 'http://here.invalid' && !/^\/(\/|sign-?in)/.test(pathname);
    return leadsBack ? pathname + search : '/';
  } catch {
    return '/';
  }
}
