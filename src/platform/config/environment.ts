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
  /** Settings to use while the file is refused. Only commands have any: they must work on a broken file. */
  fallbackSettings?: string;

  /** Where the sandbox stands in for the outside world on a first run; only the sandbox sets it. */
  sandboxUrl?: string;

  /** Without a `DATABASE_URL` the service brings its own database and secrets along. */
  get embedded(): boolean {
    return this.DATABASE_URL === undefined;
  }

  /**
   * Whether browsers take the front end and the API for one site, and so send our cookies. Without the list of public
   * suffixes: two hosts under `co.uk` pass here, and then the browser decides otherwise.
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

  /** Undefined where nobody can withdraw. */
  get gameDatabase(): DatabaseTarget | undefined {
    const url = this.GAME_DATABASE_URL;
    return url === undefined ? undefined : parseDatabaseUrl(url);
  }

  /** Undefined where there is no login through a forum. */
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
