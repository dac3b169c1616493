import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProgram } from '../../src/create-program.js';
import { parseEnvironment } from '../../src/platform/config/parse-environment.js';
import { parseSettings } from '../../src/platform/config/parse-settings.js';
import { plannedStatements } from '../../src/platform/database/migrations/dialect.js';
import { MIGRATIONS } from '../../src/platform/database/migrations/list.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { buildDocument } from '../../src/platform/openapi/openapi.js';
// @ts-expect-error The scripts have no types.
import * as releases from '../../scripts/release/releases.mjs';
// @ts-expect-error The scripts have no types.
import { describeSurface } from '../../scripts/release/surface.mjs';
import { startApp, type TestApp } from '../support/api/app.js';
import { readDocument } from '../support/documents/source-code.js';

/** Each check compares one part of this tree with the newest release, or with every release. */
type Gate = 'migrations' | 'openapi' | 'metrics' | 'commands' | 'settings' | 'environment';
interface Break {
  release: string;
  what: string;
}

const listed = JSON.parse(readDocument('releases/breaks.json'));
const { version } = JSON.parse(readDocument('package.json'));
let service: TestApp;
let breaks: Record<Gate, Break[]>;

beforeAll(async () => {
  const recorded = releases.readReleases();
  // The variable makes the service register the Redis metrics.
  service = await startApp({ env: { REDIS_URL: 'redis://127.0.0.1:1' } });
  const surface = await describeSurface({
    document: buildDocument(service.app),
    registry: service.app.get(Metrics).registry,
    program: createProgram(),
    migrations: MIGRATIONS.map((Migration) => new Migration()),
    plannedStatements,
  });
  breaks = releases.allBreaks(recorded, surface, {
    parseSettings: (text: string) => parseSettings(text, 'settings.yaml'),
    parseEnvironment,
    environment: readFileSync('.env.example', 'utf8'),
  });
});
afterAll(() => service?.stop());

describe('This tree, compared with the newest release,', () => {
  it.each<[string, Gate]>([
    ['keeps every migration unchanged', 'migrations'],
    ['breaks no client of the API', 'openapi'],
    ['keeps every metric and label', 'metrics'],
    ['keeps every command, argument and option', 'commands'],
    ['accepts the settings file of every release', 'settings'],
    ['accepts the .env of every release', 'environment'],
  ])('%s', (_, gate) => {
    expect(releases.unacceptedBreaks(breaks[gate], listed, version)).toEqual([]);
  });

  it('has every break that releases/breaks.json lists', () => {
    const found = Object.values(breaks).flat();
    expect(releases.wrongEntries(found, listed, version)).toEqual([]);
  });
});
