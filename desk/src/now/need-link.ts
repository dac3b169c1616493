import { localPath } from 'gatehouse-ui/local-path';

/** Accepts only local paths of the desk, although the service itself creates the links. */
export function needLink(link: string): string {
  return localPath(link);
}
