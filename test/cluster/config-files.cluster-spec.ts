import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

/** Runs a command with /usr/sbin in its path, which Debian omits for ordinary users. */
function run(command: string, args: string[]) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
  });
  if (error) throw error;
  return { status, output: `${stdout}${stderr}` };
}

describe('config/cluster', () => {
  it('contains a valid HAProxy configuration', () => {
    const { status, output } = run('haproxy', ['-c', '-f', 'config/cluster/haproxy.cfg']);
    expect(output).toContain('Configuration file is valid');
    expect(status).toBe(0);
  });

  it('contains only known MariaDB options in galera.cnf', () => {
    const args = ['--defaults-file=config/cluster/galera.cnf', '--help', '--verbose'];
    const { status, output } = run('mariadbd', args);
    expect(output).not.toMatch(/unknown (variable|option)/);
    expect(status).toBe(0);
    expect(output).toMatch(/^wsrep-cluster-name +gatehouse$/m);
  });
});
