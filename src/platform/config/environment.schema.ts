import 'reflect-metadata';
import { IsIn, IsNotEmpty, IsOptional, IsString, Matches } from 'class-validator';
import { IsTrustedProxies, IsUrlWithProtocol, IntFromString } from './validators.js';

/** Declares every environment variable. `npm run generate` writes `.env.example` from these comments. */
export class EnvironmentSchema {
  /**
   * Address to listen on. Use 127.0.0.1 if nginx runs on the same machine. With the embedded database the default is
   * 127.0.0.1, because the sandbox shows codes to everyone who can reach it.
   * @section Network
   * @default 0.0.0.0
   */
  @IsString() HOST: string;

  /** Port to listen on. */
  @IntFromString(0, 65535) PORT = 3001;

  /**
   * Port of the desk, the operators' console. It must differ from PORT. If it is unset or 0, there is no desk. With the
   * embedded database the default is 3002.
   * @example 3002
   */
  @IntFromString(0, 65535) DESK_PORT: number;

  /** Address that the desk listens on. Players must not be able to reach it (see docs/operations.md, "The desk"). */
  @IsString() DESK_HOST = '127.0.0.1';

  /** Proxies in front of the desk whose X-Forwarded-For is trusted, as in TRUST_PROXY. Use none behind a tunnel. */
  @IsTrustedProxies() DESK_TRUST_PROXY = 'none';

  /** Proxies whose X-Forwarded-For is trusted. Give addresses and CIDR blocks, separated by commas, or the word none. */
  @IsTrustedProxies() TRUST_PROXY = 'loopback';

  /**
   * URL at which players reach the service.
   * @default http://localhost:{PORT}
   * @example http://localhost:3001
   */
  @IsUrlWithProtocol(['http:', 'https:']) PUBLIC_URL: string;

  /**
   * URL of the web front end if it is hosted elsewhere. It is the only origin that CORS allows.
   * @default PUBLIC_URL
   * @example http://localhost:3001
   */
  @IsUrlWithProtocol(['http:', 'https:']) FRONTEND_URL: string;

  /**
   * Account database, MySQL or MariaDB. If it is unset, the service uses the embedded database in DATA_DIR, but not
   * with NODE_ENV=production.
   *
   * In the user, password and database, write / as %2F, @ as %40, : as %3A and % as %25. Put an IPv6 address in
   * brackets: [::1]:3306. Separate several hosts by commas: mysql://gatehouse:password@db1:3306,db2:3306/gatehouse. The
   * service uses a host that accepts writes, and switches to the next when that host fails or becomes read-only.
   * For TLS, ?ssl-ca=/etc/ssl/database-ca.pem verifies the certificate and the host name (ssl-mode=VERIFY_IDENTITY).
   * ssl-mode=VERIFY_CA does not verify the name, and ssl-mode=REQUIRED verifies nothing. ssl-cert and ssl-key are for a
   * client certificate. Any other parameter is refused.
   * @section Storage
   * @example mysql://gatehouse:password@127.0.0.1:3306/gatehouse
   */
  @IsOptional() @IsString() DATABASE_URL?: string;

  /**
   * Database server of the game databases, with a read-only user. It has one host, and TLS works as in DATABASE_URL. If
   * it is unset, nobody can withdraw.
   * @example mysql://gatehouse_read:password@127.0.0.1:3306
   */
  @IsOptional() @IsString() GAME_DATABASE_URL?: string;

  /**
   * Redis for the counters that all instances share, such as those of requests, failed logins and sent codes. If it is
   * unset, each instance counts in memory.
   *
   * With TLS, write rediss://host?ca=/path/ca.pem. With Sentinel, write
   * redis+sentinel://user:password@h1:26379,h2:26379,h3:26379/master-name. For a cluster, write redis+cluster://h1,h2,h3.
   * Percent-encode @ : / ? # % in a password. See docs/scaling.md.
   * @example redis://127.0.0.1:6379
   */
  @IsOptional() @IsString() REDIS_URL?: string;

  // Braces are not allowed, because in a Redis Cluster they would put every key on one node.
  /** Prefix of every key in Redis. Give each deployment on the same Redis its own. */
  @Matches(/^[\w:./-]{1,64}$/, { message: 'must be up to 64 letters, digits and _ : . / -' })
  REDIS_PREFIX = 'gatehouse:';

