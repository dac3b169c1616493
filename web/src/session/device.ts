const LONGEST = 64;

interface Device {
  device: string;
  os: string;
  browse: string;
}

interface BrowserHints {
  mobile: boolean;
  platform: string;
  brands: { brand: string; version: string }[];
}

export interface BrowserIdentity {
  userAgent: string;
  userAgentData?: BrowserHints;
}

const SYSTEMS: [RegExp, string][] = [
  [/Windows NT ([\d.]+)/, 'Windows'],
  [/(?:iPhone|CPU) OS ([\d_]+)/, 'iOS'],
  [/Android ([\d.]+)/, 'Android'],
  [/HarmonyOS ?([\d.]*)/, 'HarmonyOS'],
  [/Mac OS X ([\d_]+)/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

// The order matters, because most user agents also contain the names of browsers further down.
const BROWSERS: [RegExp, string][] = [
  [/MicroMessenger\/([\d.]+)/, 'WeChat'],
  [/QQBrowser\/([\d.]+)/, 'QQ Browser'],
  [/Edg(?:e|A|iOS)?\/([\d.]+)/, 'Edge'],
  [/OPR\/([\d.]+)/, 'Opera'],
  [/(?:Firefox|FxiOS)\/([\d.]+)/, 'Firefox'],
  [/(?:Chrome|CriOS)\/([\d.]+)/, 'Chrome'],
  [/Version\/([\d.]+).*Safari/, 'Safari'],
];

/** Returns the device, system and browser for a registration. */
export function describeDevice({ userAgent, userAgentData }: BrowserIdentity): Device {
  return {
    device: deviceOf(userAgent, userAgentData),
    os: firstMatch(SYSTEMS, userAgent) ?? short(userAgentData?.platform ?? 'unknown'),
    browse: firstMatch(BROWSERS, userAgent) ?? brandOf(userAgentData) ?? short(userAgent),
  };
}

function deviceOf(userAgent: string, hints?: BrowserHints): string {
  if (/iPad|Tablet|Android(?!.*Mobile)/.test(userAgent)) return 'tablet';
  return (hints?.mobile ?? /Mobi|iPhone/.test(userAgent)) ? 'phone' : 'desktop';
}

function firstMatch(list: [RegExp, string][], userAgent: string): string | undefined {
  for (const [pattern, name] of list) {
    const match = pattern.exec(userAgent);
    if (match) return short(`${name} ${(match[1] ?? '').replace(/_/g, '.')}`);
  }
  return undefined;
}

function brandOf(hints?: BrowserHints): string | undefined {
  const known = hints?.brands.find(({ brand }) => !/not.*brand/i.test(brand));
  return known && short(`${known.brand} ${known.version}`);
}

function short(text: string): string {
  return text.trim().slice(0, LONGEST) || 'unknown';
}
