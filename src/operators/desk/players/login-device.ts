import { parseUserAgent } from '../../../features/sessions/device.js';

/** Of `login_event.device`. The user agent of an iPhone is cut within its last word, `Safari`. */
const STORED_LENGTH = 128;

/** The `User-Agent` of a sign-in as browser and system. What does not look like one stays as it is. */
export function parseLoginDevice(userAgent: unknown) {
  if (typeof userAgent !== 'string') return { device: userAgent };
  const isCut = userAgent.length >= STORED_LENGTH;
  const parsed = parseUserAgent(isCut ? `${userAgent} Safari` : userAgent);
  return parsed.os || parsed.browse ? parsed : { device: userAgent };
}