  /** Folder of the embedded database and its secrets. */
  @IsString() DATA_DIR = './data';

  /**
   * Key that is part of every stored password hash, at least 8 bytes. It can never be changed. If players come from the
   * previous generation of the service, use its key.
   * @section Secrets
   * @example replace-with-the-password-key
   */
  @IsNotEmpty({ message: 'must be set' }) PASSWORD_KEY: string;

  /**
   * Key that signs the players' tokens, at least 32 bytes.
   * @example replace-with-at-least-32-random-bytes
   */
  @IsNotEmpty({ message: 'must be set' }) JWT_SECRET: string;

  /**
   * Key that signs commands to the game servers' GM interface, at least 16 bytes. The game servers need the same key.
   * @example replace-with-the-secret-of-the-gm-interface
   */
  @IsNotEmpty({ message: 'must be set' }) GM_SECRET: string;

  /**
   * Key that game servers sign their callbacks with, at least 16 bytes. Set two, separated by a comma, while you rotate
   * it. If it is unset, only their addresses are checked.
   * @example replace-with-the-secret-of-the-game-servers
   */
  @IsOptional() @IsString() GAME_CALLBACK_SECRET?: string;

  /**
   * Secrets that sign the events for the endpoints in the settings (Standard Webhooks), as name=whsec_…, separated by
   * commas. Create one with `echo "whsec_$(openssl rand -base64 32)"`. Set two for a name while you rotate its secret.
   * @example game=whsec_replace-with-32-random-bytes-in-base64
   */
  @IsOptional() @IsString() EVENT_SECRETS?: string;

  /**
   * Mail server. If it is unset, nobody can register, but with the embedded database e-mails arrive at /sandbox/mail.
   * @section Mail
   * @example smtp://user:password@mail.example.com:587
   */
  @IsOptional() @IsUrlWithProtocol(['smtp:', 'smtps:']) SMTP_URL?: string;

  /** Sender of the e-mails. The mail server must accept it. */
  @IsString() MAIL_FROM = 'Gatehouse <no-reply@localhost>';

  /**
   * Forum page where a player grants access. If it is unset, players cannot log in through the forum. Set all of this
   * section's first five variables, or none.
   * @section Login through the forum (OAuth 2)
   * @example https://forum.example.com/oauth/authorize
   */
  @IsOptional() @IsUrlWithProtocol(['http:', 'https:']) FORUM_AUTHORIZE_URL?: string;

  /**
   * Endpoint that exchanges the authorization code for a token.
   * @example https://forum.example.com/oauth/token
   */
  @IsOptional() @IsUrlWithProtocol(['http:', 'https:']) FORUM_TOKEN_URL?: string;

  /**
   * Endpoint that returns the user information.
   * @example https://forum.example.com/oauth/userinfo
   */
  @IsOptional() @IsUrlWithProtocol(['http:', 'https:']) FORUM_USERINFO_URL?: string;

  /**
   * Client id of this service at the forum. Register it with the redirect URI {PUBLIC_URL}/api/forumauth/callback.
   * @example gatehouse
   */
  @IsOptional() @IsString() FORUM_CLIENT_ID?: string;

  /**
   * Client secret of this service at the forum.
   * @example replace-with-the-client-secret
   */
  @IsOptional() @IsString() FORUM_CLIENT_SECRET?: string;

  /**
   * Scope to request. If it is unset, no scope is requested.
   * @example profile
   */
  @IsOptional() @IsString() FORUM_SCOPE?: string;

  /** Field of the user information that identifies a person permanently, or the path to it, such as user.id. */
  @IsString() FORUM_ID_FIELD = 'id';

  /**
   * The operators' settings. The service reloads the file when it changes.
   * @section Files and log
   */
  @IsString() SETTINGS_FILE = 'config/settings.yaml';

  /** The user agreement. The service reloads it when it changes. The mail templates are in the folder mail/ beside it. */
  @IsString() AGREEMENT_FILE = 'config/agreement.html';

  /** Lowest level that is logged: fatal, error, warn, info, debug, trace or silent. */
  @IsIn(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    message: 'must be one of fatal, error, warn, info, debug, trace, silent',
  })
  LOG_LEVEL = 'info';
}
