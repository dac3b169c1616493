import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';
import type { Browser, Page } from '../api/browser.js';
import { freePort } from './free-port.js';

export interface Forum {
  /** What tells the service of this forum. */
  readonly env: Record<string, string>;
  readonly stop: () => Promise<void>;
}

interface Options {
  publicUrl: string;
  secretIn?: 'body' | 'header';
}

/** A real OpenID provider, which insists on PKCE; anybody may log in there under any name. */
export async function startForum({ publicUrl, secretIn = 'body' }: Options): Promise<Forum> {
  const issuer = `http://127.0.0.1:${await freePort()}`;
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'gatehouse',
        client_secret: 'a secret with / and + and %',
        redirect_uris: [`${publicUrl}/api/forumauth/callback`],
        token_endpoint_auth_method:
          secretIn === 'body' ? 'client_secret_post' : 'client_secret_basic',
        id_token_signed_response_alg: 'ES256',
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256' }] },
    cookies: { keys: ['a key for the cookies of the forum'] },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: true } },
    findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
  });
  const server = createServer((request, response) => void provider.callback()(request, response));
  await new Promise<void>((resolve) =>
    server.listen(Number(new URL(issuer).port), '127.0.0.1', resolve),
  );
  return {
    env: {
      PUBLIC_URL: publicUrl,
      FORUM_AUTHORIZE_URL: `${issuer}/auth`,
      FORUM_TOKEN_URL: `${issuer}/token`,
      FORUM_USERINFO_URL: `${issuer}/me`,
      FORUM_CLIENT_ID: 'gatehouse',
      FORUM_CLIENT_SECRET: 'a secret with / and + and %',
      FORUM_SCOPE: 'openid',
      FORUM_ID_FIELD: 'sub',
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Fills in the provider's pages as a person does who logs in as `name` and agrees. */
export function agreeAs(browser: Browser, name: string): (page: Page) => Promise<Page> {
  return (page) => {
    const prompt = /name="prompt" value="(\w+)"/.exec(page.text)?.[1] ?? '';
    const action = /<form[^>]* action="([^"]+)"/.exec(page.text)?.[1] ?? '';
    return browser.visit(new URL(action, page.url).href, { prompt, login: name, password: 'any' });
  };
}

/** Presses cancel instead. */
export function cancel(browser: Browser): (page: Page) => Promise<Page> {
  return (page) => {
    const away = /href="([^"]+\/abort)"/.exec(page.text)?.[1] ?? '';
    return browser.visit(new URL(away, page.url).href);
  };
}
