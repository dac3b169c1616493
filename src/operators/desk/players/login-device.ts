import { parseUserAgent } from '../../../features/sessions/device.js';

/** The `User-Agent` of a sign-in as browser and system. What does not look like one stays as it is. */
export function parseLoginDevice(userAgent: unknown) {
  const parsed = typeof userAgent === 'string' ? parseUserAgent(userAgent) : {};
  return parsed.os || parsed.browse ? parsed : { device: userAgent };
}
