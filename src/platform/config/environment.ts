import { dirname, join } from 'node:path';
import { type DatabaseTarget, parseDatabaseUrl } from './database-url.js';
import { EnvironmentSchema } from './environment.schema.js';

export interface ForumSettings {
  authorizeUrl: string;
  tokenUrl: string;
  userInfoUrl: string;
  clientId: string;
  clientSecret: string;
  scope?: string;
  /** This field of the user information, or the field at this path, identifies a person. */
  idField: string;
}

/** The sandbox's GM interface has this path. No other GM interface may use the service's own port. */
export const SANDBOX_GM_PATH = '/sandbox/gm/command';

/** Adds derived values to the environment variables. An empty variable counts as unset. */
export class Environment extends EnvironmentSchema {
  /** This is true only for commands, which must work with a broken settings file and then use the defaults. */
  startsWithRefusedSettings = false;

  /** Only the sandbox, which replaces the external systems, sets its URL. */
  sandboxUrl?: string;

  /** Returns true if `DATABASE_URL` is not set. The service then uses an embedded database and generated secrets. */
  get embedded(): boolean {
    return this.DATABASE_URL === undefined;
  }

  /**
   * Returns whether browsers treat the front end and the API as one site, and so send the service's cookies. The check
   * ignores the public suffix list, so two hosts under `co.uk` pass this check but not the browser's.
   */
  get frontEndIsSameSite(): boolean {
    const [front, api] = [new URL(this.FRONTEND_URL), new URL(this.PUBLIC_URL)];
    return front.protocol === api.protocol && siteOf(front) === siteOf(api);
  }

  get mailTemplates(): string {
    return join(dirname(this.AGREEMENT_FILE), 'mail');
  }

  get accountDatabase(): DatabaseTarget | undefined {
    return this.DATABASE_URL === undefined ? undefined : parseDatabaseUrl(this.DATABASE_URL);
  }

  get gameDatabase(): DatabaseTarget | undefined {
    const url = this.GAME_DATABASE_URL;
    return url === undefined ? undefined : parseDatabaseUrl(url);
  }

  get forum(): ForumSettings | undefined {
    const [authorizeUrl, tokenUrl] = [this.FORUM_AUTHORIZE_URL, this.FORUM_TOKEN_URL];
    const [clientId, clientSecret] = [this.FORUM_CLIENT_ID, this.FORUM_CLIENT_SECRET];
    const userInfoUrl = this.FORUM_USERINFO_URL;
    if (!authorizeUrl || !tokenUrl || !userInfoUrl || !clientId || !clientSecret) return undefined;
    const [scope, idField] = [this.FORUM_SCOPE, this.FORUM_ID_FIELD];
    return { authorizeUrl, tokenUrl, userInfoUrl, clientId, clientSecret, scope, idField };
  }

  /** Returns the secrets of each endpoint by its name. The older secret comes first. */
  get eventSecrets(): Map<string, string[]> {
    const secrets = new Map<string, string[]>();
    for (const entry of listOf(this.EVENT_SECRETS)) {
      const [name = '', secret = ''] = entry.split(/=(.*)/);
      secrets.set(name, [...(secrets.get(name) ?? []), secret]);
    }
    return secrets;
  }

  get callbackSecrets(): string[] {
    return listOf(this.GAME_CALLBACK_SECRET);
  }
}

function listOf(text: string = ''): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);
}

function siteOf({ hostname }: URL): string {
  const isAddress = /^[\d.]+$|^\[/.test(hostname);
  return isAddress ? hostname : hostname.split('.').slice(-2).join('.');
}
