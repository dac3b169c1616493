import helmet from 'helmet';

/** Headers of every answer; a page replaces the policy with its own. */
export const securityHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  // TLS and HSTS belong to the web server in front.
  strictTransportSecurity: false,
});
