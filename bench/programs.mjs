// What the bench starts beside Node, looked for before anything else is done.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const DEBIAN_PACKAGES = { mariadbd: 'mariadb-server', nginx: 'nginx', wrk: 'wrk' };

export function requirePrograms() {
  const missing = Object.keys(DEBIAN_PACKAGES).filter((program) => !isInstalled(program));
  if (missing.length === 0) return;
  const packages = missing.map((program) => DEBIAN_PACKAGES[program]).join(' ');
  console.error(`The bench needs ${missing.join(', ')}: on Debian, apt install ${packages}`);
  process.exit(1);
}

function isInstalled(program) {
  // Debian leaves the sbin folders out of an ordinary user's path.
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/local/sbin', '/usr/sbin'];
  return folders.some((folder) => existsSync(join(folder, program)));
}
