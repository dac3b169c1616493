import { existsSync, readFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import { getMetadataStorage } from 'class-validator';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { Environment } from '../../src/config/environment.js';

interface Service {
  image?: string;
  build?: string;
  env_file?: string;
  environment?: Record<string, string>;
  volumes?: string[];
  ports?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: unknown;
  networks?: { default: { ipv4_address: string } };
}

interface Compose {
  services: Record<string, Service>;
  networks: { default: { ipam: { config: { subnet: string }[] } } };
  volumes: Record<string, unknown>;
}

const settings = [
  ...new Set(
    getMetadataStorage()
      .getTargetValidationMetadatas(Environment, '', false, false)
      .map(({ propertyName }) => propertyName),
  ),
];
const readByComposeAlone = ['MARIADB_PASSWORD'];

const example = read('.env.example');
const exampleNames = matches(example, /^#?([A-Z][A-Z0-9_]*)=/gm);
const composeText = read('docker-compose.yml');
const compose: Compose = parse(composeText, { merge: true });
const services = Object.entries(compose.services);
const instances = services.filter(([, service]) => service.build !== undefined);
const nginxConfig = read('config/nginx.conf');
const dockerfile = read('Dockerfile');

function read(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
}

function exists(path: string): boolean {
  return existsSync(new URL(`../../${path}`, import.meta.url));
}

function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map((match) => match[1]!);
}

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

describe('docker-compose.yml', () => {
  it('takes from .env only what .env.example names', () => {
    const used = matches(composeText, /\$\{([A-Z0-9_]+)/g);
    expect(used).toContain('MARIADB_PASSWORD');
    expect(exampleNames).toEqual(expect.arrayContaining(used));
  });

  it('gives the instances settings that exist', () => {
    expect(instances.map(([name]) => name)).toEqual(['app1', 'app2']);
    for (const [, { env_file, environment }] of instances) {
      expect(env_file).toBe('.env');
      expect(settings).toEqual(expect.arrayContaining(Object.keys(environment!)));
    }
  });

  it.each(services)('knows where %s comes from', (_, { image, build }) => {
    expect(image ?? build).toEqual(expect.any(String));
    if (build === undefined) expect(image).toMatch(/:[^:]+$/);
  });

  it.each(services)('mounts only what exists into %s', (_, { volumes = [] }) => {
    for (const volume of volumes) {
      const source = volume.split(':')[0]!;
      const known = source.startsWith('./') ? exists(source) : source in compose.volumes;
      expect(known, volume).toBe(true);
    }
  });

  it.each(services)('lets %s wait only for services that tell their health', (_, service) => {
    for (const [name, { condition }] of Object.entries(service.depends_on ?? {})) {
      expect(condition).toBe('service_healthy');
      const other = compose.services[name]!;
      const tells = other.build
        ? /^HEALTHCHECK /m.test(dockerfile)
        : other.healthcheck !== undefined;
      expect(tells, name).toBe(true);
    }
  });

  it('points each URL of the instances at a service', () => {
    const urls = ['DATABASE_URL', 'REDIS_URL', 'SMTP_URL'];
    for (const [, { environment }] of instances) {
      for (const url of urls) {
        const [, host] = environment![url]!.match(/(?:@|\/\/)([a-z]+):\d+/)!;
        expect(Object.keys(compose.services), url).toContain(host);
      }
    }
  });

  it('has nginx in front of exactly these instances, on their port', () => {
    const upstreams = matches(nginxConfig, /^ *server ([^ ;]+:\d+)[ ;]/gm);
    const listening = instances.map(([name, { environment }]) => `${name}:${environment!.PORT}`);
    expect(upstreams).toEqual(listening);
    const [published] = compose.services.nginx!.ports!;
    expect(published!.split(':').at(-1)).toBe(matches(nginxConfig, /^ *listen (\d+)/gm)[0]);
  });

  it('has the instances trust nginx, and nginx alone', () => {
    const address = compose.services.nginx!.networks!.default.ipv4_address;
    for (const [, { environment }] of instances) expect(environment!.TRUST_PROXY).toBe(address);
  });

  it('gives out addresses of its own network, each once', () => {
    const addresses = services.flatMap(([, { networks }]) => networks?.default.ipv4_address ?? []);
    const [network, prefix] = compose.networks.default.ipam.config[0]!.subnet.split('/');
    const subnet = new BlockList();
    subnet.addSubnet(network!, Number(prefix));
    expect(new Set(addresses).size).toBe(3);
    for (const address of addresses) expect(subnet.check(address), address).toBe(true);
  });

  it('publishes neither the databases nor the instances', () => {
    const published = services.filter(([, { ports }]) => ports).map(([name]) => name);
    expect(published.toSorted()).toEqual(['mail', 'nginx']);
  });
});

describe('Dockerfile', () => {
  it('copies only what exists and what .dockerignore lets in', () => {
    const copied = matches(dockerfile, /^COPY (?!--from)(.+) \S+$/gm).flatMap((list) =>
      list.split(' '),
    );
    const letIn = matches(read('.dockerignore'), /^!(.+)$/gm);
    expect(copied).toContain('src');
    for (const path of copied) expect(exists(path), path).toBe(true);
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
