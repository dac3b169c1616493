import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A certificate authority and a server certificate for `localhost`, by openssl; gives the files. */
export function createCertificates(folder: string): { ca: string; cert: string; key: string } {
  const file = (name: string) => join(folder, name);
  const openssl = (words: string) => {
    const { status, stderr, error } = spawnSync('openssl', words.split(' '), {
      cwd: folder,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`openssl ${words}: ${error?.message ?? stderr}`);
  };
  const made = '-newkey rsa:2048 -nodes';
  openssl(`req -x509 ${made} -days 2 -subj /CN=authority -keyout ca-key.pem -out ca.pem`);
  openssl(`req ${made} -subj /CN=localhost -keyout key.pem -out request.pem`);
  writeFileSync(file('names'), 'subjectAltName = DNS:localhost\n');
  openssl(
    'x509 -req -days 2 -CAcreateserial -extfile names -in request.pem -CA ca.pem -CAkey ca-key.pem -out cert.pem',
  );
  return { ca: file('ca.pem'), cert: file('cert.pem'), key: file('key.pem') };
}
