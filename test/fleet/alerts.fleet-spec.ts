import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import {
  alerts,
  dashboardExpressions,
  recordings,
} from '../support/documents/monitoring-config.js';
import { removeFolder, temporaryFolder } from '../support/servers/temporary-folder.js';

function promtool(...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync('promtool', args, { encoding: 'utf8' });
  expect(error).toBeUndefined();
  expect(`${stdout}${stderr}`).not.toContain('FAILED');
  expect(status, `${stdout}${stderr}`).toBe(0);
  return stdout;
}

describe('promtool', () => {
  it('accepts config/prometheus/prometheus.yml with its rules', () => {
    const output = promtool('check', 'config', 'config/prometheus/prometheus.yml');
    expect(output).toContain(`${recordings.length} rules found`);
    expect(output).toContain(`${alerts.length} rules found`);
  });

  it('sees each alert fire in its scenario, and none under normal load', () => {
    promtool('test', 'rules', 'test/fleet/alerts.promtool.yml');
  });

  it('accepts the expressions of the Grafana dashboard', () => {
    const folder = temporaryFolder('dashboard');
    const file = join(folder, 'rules.yml');
    const rules = dashboardExpressions.map((expr, index) => ({ record: `panel_${index}`, expr }));
    writeFileSync(file, stringify({ groups: [{ name: 'dashboard', rules }] }));
    expect(promtool('check', 'rules', file)).toContain(`${rules.length} rules found`);
    removeFolder(folder);
  });
});
