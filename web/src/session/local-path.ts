/** A path of this site to go back to; anything that could lead elsewhere becomes the home page. */
export function localPath(wish: unknown): string {
  if (typeof wish !== 'string' || !/^\/(?![/\\])/.test(wish)) return '/';
  try {
    const { origin, pathname, search } = new URL(wish, 'http://here.invalid');
    // Taking out the dots may leave two slashes in front: the address of another site.
    const leadsBack = origin === 'http://here.invalid' && !/^\/(\/|signin)/.test(pathname);
    return leadsBack ? pathname + search : '/';
  } catch {
    return '/';
  }
}
