import { BlockList } from 'node:net';
import { getMetadataStorage } from 'class-validator';
import { describe, expect, it } from 'vitest';
import { Environment } from '../../src/platform/config/environment.js';
import { basesIn, ComposeFile, existsInProject, matches } from '../support/documents/compose.js';
import { readDocument } from '../support/documents/source-code.js';

const settings = [
  ...new Set(
    getMetadataStorage()
      .getTargetValidationMetadatas(Environment, '', false, false)
      .map(({ propertyName }) => propertyName),
  ),
];
const readByComposeAlone = ['MARIADB_PASSWORD', 'REDIS_PASSWORD'];

const example = readDocument('.env.example');
const exampleNames = matches(example, /^#?([A-Z][A-Z0-9_]*)=/gm);
const nginxConfig = readDocument('config/nginx.conf');
const dockerfile = readDocument('Dockerfile');

describe('.env.example', () => {
  it('names every setting exactly once', () => {
    expect(exampleNames.toSorted()).toEqual([...settings, ...readByComposeAlone].toSorted());
  });

  it('explains every setting on the line above', () => {
    const lines = example.split('\n');
    const unexplained = exampleNames.filter((name) => {
      const index = lines.findIndex((line) => line.replace('#', '').startsWith(`${name}=`));
      return !lines[index - 1]?.startsWith('# ') || lines[index - 1]?.startsWith('# ---');
    });
    expect(unexplained).toEqual([]);
  });

  it('sets only placeholders that the service or Compose rejects', () => {
    const values = matches(example, /^[A-Z_]+=(.*)$/gm);
    expect(values).not.toEqual([]);
    for (const value of values) expect(value).toMatch(/^(replace-with-.+)?$/);
    for (const name of readByComposeAlone) expect(example).toMatch(new RegExp(`^${name}=$`, 'm'));
  });
});

describe.each([
  {
    file: new ComposeFile('docker-compose.yml'),
    apps: ['app1', 'app2'],
    addresses: 3,
    published: ['desk', 'mail', 'nginx'],
  },
  {
    file: new ComposeFile('docker-compose.cluster.yml'),
    apps: ['app1', 'app2'],
    addresses: 5,
    published: ['mail', 'nginx'],
  },
])('$file.name', ({ file, apps, addresses, published: open }) => {
  it('uses from .env only what .env.example names', () => {
    const used = matches(file.text, /\$\{([A-Z0-9_]+)/g);
    expect(used).toContain('MARIADB_PASSWORD');
    expect(exampleNames).toEqual(expect.arrayContaining(used));
  });

  it('gives the instances only settings that exist', () => {
    expect(file.instances.map(([name]) => name)).toEqual(apps);
    for (const [, { env_file, environment }] of file.instances) {
      expect(env_file).toBe('.env');
      expect(settings).toEqual(expect.arrayContaining(Object.keys(environment!)));
    }
  });

  it('uses images of an exact release', () => {
    const images = file.entries.map(([, { image }]) => image!);
    for (const image of images.filter((each) => each !== 'gatehouse'))
      expect(image).toMatch(/^[\w/]+:v?\d+\.\d+\.\d+(-alpine)?$/);
  });

  it('gives each Redis and its clients the password from .env, but not as an argument', () => {
    const password = '${REDIS_PASSWORD:?set it in .env}';
    const servers = file.entries.filter(([, { image }]) => image?.startsWith('redis:'));
    expect(servers).not.toEqual([]);
    for (const [name, { environment, command }] of servers) {
      expect(environment, name).toEqual({ REDISCLI_AUTH: password });
      expect(String(command), name).not.toContain('${');
    }
    const users = file.entries.filter(([, { image }]) => image === 'gatehouse');
    for (const [name, { environment }] of users)
      expect(environment!.REDIS_URL, name).toContain(`://:${password}@`);
  });

  it('uses every volume that it declares', () => {
    const mounted = file.entries.flatMap(([, { volumes = [] }]) => volumes);
    const sources = new Set(mounted.map((volume) => volume.split(':')[0]));
    for (const name of file.volumes) expect(sources, name).toContain(name);
  });

  it("puts every instance behind nginx, in each of nginx's groups", () => {
    const named = matches(nginxConfig, /^ *server ([^ ;]+:\d+)[ ;]/gm);
    const upstreams = [...new Set(named)];
    // Each upstream group lists every instance.
    expect(named).toHaveLength(upstreams.length * matches(nginxConfig, /^ *(upstream) /gm).length);
    const ways = apps.map((app) => {
      const { PORT } = file.environmentOf(app);
      return upstreams.filter((upstream) =>
        file.namesOf(app).some((name) => upstream === `${name}:${PORT}`),
      );
    });
    for (const way of ways) expect(way).toHaveLength(1);
    expect([...new Set(ways.flat())]).toEqual(upstreams);
    const [published] = file.services.nginx!.ports!;
    expect(published!.split(':').at(-1)).toBe(matches(nginxConfig, /^ *listen (\d+)/gm)[0]);
  });

  it('gives nginx the address of each instance, so that nginx can start while one is down', () => {
    const hosts = file.services.nginx!.extra_hosts!.map((line) => line.split(':'));
    const names = matches(nginxConfig, /^ *server ([^ ;:]+):\d+[ ;]/gm);
    expect([...new Set(hosts.map(([name]) => name))]).toEqual([...new Set(names)]);
    const given = apps.map((app) => file.services[app]!.networks!.default.ipv4_address);
    expect(hosts.map(([, address]) => address)).toEqual(given);
    for (const [name, address] of hosts) {
      const app = apps.find((each) => file.namesOf(each).includes(address!))!;
      expect(file.namesOf(app)).toContain(name);
    }
  });

  it('makes the instances trust only nginx', () => {
    const address = file.services.nginx!.networks!.default.ipv4_address;
    for (const [, { environment }] of file.instances)
      expect(environment!.TRUST_PROXY).toBe(address);
  });

  it('assigns each fixed address once, outside the dynamic range', () => {
    const given = file.entries.flatMap(([, { networks }]) => networks?.default.ipv4_address ?? []);
    const [network, prefix] = file.subnet.split('/');
    const subnet = new BlockList();
    subnet.addSubnet(network!, Number(prefix));
    expect(new Set(given).size).toBe(addresses);
    expect(given).toHaveLength(addresses);
    const dynamic = new BlockList();
    const [start, length] = file.ipRange.split('/');
    dynamic.addSubnet(start!, Number(length));
    for (const address of given) {
      expect(subnet.check(address), address).toBe(true);
      expect(dynamic.check(address), address).toBe(false);
    }
  });

  it.each(file.entries)(
    'runs %s restricted, with rotated logs and limited memory',
    (_, service) => {
      expect(service).toMatchObject({
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges'],
        logging: { driver: 'local' },
        mem_limit: expect.any(String),
      });
    },
  );

  it('publishes neither the databases nor the instances', () => {
    const published = file.entries.filter(([, { ports }]) => ports).map(([name]) => name);
    expect(published.toSorted()).toEqual(open);
  });

  it('publishes ports on the loopback address only', () => {
    for (const [, { ports = [] }] of file.entries)
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
  });
});

describe('The desk of docker-compose.yml', () => {
  it('has its own container, which no instance replaces and nginx does not expose', () => {
    const file = new ComposeFile('docker-compose.yml');
    const { command, ports } = file.services.desk!;
    expect(command).toEqual(['node', 'dist/desk.js']);
    for (const [name] of file.instances) expect(file.environmentOf(name).DESK_PORT).toBe('0');
    const { DESK_PORT, DESK_HOST, DATABASE_URL } = file.environmentOf('desk');
    expect([DESK_HOST, ports]).toEqual(['0.0.0.0', [`127.0.0.1:${DESK_PORT}:${DESK_PORT}`]]);
    expect(DATABASE_URL).toBe(file.environmentOf('app1').DATABASE_URL);
    expect(nginxConfig).not.toContain(DESK_PORT);
  });
});

describe('Dockerfile', () => {
  it('is based on images of an exact release', () => {
    for (const image of basesIn(dockerfile))
      expect(image).toMatch(/^(node:\d+\.\d+|debian:\d+)\.\d+-slim$/);
  });

  it('runs commands only on the platform of the builder, so that other platforms need no emulation', () => {
    const stages = dockerfile.split(/^(?=FROM )/m).slice(1);
    const heads = stages
      .filter((stage) => /^RUN /m.test(stage))
      .map((stage) => stage.split('\n')[0]);
    expect(heads).toEqual(['FROM packages AS sbom', 'FROM packages AS build']);
    expect(dockerfile).toMatch(/^FROM --platform=\$BUILDPLATFORM \S+ AS packages$/m);
  });

  it('labels the image with the version of package.json', () => {
    const { version } = JSON.parse(readDocument('package.json')) as { version: string };
    expect(matches(dockerfile, /image\.version=(\S+)/g)).toEqual([version]);
  });

  it('copies only files that exist and that .dockerignore does not exclude', () => {
    const copied = matches(dockerfile, /^COPY (?!--from)(.+) \S+$/gm).flatMap((list) =>
      list.split(' '),
    );
    const letIn = matches(readDocument('.dockerignore'), /^!(.+)$/gm);
    expect(copied).toContain('src');
    for (const path of copied) expect(existsInProject(path), path).toBe(true);
    for (const path of copied)
      expect(
        letIn.some((entry) => `${path}/`.startsWith(`${entry}/`)),
        path,
      ).toBe(true);
  });

  it('runs the built service as an unprivileged user with a readiness check', () => {
    expect(dockerfile).toMatch(/^HEALTHCHECK .*\n.*\/api\/health\/ready/m);
    expect(dockerfile).toMatch(/^USER node$/m);
    expect(dockerfile).toMatch(/^CMD \["node", "dist\/main.js"\]$/m);
  });
});
