import helmet from 'helmet';

/** The same on an error that is answered without Express. */
export const RAW_ERROR_HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none';frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/** Headers of every answer; a page replaces the policy with its own. */
export const securityHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  // TLS and HSTS belong to the web server in front.
  strictTransportSecurity: false,
  // Only obsolete browsers and plug-ins read these.
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
  // Express is told not to send it.
  xPoweredBy: false,
});
