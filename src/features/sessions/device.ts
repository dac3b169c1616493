export interface Device {
  device?: string | null;
  os?: string | null;
  browse?: string | null;
}

const MAX_LENGTH = 64;
const MAX_USER_AGENT_LENGTH = 512;
/** `login_event.device` has this length, which truncates an iPhone's user agent within the last word, `Safari`. */
const STORED_LENGTH = 128;

const SYSTEMS: [RegExp, string][] = [
  [/Windows NT ([\d.]+)/, 'Windows'],
  [/(?:iPhone|CPU) OS ([\d_]+)/, 'iOS'],
  [/Android ([\d.]+)/, 'Android'],
  [/HarmonyOS ?([\d.]*)/, 'HarmonyOS'],
  [/Mac OS X ([\d_]+)/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

// The order matters, because most user agents also contain names from further down this list.
const BROWSERS: [RegExp, string][] = [
  [/MicroMessenger\/([\d.]+)/, 'WeChat'],
  [/QQBrowser\/([\d.]+)/, 'QQ Browser'],
  [/Edg(?:e|A|iOS)?\/([\d.]+)/, 'Edge'],
  [/OPR\/([\d.]+)/, 'Opera'],
  [/(?:Firefox|FxiOS)\/([\d.]+)/, 'Firefox'],
  [/(?:Chrome|CriOS)\/([\d.]+)/, 'Chrome'],
  [/Version\/([\d.]+).*Safari/, 'Safari'],
];

// The name contains no dots, because the e-mail about a new device must not contain a URL chosen by a stranger.
const PRODUCT = /^[A-Za-z][\w-]*\/[\d.]+/;

/** Returns device, operating system and browser in the same words that the front end uses for registrations. */
export function parseUserAgent(userAgent: string | undefined): Device {
  if (!userAgent) return {};
  const text = userAgent.slice(0, MAX_USER_AGENT_LENGTH);
  return {
    device: deviceKind(text),
    os: firstMatch(SYSTEMS, text),
    browse: firstMatch(BROWSERS, text) ?? sanitize(PRODUCT.exec(text)?.[0] ?? ''),
  };
}

/** Splits the stored device of a sign-in into device, system and browser. Other text stays unchanged. */
export function parseLoginDevice(stored: unknown): Device {
  if (typeof stored !== 'string') return { device: null };
  // At registration, the front end sends these three values.
  const [device, os, browse, ...more] = stored.split(', ');
  if (browse !== undefined && more.length === 0 && !stored.includes('/'))
    return { device, os, browse };
  const isCut = stored.length >= STORED_LENGTH;
  const parsed = parseUserAgent(isCut ? `${stored} Safari` : stored);
  return parsed.os || parsed.browse ? parsed : { device: stored };
}

export function describeDevice({ device, os, browse }: Device): string {
  return [browse, os, device].filter(Boolean).join(', ') || '?';
}

function deviceKind(userAgent: string): string | undefined {
  if (/iPad|Tablet/.test(userAgent)) return 'tablet';
  if (/Mobi|iPhone/.test(userAgent)) return 'phone';
  if (userAgent.includes('Android')) return 'tablet';
  return /Windows|Macintosh|X11|Linux|CrOS/.test(userAgent) ? 'desktop' : undefined;
}

function firstMatch(list: [RegExp, string][], userAgent: string): string | undefined {
  for (const [pattern, name] of list) {
    const match = pattern.exec(userAgent);
    if (match) return sanitize(`${name} ${(match[1] ?? '').replaceAll('_', '.')}`);
  }
  return undefined;
}

/** Keeps only printable ASCII, because the text appears in e-mails and in the front end. */
function sanitize(text: string): string | undefined {
  return (
    text
      .replaceAll(/[^ -~]/g, '')
      .trim()
      .slice(0, MAX_LENGTH) || undefined
  );
}
