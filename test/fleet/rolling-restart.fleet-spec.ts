import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../support/api/client.js';
import { type Deployment, freshDeployment } from '../support/api/deployment.js';
import { countByStatus, Crowd } from '../support/servers/cluster-fleet.js';
import { type Gatehouse, startGatehouse } from '../support/servers/gatehouse-process.js';
import { query } from '../support/servers/mariadb.js';
import { type Nginx, startNginx } from '../support/servers/nginx.js';
import { writeSettingsFile } from '../support/servers/settings-file.js';
import { until } from '../support/until.js';

const SERVER = 1;
let deployment: Deployment;
let instances: Gatehouse[];
let nginx: Nginx;

beforeAll(async () => {
  deployment = await freshDeployment();
  instances = await Promise.all([start(), start()]);
  await query(
    deployment.url,
    `INSERT INTO server (id, name, address, port) VALUES (${SERVER}, 'One', '198.51.100.1', 9000)`,
  );
  nginx = await startNginx({ upstreams: instances.map(({ url }) => new URL(url).host) });
});
afterAll(async () => {
  await Promise.all([nginx, ...instances].map((each) => each.stop()));
  await deployment.drop();
});

const start = (place: { PORT?: string } = {}) =>
  startGatehouse({ ...deployment.env, SETTINGS_FILE: writeSettingsFile(), ...place });

const knowsTheServer = async ({ url }: Gatehouse) => {
  const { body } = await new Client(url).get('/api/server/list');
  return body.data?.servers.length === 1;
};

/** Returns nginx's access log without successful requests. */
const unsuccessful = () => nginx.accessLog().replaceAll(/^.*"status":200.*\n/gm, '');

describe('Two instances behind config/nginx.conf', () => {
  it('respond to every POST during a rolling restart', async () => {
    for (const instance of instances) await until(() => knowsTheServer(instance));
    const crowd = await Crowd.at(new Client(nginx.url), () => deployment.url, SERVER);
    crowd.start(4);
    for (const place of [0, 1]) {
      const { url, stop } = instances[place]!;
      const before = crowd.statuses.length;
      await until(() => crowd.statuses.length > before + 100);
      expect(await stop()).toBe(0);
      instances[place] = await start({ PORT: new URL(url).port });
    }
    await crowd.stop();
    expect(countByStatus(crowd.statuses), unsuccessful()).toEqual({ 200: expect.any(Number) });
    expect(await crowd.lost()).toEqual({ links: [], reports: [], entries: 0 });
  });
});
