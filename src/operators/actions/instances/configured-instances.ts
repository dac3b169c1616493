import type { Environment } from '../../../platform/config/environment.js';
import type { SettingsValues } from '../../../platform/config/settings.schema.js';
import { instanceUrl } from '../../../platform/config/host-list-url.js';

const LOOPBACK_OF_WILDCARD: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };

export interface Instance {
  /** The name is null for the instance on this host, which is used if none is configured. */
  name: string | null;
  url: string;
}

/** Returns the instances in the setting `desk.instances`, or the instance on this host if there are none. */
export function configuredInstances(
  { HOST, PORT }: Pick<Environment, 'HOST' | 'PORT'>,
  { desk }: Pick<SettingsValues, 'desk'>,
): Instance[] {
  const urls = [...new Set(desk.instances.flatMap((entry) => instanceUrl(entry) ?? []))];
  if (urls.length > 0) return urls.map((url) => ({ name: new URL(url).host, url }));
  if (PORT === 0) return [];
  const host = LOOPBACK_OF_WILDCARD[HOST] ?? (HOST.includes(':') ? `[${HOST}]` : HOST);
  return [{ name: null, url: `http://${host}:${PORT}` }];
}
