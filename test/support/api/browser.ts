interface Cookie {
  host: string;
  name: string;
  value: string;
  path: string;
  secure: boolean;
  expiresAt: number;
}

export interface Page {
  url: URL;
  status: number;
  headers: Headers;
  text: string;
  location?: string;
}

/** Handles redirects, forms and cookies as a login through another site requires. */
export class Browser {
  readonly cookies: Cookie[] = [];

  /** `hosts` maps public origins to the addresses that serve them. */
  constructor(private readonly hosts: Record<string, string> = {}) {}

  async visit(address: string, form?: Record<string, string>, withoutForm = 'GET'): Promise<Page> {
    const url = new URL(address);
    const response = await fetch(
      (this.hosts[url.origin] ?? url.origin) + url.pathname + url.search,
      {
        method: form ? 'POST' : withoutForm,
        redirect: 'manual',
        headers: { Cookie: this.cookieHeader(url) },
        body: form && new URLSearchParams(form),
      },
    );
    for (const header of response.headers.getSetCookie()) this.store(url, header);
    const location = response.headers.get('location');
    return {
      url,
      status: response.status,
      headers: response.headers,
      text: await response.text(),
      location: location === null ? undefined : new URL(location, url).href,
    };
  }

  /** Follows redirects and returns the first URL that starts with `end` without visiting it. */
  async follow(
    start: string,
    end: string,
    fillIn?: (page: Page) => Promise<Page>,
  ): Promise<string> {
    let visit = await this.visit(start);
    for (let step = 0; step < 20; step++) {
      if (visit.location?.startsWith(end)) return visit.location;
      if (visit.location) visit = await this.visit(visit.location);
      else if (fillIn && visit.status === 200) visit = await fillIn(visit);
      else break;
    }
    throw new Error(`The browser got stuck at ${visit.url.href} (${visit.status})\n${visit.text}`);
  }

  private cookieHeader({ hostname, pathname, protocol }: URL): string {
    return this.cookies
      .filter(({ host, path }) => host === hostname && isWithin(pathname, path))
      .filter(
        ({ secure, expiresAt }) => (!secure || protocol === 'https:') && expiresAt > Date.now(),
      )
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
  }

  private store({ hostname: host }: URL, header: string): void {
    const [pair = '', ...attributes] = header.split(';').map((part) => part.trim());
    const name = pair.slice(0, pair.indexOf('='));
    const value = pair.slice(pair.indexOf('=') + 1);
    const given = new Map(
      attributes.map((attribute) => {
        const [key = '', ...rest] = attribute.split('=');
        return [key.toLowerCase(), rest.join('=')];
      }),
    );
    const path = given.get('path') ?? '/';
    const expiresAt = given.has('max-age')
      ? Date.now() + Number(given.get('max-age')) * 1000
      : Date.parse(given.get('expires') ?? '9999-01-01');
    const same = this.cookies.findIndex(
      (cookie) => cookie.host === host && cookie.name === name && cookie.path === path,
    );
    if (same >= 0) this.cookies.splice(same, 1);
    if (expiresAt > Date.now())
      this.cookies.push({ host, name, value, path, secure: given.has('secure'), expiresAt });
  }
}

function isWithin(pathname: string, path: string): boolean {
  return pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`);
}
