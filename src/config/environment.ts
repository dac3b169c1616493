import 'reflect-metadata';
import { dirname, join } from 'node:path';
import { IsIn, IsNotEmpty, IsOptional, IsString, Matches } from 'class-validator';
import { type DatabaseServers, parseDatabaseUrl } from './database-url.js';
import { IsRedisUrl } from './redis-url.js';
import { IsTrustedProxies, IsUrlOf, WholeNumber } from './validators.js';

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

export interface CallbackSecret {
  secret: string;
  /** Set as `v2:…`: takes version 2 of the signature alone. */
  framedOnly: boolean;
}

/** The process environment, named as in `.env.example`. An empty value counts as unset. */
export class Environment {
  @IsString()
  HOST: string;

  @WholeNumber(0, 65535)
  PORT = 3001;

  @WholeNumber(1, 64)
  WORKERS = 1;

  /** 0: no desk. */
  @WholeNumber(0, 65535)
  DESK_PORT: number;

  @IsString()
  DESK_HOST = '127.0.0.1';

  /** Read by `parseDatabaseUrl`, as is the next: both may ask for TLS. */
  @IsOptional()
  @IsString()
  DATABASE_URL?: string;

  @IsOptional()
  @IsString()
  GAME_DATABASE_URL?: string;

  @IsOptional()
  @IsRedisUrl()
  REDIS_URL?: string;

  /** Not braces: in a Redis Cluster they would put every key on one node. */
  @Matches(/^[\w:./-]{1,64}$/, { message: 'must be up to 64 letters, digits and _ : . / -' })
  REDIS_PREFIX = 'gatehouse:';

  @IsNotEmpty({ message: 'must be set' })
  PASSWORD_KEY: string;

  @IsNotEmpty({ message: 'must be set' })
  JWT_SECRET: string;

  @IsNotEmpty({ message: 'must be set' })
  GM_SECRET: string;

  /** One secret, or two separated by a comma while they are being rotated. */
  @IsOptional()
  @IsString()
  GAME_CALLBACK_SECRET?: string;

  @IsOptional()
  @IsUrlOf(['smtp:', 'smtps:'])
  SMTP_URL?: string;

  @IsString()
  MAIL_FROM = 'Gatehouse <no-reply@localhost>';

  @IsUrlOf(['http:', 'https:'])
  PUBLIC_URL: string;

  @IsUrlOf(['http:', 'https:'])
  FRONTEND_URL: string;

  @IsOptional()
  @IsUrlOf(['http:', 'https:'])
  FORUM_AUTHORIZE_URL?: string;

  @IsOptional()
  @IsUrlOf(['http:', 'https:'])
  FORUM_TOKEN_URL?: string;

  @IsOptional()
  @IsUrlOf(['http:', 'https:'])
  FORUM_USERINFO_URL?: string;

  @IsOptional()
  @IsString()
  FORUM_CLIENT_ID?: string;

  @IsOptional()
  @IsString()
  FORUM_CLIENT_SECRET?: string;

  @IsOptional()
  @IsString()
  FORUM_SCOPE?: string;

  @IsString()
  FORUM_ID_FIELD = 'id';

  @IsTrustedProxies()
  TRUST_PROXY = 'loopback';

  @IsString()
  DATA_DIR = './data';

  @IsString()
  SETTINGS_FILE = 'config/settings.yaml';

  @IsString()
  AGREEMENT_FILE = 'config/agreement.html';

  @IsIn(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    message: 'must be one of fatal, error, warn, info, debug, trace, silent',
  })
  LOG_LEVEL = 'info';

  /** Settings to use while the file is refused. A worker has them from its primary, which had them in force. */
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
  get servers(): DatabaseServers | undefined {
    return this.DATABASE_URL === undefined ? undefined : parseDatabaseUrl(this.DATABASE_URL);
  }

  /** Undefined where nobody can withdraw. */
  get gameServers(): DatabaseServers | undefined {
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

  get callbackSecrets(): CallbackSecret[] {
    return (this.GAME_CALLBACK_SECRET ?? '')
      .split(',')
      .map((entry) => entry.trim())
      .filter(Boolean)
      .map((entry) => ({
        secret: entry.replace(/^v2:/, ''),
        framedOnly: entry.startsWith('v2:'),
      }));
  }
}

function siteOf({ hostname }: URL): string {
  const isAddress = /^[\d.]+$|^\[/.test(hostname);
  return isAddress ? hostname : hostname.split('.').slice(-2).join('.');
}
