/** Where to go after the sign-in: a path of this desk, whatever the address says. */
export function localPath(wish: unknown): string {
  if (typeof wish !== 'string' || !/^\/(?![/\\])/.test(wish)) return '/';
  return wish.startsWith('/sign-in') ? '/' : wish;
}
