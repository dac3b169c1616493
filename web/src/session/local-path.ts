/** A path of this site to go back to; anything that could lead elsewhere becomes the home page. */
export function localPath(wish: unknown): string {
  if (typeof wish !== 'string' || !/^\/(?![/\\])/.test(wish)) return '/';
  try {
    const { origin, pathname, search } = new URL(wish, 'http://here.invalid');
    const leadsBack = origin === 'http://here.invalid' && !pathname.startsWith('/signin');
    return leadsBack ? pathname + search : '/';
  } catch {
    return '/';
  }
}
