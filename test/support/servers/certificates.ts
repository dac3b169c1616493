import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Certificates {
  ca: string;
  cert: string;
  key: string;
}

/** Creates a certificate authority and a server certificate for `localhost` and 127.0.0.1 with openssl. */
export function createCertificates(folder: string): Certificates {
  const file = (name: string) => join(folder, name);
  const openssl = (words: string) => {
    const { status, stderr, error } = spawnSync('openssl', words.split(' '), {
      cwd: folder,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`openssl ${words}: ${error?.message ?? stderr}`);
  };
  const made = '-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes';
  writeFileSync(file('names'), 'subjectAltName = DNS:localhost,IP:127.0.0.1\n');
  openssl(`req -x509 ${made} -days 2 -subj /CN=authority -keyout ca-key.pem -out ca.pem`);
  openssl(`req ${made} -subj /CN=localhost -keyout key.pem -out request.pem`);
  openssl(
    'x509 -req -days 2 -CAcreateserial -extfile names -in request.pem -CA ca.pem -CAkey ca-key.pem -out cert.pem',
  );
  return { ca: file('ca.pem'), cert: file('cert.pem'), key: file('key.pem') };
}
