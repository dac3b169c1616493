import { expect } from 'vitest';
import { ServersService } from '../../../src/features/servers/servers.service.js';
import type { TestApp } from './app.js';

/** Returns functions that request the server list of the service that `beforeAll` starts. */
export function serverListRequests(service: () => TestApp) {
  const list = (headers = {}) => service().client.get('/api/server/list', { headers });
  const listed = async () =>
    ((await list()).body.data.servers as Array<{ name: string }>).map(({ name }) => name);

  /** Makes the service read the table again, as it does once its snapshot is a second old. */
  function expireSnapshot(): void {
    service().app.get(ServersService)['snapshot'] = undefined;
  }

  async function expectListed(names: string[]): Promise<void> {
    expireSnapshot();
    expect(await listed()).toEqual(names);
  }

  return { list, listed, expireSnapshot, expectListed };
}
