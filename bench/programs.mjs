// Checks that the external programs are installed.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const DEBIAN_PACKAGES = { mariadbd: 'mariadb-server', nginx: 'nginx', wrk: 'wrk' };

export function requirePrograms() {
  const missing = Object.keys(DEBIAN_PACKAGES).filter((program) => !isInstalled(program));
  if (missing.length === 0) return;
  const packages = missing.map((program) => DEBIAN_PACKAGES[program]).join(' ');
  console.error(`Not installed: ${missing.join(', ')}. On Debian: apt install ${packages}`);
  process.exit(1);
}

function isInstalled(program) {
  // On Debian, the PATH of an ordinary user lacks the sbin folders.
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/local/sbin', '/usr/sbin'];
  return folders.some((folder) => existsSync(join(folder, program)));
}
