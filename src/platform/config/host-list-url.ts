import { readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { ConfigurationError } from './configuration-error.js';

export interface UrlHost {
  host: string;
  port: number;
}

const URL_PATTERN = /^([a-z+]+):\/\/(?:([^/?#]*)@)?([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/;
const HOST_PATTERN = /^(?:\[(.*)\]|([^:[\]]*))(?::(.*))?$/;

/**
 * Parses `scheme://user:password@host:port,host:port/path?name=value`, because `URL` accepts neither several hosts nor
 * an unencoded @ in a password. Each problem completes a sentence that begins with the variable's name, and does not
 * contain the password.
 */
export class HostListUrl {
  readonly problems: string[] = [];
  readonly scheme: string;
  readonly hosts: UrlHost[];
  readonly hasLogin: boolean;
  readonly user: string;
  readonly password: string;
  readonly path: string;
  readonly query: URLSearchParams;

  constructor(url: string, defaultPorts: Record<string, number>) {
    const [, scheme = '', login, hosts = '', path = '', query = ''] = URL_PATTERN.exec(url) ?? [];
    this.scheme = scheme;
    const schemes = Object.keys(defaultPorts).map((name) => `${name}://`);
    if (!Object.hasOwn(defaultPorts, scheme))
      this.fail([`must be a URL that starts with ${schemes.join(', ')}`]);
    this.hosts = hosts.split(',').map((host) => this.parseHost(host, defaultPorts[scheme]!));
    this.hasLogin = login !== undefined;
    const [user = '', ...password] = (login ?? '').split(':');
    this.user = this.decode(user, 'a user');
    this.password = this.decode(password.join(':'), 'a password');
    this.path = this.decode(path, 'a path');
    this.query = new URLSearchParams(query);
  }

  readFile(name: string): string | undefined {
    const file = this.query.get(name);
    if (file === null) return undefined;
    try {
      return readFileSync(file, 'utf8');
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      this.problems.push(`names a file that cannot be read: ${name}=${file} (${code})`);
      return undefined;
    }
  }

  refuseOtherParameters(known: string[]): void {
    for (const name of new Set(this.query.keys()))
      if (!known.includes(name)) this.problems.push(`has an unknown parameter: ${name}`);
      else if (this.query.getAll(name).length > 1) this.problems.push(`has ${name} twice`);
  }

  throwProblems(): void {
    if (this.problems.length > 0) this.fail(this.problems);
  }

  private fail(problems: string[]): never {
    throw new ConfigurationError('URL', problems);
  }

  private parseHost(text: string, defaultPort: number): UrlHost {
    const [, bracketed, name = '', port] = HOST_PATTERN.exec(text) ?? [];
    const host = bracketed ?? name;
    const isHost = bracketed === undefined ? /^[\w.-]+$/.test(host) : isIPv6(host);
    // The message does not quote the text, because the text is the password if the host is missing.
    if (text === '') this.problems.push('must name a host');
    else if (!isHost) this.problems.push('has an invalid host (IPv6 goes into brackets)');
    else if (port !== undefined && !isPort(port)) this.problems.push('has an invalid port');
    return { host, port: port === undefined ? defaultPort : Number(port) };
  }

  private decode(text: string, what: string): string {
    try {
      return decodeURIComponent(text);
    } catch {
      this.problems.push(`has ${what} with an invalid percent-encoding (write % as %25)`);
      return text;
    }
  }
}

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65535;
}

export function problemsOf(parse: () => unknown): string[] {
  try {
    parse();
    return [];
  } catch (error) {
    return (error as ConfigurationError).problems;
  }
}

/** Returns an instance's URL, even for `127.0.0.1:3001` without a scheme, or undefined if the text is invalid. */
export function instanceUrl(given: unknown): string | undefined {
  if (typeof given !== 'string') return undefined;
  const text = /^[\w.[\]:-]+:\d+$/.test(given) ? `http://${given}` : given;
  if (!/^https?:\/\/[^\s/]+\/?$/.test(text) || !URL.canParse(text)) return undefined;
  const { origin, username, password } = new URL(text);
  return username || password ? undefined : origin;
}
