import { localPath } from 'gatehouse-ui/local-path';

/** Accepts only paths of the desk, although the service itself writes them. */
export function needLink(link: string): string {
  return localPath(link);
}
