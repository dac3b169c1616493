import { defineConfig, type Plugin } from 'vite';
import { frontEnd } from '../ui/vite.ts';

/**
 * The service sends the content security policy as a header. A page that another host serves contains the policy in a
 * meta tag.
 */
function policyForAnotherHost(apiUrl: string | undefined): Plugin {
  return {
    name: 'policy-for-another-host',
    apply: 'build',
    transformIndexHtml: () =>
      apiUrl
        ? [
            {
              tag: 'meta',
              injectTo: 'head-prepend',
              attrs: {
                'http-equiv': 'Content-Security-Policy',
                content:
                  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
                  `font-src 'self'; connect-src 'self' ${new URL(apiUrl).origin}; manifest-src 'self'; ` +
                  "base-uri 'none'; form-action 'self'",
              },
            },
          ]
        : [],
  };
}

// Only one page uses uqr, so it stays in the chunk of that page.
const site = frontEnd(/node_modules\/(?!uqr\/)/);

export default defineConfig({
  ...site,
  plugins: [...site.plugins, policyForAnotherHost(process.env.VITE_API_URL)],
  server: {
    host: '127.0.0.1',
    proxy: { '^/(api|sandbox)/': process.env.GATEHOUSE_URL ?? 'http://127.0.0.1:3001' },
  },
});
