import { existsSync } from 'node:fs';
import { parse } from 'yaml';
import { readDocument } from './source-code.js';

interface ComposeService {
  image?: string;
  build?: string;
  env_file?: string;
  command?: string | string[];
  profiles?: string[];
  environment?: Record<string, string>;
  volumes?: string[];
  ports?: string[];
  extra_hosts?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: unknown;
  networks?: { default: { ipv4_address: string; aliases?: string[] } };
}

interface Parsed {
  services: Record<string, ComposeService>;
  networks: { default: { ipam: { config: { subnet: string; ip_range: string }[] } } };
  volumes: Record<string, unknown>;
}

/** Reads a Compose file and resolves its anchors. */
export class ComposeFile {
  readonly text: string;
  readonly services: Record<string, ComposeService>;
  readonly subnet: string;
  readonly ipRange: string;
  readonly volumes: string[];

  constructor(readonly name: string) {
    this.text = readDocument(name);
    const { services, networks, volumes } = parse(this.text, { merge: true }) as Parsed;
    this.services = services;
    const [config] = networks.default.ipam.config;
    this.subnet = config!.subnet;
    this.ipRange = config!.ip_range;
    this.volumes = Object.keys(volumes);
  }

  get entries(): [string, ComposeService][] {
    return Object.entries(this.services);
  }

  /** Returns the Gatehouse instances without the desk, which has its own command. */
  get instances(): [string, ComposeService][] {
    return this.entries.filter(([, { image, command }]) => image === 'gatehouse' && !command);
  }

  /** Returns all names and addresses of a service in the network. */
  namesOf(name: string): string[] {
    const network = this.services[name]?.networks?.default;
    return [name, ...(network?.aliases ?? []), ...(network ? [network.ipv4_address] : [])];
  }

  /** Returns the environment with the file's defaults, and with `password` for required values. */
  environmentOf(name: string): Record<string, string> {
    const given = Object.entries(this.services[name]!.environment ?? {});
    const fill = (value: string) =>
      value.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1').replaceAll(/\$\{\w+:\?[^}]*\}/g, 'password');
    return Object.fromEntries(given.map(([key, value]) => [key, fill(value)]));
  }
}

export function existsInProject(path: string): boolean {
  return existsSync(new URL(`../../../${path}`, import.meta.url));
}

export function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map((match) => match[1]!);
}

/** Returns the images that a Dockerfile is based on, without its own stages. */
export function basesIn(dockerfile: string): string[] {
  const stages = matches(dockerfile, /^FROM .+ AS (\S+)$/gm);
  const bases = matches(dockerfile, /^FROM (?:--platform=\S+ )?(\S+)/gm);
  return bases.filter((base) => !stages.includes(base));
}
