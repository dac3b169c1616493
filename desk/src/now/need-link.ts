import { localPath } from 'gatehouse-ui/local-path';

/** A path of the desk; the service writes it, but nothing else shall ever come of it. */
export function needLink(link: string): string {
  return localPath(link);
}
