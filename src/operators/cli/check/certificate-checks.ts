import { X509Certificate } from 'node:crypto';
import { connect } from 'node:tls';
import { Injectable } from '@nestjs/common';
import { DAY_MS } from '../../../platform/config/time.js';
import { Environment } from '../../../platform/config/environment.js';
import { type CheckResult, passed, failed } from './check-result.js';

const TIMEOUT_MS = 5000;
const SOON_DAYS = 14;
const PORTS: Record<string, number> = { 'https:': 443, 'smtps:': 465, 'rediss:': 6379 };

@Injectable()
export class CertificateChecks {
  constructor(private readonly environment: Environment) {}

  async run(): Promise<CheckResult[]> {
    const { PUBLIC_URL, FRONTEND_URL, SMTP_URL, REDIS_URL } = this.environment;
    const urls = [PUBLIC_URL, FRONTEND_URL, SMTP_URL, REDIS_URL].filter((url) => url !== undefined);
    const places = new Map<string, { host: string; port: number }>();
    for (const url of urls) {
      // Node cannot parse a Redis URL with several hosts, so operators have to check these certificates themselves.
      if (!URL.canParse(url)) continue;
      const { protocol, hostname, port } = new URL(url);
      const usual = PORTS[protocol];
      if (usual === undefined || hostname.includes(',')) continue;
      const place = { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port) || usual };
      places.set(`${place.host}:${place.port}`, place);
    }
    const shown = await Promise.all(
      [...places].map(async ([name, { host, port }]) =>
        toFinding(name, await fetchExpiry(host, port)),
      ),
    );
    const { ca, cert } = this.environment.accountDatabase?.ssl ?? {};
    return [
      ...shown,
      ...(ca ? [toFinding("the database's CA", expiryOf(ca))] : []),
      ...(cert ? [toFinding('our certificate for the database', expiryOf(cert))] : []),
    ];
  }
}

function toFinding(name: string, end: Date | string): CheckResult {
  if (typeof end === 'string') return failed('certificate', `${name}: ${end}`);
  const days = Math.floor((end.getTime() - Date.now()) / DAY_MS);
  const until = `${name}: until ${end.toISOString().slice(0, 10)}`;
  if (days < 0) return failed('certificate', `${until}, which is over: renew it`);
  return days < SOON_DAYS
    ? failed('certificate', `${until}, in ${days} days: renew it`)
    : passed('certificate', until);
}

function expiryOf(certificate: ConstructorParameters<typeof X509Certificate>[0]): Date {
  return new Date(new X509Certificate(certificate).validTo);
}

/** Accepts any certificate, because this check reads only the expiry date. */
function fetchExpiry(host: string, port: number): Promise<Date | string> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, servername: host, rejectUnauthorized: false }, () => {
      const { valid_to: end } = socket.getPeerCertificate();
      socket.destroy();
      resolve(end ? new Date(end) : 'it shows no certificate');
    });
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('no answer within 5 s')));
    socket.on('error', (error: NodeJS.ErrnoException) =>
      resolve(`cannot be reached (${error.code ?? error.message})`),
    );
  });
}
