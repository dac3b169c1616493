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
  /** Name of the field, or path to it, that identifies a person in the user information. */
  idField: string;
}

/** The process environment. An empty variable counts as unset. */
export class Environment extends EnvironmentSchema {
  /** Whether the defaults are used while the settings file is refused. Only commands do: they must work on a broken file. */
  startsWithRefusedSettings = false;

  /** The sandbox's address on a first run, where it replaces the outside world; only the sandbox sets it. */
  sandboxUrl?: string;

  /** Without `DATABASE_URL` the service uses an embedded database and generated secrets. */
  get embedded(): boolean {
    return this.DATABASE_URL === undefined;
  }

  /**
   * Whether browsers treat the front end and the API as one site, and so send our cookies. It does not use the list of
   * public suffixes: two hosts under `co.uk` pass here, but not in the browser.
   */
  get frontEndIsSameSite(): boolean {
    const [front, api] = [new URL(this.FRONTEND_URL), new URL(this.PUBLIC_URL)];
    return front.protocol === api.protocol && siteOf(front) === siteOf(api);
  }

  /** The folder where operators override mail templates: `mail`, beside the agreement. */
  get mailTemplates(): string {
    return join(dirname(this.AGREEMENT_FILE), 'mail');
  }

  /** Undefined with the embedded database. */
  get accountDatabase(): DatabaseTarget | undefined {
    return this.DATABASE_URL === undefined ? undefined : parseDatabaseUrl(this.DATABASE_URL);
  }

  /** Undefined if withdrawals are not configured. */
  get gameDatabase(): DatabaseTarget | undefined {
    const url = this.GAME_DATABASE_URL;
    return url === undefined ? undefined : parseDatabaseUrl(url);
  }

  /** Undefined without a forum login. */
  get forum(): ForumSettings | undefined {
    const [authorizeUrl, tokenUrl] = [this.FORUM_AUTHORIZE_URL, this.FORUM_TOKEN_URL];
    const [clientId, clientSecret] = [this.FORUM_CLIENT_ID, this.FORUM_CLIENT_SECRET];
    const userInfoUrl = this.FORUM_USERINFO_URL;
    if (!authorizeUrl || !tokenUrl || !userInfoUrl || !clientId || !clientSecret) return undefined;
    const [scope, idField] = [this.FORUM_SCOPE, this.FORUM_ID_FIELD];
    return { authorizeUrl, tokenUrl, userInfoUrl, clientId, clientSecret, scope, idField };
  }

  get callbackSecrets(): string[] {
    return (this.GAME_CALLBACK_SECRET ?? '')
      .split(',')
      .map((entry) => entry.trim())
      .filter(Boolean);
  }
}

function siteOf({ hostname }: URL): string {
  const isAddress = /^[\d.]+$|^\[/.test(hostname);
  return isAddress ? hostname : hostname.split('.').slice(-2).join('.');
}
