export interface Device {
  device?: string | null;
  os?: string | null;
  browse?: string | null;
}

const MAX_LENGTH = 64;
const MAX_USER_AGENT_LENGTH = 512;

const SYSTEMS: [RegExp, string][] = [
  [/Windows NT ([\d.]+)/, 'Windows'],
  [/(?:iPhone|CPU) OS ([\d_]+)/, 'iOS'],
  [/Android ([\d.]+)/, 'Android'],
  [/HarmonyOS ?([\d.]*)/, 'HarmonyOS'],
  [/Mac OS X ([\d_]+)/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

// Order matters: most user agents also name the browsers further down.
const BROWSERS: [RegExp, string][] = [
  [/MicroMessenger\/([\d.]+)/, 'WeChat'],
  [/QQBrowser\/([\d.]+)/, 'QQ Browser'],
  [/Edg(?:e|A|iOS)?\/([\d.]+)/, 'Edge'],
  [/OPR\/([\d.]+)/, 'Opera'],
  [/(?:Firefox|FxiOS)\/([\d.]+)/, 'Firefox'],
  [/(?:Chrome|CriOS)\/([\d.]+)/, 'Chrome'],
  [/Version\/([\d.]+).*Safari/, 'Safari'],
];

// No dots in the name: the mail about a new device must not contain an address chosen by a stranger.
const PRODUCT = /^[A-Za-z][\w-]*\/[\d.]+/;

/** Device, system and browser from the `User-Agent`, in the words that the front end uses when registering. */
export function parseUserAgent(userAgent: string | undefined): Device {
  if (!userAgent) return {};
  const text = userAgent.slice(0, MAX_USER_AGENT_LENGTH);
  return {
    device: deviceKind(text),
    os: firstMatch(SYSTEMS, text),
    browse: firstMatch(BROWSERS, text) ?? sanitize(PRODUCT.exec(text)?.[0] ?? ''),
  };
}

/** Readable for people. */
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

/** Printable ASCII only: it is shown to people, also in mails. */
function sanitize(text: string): string | undefined {
  return (
    text
      .replaceAll(/[^ -~]/g, '')
      .trim()
      .slice(0, MAX_LENGTH) || undefined
  );
}
