import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Client } from '../support/api/client.js';
import { SECRETS } from '../support/accounts.js';
import { freePort } from '../support/servers/free-port.js';
import { inProject, spawnGatehouse } from '../support/servers/gatehouse-process.js';
import { ManagedProcess } from '../support/servers/processes.js';

describe('node dist/main.js', () => {
  it('prints the port in use, and exits with 1 and no stack trace if the port is taken', async () => {
    const first = await spawnGatehouse({ PORT: '0' });
    const [, port] = await first.process.waitForLine(
      /Gatehouse \d+\.\d+\.\d+ .*listening on 127.0.0.1:([1-9]\d+)/,
    );
    const second = await spawnGatehouse({ PORT: port });
    expect(await second.process.exit).toBe(1);
    expect(second.logs()).toMatch(/cannot start:\n {2}- .*EADDRINUSE/);
    expect(second.logs()).not.toMatch(/^\s+at /m);
    await second.stop();
    expect(await first.stop()).toBe(0);
  });

  it('accepts no arguments', async () => {
    const service = new ManagedProcess('node', [inProject('dist/main.js'), '--help']);
    expect(await service.exit).toBe(2);
    expect(service.output).toContain('node dist/gatehouse.js --help');
  });

  it('lists every problem in its environment and its settings file, and exits with 1', async () => {
    const service = await spawnGatehouse({
      DATABASE_URL: 'mysql://x',
      JWT_SECRET: 'short',
      TRUST_PROXY: 'true',
      SETTINGS_FILE: 'there-is-none.yaml',
    });
    expect(await service.process.exit).toBe(1);
    for (const problem of [
      /PASSWORD_KEY must be set/,
      /JWT_SECRET must be at least/,
      /TRUST_PROXY must/,
      /there-is-none/,
    ])
      expect(service.logs()).toMatch(problem);
    await service.kill();
  });

  it('has no sandbox if DATABASE_URL is set', async () => {
    const nobody = `mysql://nobody@127.0.0.1:${await freePort()}/gatehouse`;
    const service = await spawnGatehouse({ ...SECRETS, DATABASE_URL: nobody });
    await service.process.waitForLine(/listening on/);
    const client = new Client(service.url);
    expect((await client.get('/sandbox/mail')).body.error).toBe('not_found');
    expect((await client.get('/api/config')).body.data).toMatchObject({
      forum_login: { enabled: false },
      game_client_url: null,
    });
    expect(await service.stop()).toBe(0);
  });
});

describe('dist/bundle', () => {
  it('has source maps that lead to existing sources', () => {
    const maps = readdirSync(inProject('dist/bundle')).filter((name) => name.endsWith('.map'));
    const sources = maps
      .map((name) => JSON.parse(readFileSync(inProject(`dist/bundle/${name}`), 'utf8')))
      .flatMap(({ sources: of }: { sources: string[] }) => of)
      .filter((source) => !source.includes('node_modules'));
    expect(sources).toContain('../../src/main.ts');
    expect(sources.filter((source) => !existsSync(inProject(`dist/bundle/${source}`)))).toEqual([]);
    // dist/main.js only loads the bundle, so it must not have its own source map.
    expect(existsSync(inProject('dist/main.js.map'))).toBe(false);
  });
});
