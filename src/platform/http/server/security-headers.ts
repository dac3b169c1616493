import helmet from 'helmet';

/** What every answer has; a page replaces the policy by its own. */
export const securityHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  // TLS and HSTS belong to the web server in front.
  strictTransportSecurity: false,
});
