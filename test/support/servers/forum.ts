import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import type { Browser, Page } from '../api/browser.js';

export interface Forum {
  readonly env: Record<string, string>;
  readonly stop: () => Promise<void>;
}

interface Options {
  publicUrl: string;
  secretIn?: 'body' | 'header';
}

/** Starts an OpenID provider that requires PKCE and accepts any name. */
export async function startForum({ publicUrl, secretIn = 'body' }: Options): Promise<Forum> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
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
  const handle = provider.callback();
  server.on('request', (request, response) => void handle(request, response));
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

/** Returns a function that signs in as `name` on the provider's pages and consents. */
export function agreeAs(browser: Browser, name: string): (page: Page) => Promise<Page> {
  return (page) => {
    const prompt = /name="prompt" value="(\w+)"/.exec(page.text)?.[1] ?? '';
    const action = /<form[^>]* action="([^"]+)"/.exec(page.text)?.[1] ?? '';
    return browser.visit(new URL(action, page.url).href, { prompt, login: name, password: 'any' });
  };
}

/** Returns a function that cancels on the provider's page. */
export function cancel(browser: Browser): (page: Page) => Promise<Page> {
  return (page) => {
    const away = /href="([^"]+\/abort)"/.exec(page.text)?.[1] ?? '';
    return browser.visit(new URL(away, page.url).href);
  };
}
