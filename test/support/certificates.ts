import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A certificate authority and a server certificate for `localhost`, by openssl; gives the files. */
export function createCertificates(folder: string): { ca: string; cert: string; key: string } {
  const file = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => {
    const { status, stderr, error } = spawnSync('openssl', args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`openssl ${args[0]}: ${error?.message ?? stderr}`);
  };
  const newKey = ['-newkey', 'rsa:2048', '-nodes'];
  openssl(
    ...['req', '-x509', ...newKey, '-days', '2', '-subj', '/CN=tests of Gatehouse'],
    ...['-keyout', file('ca-key.pem'), '-out', file('ca.pem')],
  );
  openssl(
    ...['req', ...newKey, '-subj', '/CN=localhost'],
    ...['-keyout', file('key.pem'), '-out', file('request.pem')],
  );
  writeFileSync(file('names'), 'subjectAltName = DNS:localhost\n');
  openssl(
    ...['x509', '-req', '-days', '2', '-CAcreateserial', '-extfile', file('names')],
    ...['-in', file('request.pem'), '-CA', file('ca.pem'), '-CAkey', file('ca-key.pem')],
    ...['-out', file('cert.pem')],
  );
  return { ca: file('ca.pem'), cert: file('cert.pem'), key: file('key.pem') };
}
