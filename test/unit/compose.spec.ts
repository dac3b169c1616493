import { BlockList } from 'node:net';
import { getMetadataStorage } from 'class-validator';
import { describe, expect, it } from 'vitest';
import { Environment } from '../../src/platform/config/environment.js';
import { parseDatabaseUrl } from '../../src/platform/config/database-url.js';
import { parseRedisUrl } from '../../src/platform/config/redis-url.js';
import { ComposeFile, existsInProject, matches } from '../support/documents/compose.js';
import { readDocument } from '../support/documents/source-code.js';

const settings = [
  ...new Set(
    getMetadataStorage()
      .getTargetValidationMetadatas(Environment, '', false, false)
      .map(({ propertyName }) => propertyName),
  ),
];
const readByComposeAlone = ['MARIADB_PASSWORD'];

const example = readDocument('.env.example');
const exampleNames = matches(example, /^#?([A-Z][A-Z0-9_]*)=/gm);
const nginxConfig = readDocument('config/nginx.conf');
const dockerfile = readDocument('Dockerfile');

describe('.env.example', () => {
  it('names every setting once, and nothing else', () => {
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

  it('sets nothing but secrets to be replaced', () => {
    const values = matches(example, /^[A-Z_]+=(.*)$/gm);
    expect(values).not.toEqual([]);
    for (const value of values) expect(value).toMatch(/^replace-with-/);
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
    apps: ['app1', 'app2', 'app3'],
    addresses: 6,
    published: ['mail', 'nginx'],
  },
])('$file.name', ({ file, apps, addresses, published: open }) => {
  it('takes from .env only what .env.example names', () => {
    const used = matches(file.text, /\$\{([A-Z0-9_]+)/g);
    expect(used).toContain('MARIADB_PASSWORD');
    expect(exampleNames).toEqual(expect.arrayContaining(used));
  });

  it('gives the instances settings that exist', () => {
    expect(file.instances.map(([name]) => name)).toEqual(apps);
    for (const [, { env_file, environment }] of file.instances) {
      expect(env_file).toBe('.env');
      expect(settings).toEqual(expect.arrayContaining(Object.keys(environment!)));
    }
  });

  it.each(file.entries)('knows where %s comes from', (_, { image, build }) => {
    expect(image ?? build).toEqual(expect.any(String));
    if (build === undefined) expect(image).toMatch(/:[^:]+$/);
  });

  it.each(file.entries)('mounts only what exists into %s', (_, { volumes = [] }) => {
    for (const volume of volumes) {
      const source = volume.split(':')[0]!;
      const known = source.startsWith('./')
        ? existsInProject(source)
        : file.volumes.includes(source);
      expect(known, volume).toBe(true);
    }
  });

  it('mounts every volume that it names', () => {
    const mounted = file.entries.flatMap(([, { volumes = [] }]) => volumes);
    const sources = new Set(mounted.map((volume) => volume.split(':')[0]));
    for (const name of file.volumes) expect(sources, name).toContain(name);
  });

  it.each(file.entries)('lets %s wait only for services that tell their health', (_, service) => {
    for (const [name, { condition }] of Object.entries(service.depends_on ?? {})) {
      expect(condition).toBe('service_healthy');
      const other = file.services[name]!;
      const tells = other.build
        ? /^HEALTHCHECK /m.test(dockerfile)
        : other.healthcheck !== undefined;
      expect(tells, name).toBe(true);
    }
  });

  it('points each URL of the instances at services', () => {
    for (const app of apps) {
      const { DATABASE_URL, REDIS_URL, SMTP_URL } = file.environmentOf(app);
      const hosts = [
        ...parseDatabaseUrl(DATABASE_URL!).hosts,
        ...parseRedisUrl(REDIS_URL!).hosts,
      ].map(({ host }) => host);
      hosts.push(new URL(SMTP_URL!).hostname);
      expect(Object.keys(file.services)).toEqual(expect.arrayContaining(hosts));
    }
  });

  it('has nginx in front of exactly these instances, on their port', () => {
    const named = matches(nginxConfig, /^ *server ([^ ;]+:\d+)[ ;]/gm);
    const upstreams = [...new Set(named)];
    // Every group has them all.
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

  it('tells nginx where each instance is, so that it starts while one is down', () => {
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

  it('has the instances trust nginx, and nginx alone', () => {
    const address = file.services.nginx!.networks!.default.ipv4_address;
    for (const [, { environment }] of file.instances)
      expect(environment!.TRUST_PROXY).toBe(address);
  });

  it('gives out addresses of its own network, each once', () => {
    const given = file.entries.flatMap(([, { networks }]) => networks?.default.ipv4_address ?? []);
    const [network, prefix] = file.subnet.split('/');
    const subnet = new BlockList();
    subnet.addSubnet(network!, Number(prefix));
    expect(new Set(given).size).toBe(addresses);
    expect(given).toHaveLength(addresses);
    for (const address of given) expect(subnet.check(address), address).toBe(true);
  });

  it('publishes neither the databases nor the instances', () => {
    const published = file.entries.filter(([, { ports }]) => ports).map(([name]) => name);
    expect(published.toSorted()).toEqual(open);
  });

  it('publishes on this machine alone', () => {
    for (const [, { ports = [] }] of file.entries)
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
  });
});

describe('the desk under Compose', () => {
  const file = new ComposeFile('docker-compose.yml');

  it('is off unless asked for, a container of its own, and known to no instance nor to nginx', () => {
    const { profiles, image, command, ports } = file.services.desk!;
    expect([profiles, command]).toEqual([['desk'], ['node', 'dist/desk.js']]);
    for (const [name, app] of file.instances) {
      expect(image).toBe(`${app.image}:latest`);
      expect(file.environmentOf(name).DESK_PORT).toBe('0');
    }
    const { DESK_PORT, DESK_HOST, DATABASE_URL } = file.environmentOf('desk');
    expect([DESK_HOST, ports]).toEqual(['0.0.0.0', [`127.0.0.1:${DESK_PORT}:${DESK_PORT}`]]);
    expect(DATABASE_URL).toBe(file.environmentOf('app1').DATABASE_URL);
    expect(nginxConfig).not.toContain(DESK_PORT);
  });
});

describe('Dockerfile', () => {
  it('copies only what exists and what .dockerignore lets in', () => {
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

  it('runs the built service as an ordinary user', () => {
    expect(dockerfile).toMatch(/^USER node$/m);
    expect(dockerfile).toMatch(/^CMD \["node", "dist\/main.js"\]$/m);
  });
});
