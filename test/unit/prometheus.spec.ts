import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { readDocument } from '../support/documents/source-code.js';
import { removeFolder, temporaryFolder } from '../support/servers/temporary-folder.js';
import {
  alerts,
  dashboard,
  dashboardExpressions,
  recordings,
} from '../support/documents/monitoring-config.js';

const TESTS = 'test/unit/alerts.promtool.yml';
const runbook = readDocument('docs/operations.md');

function promtool(...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync('promtool', args, { encoding: 'utf8' });
  expect(error).toBeUndefined();
  expect(`${stdout}${stderr}`).not.toContain('FAILED');
  expect(status, `${stdout}${stderr}`).toBe(0);
  return stdout;
}

describe('config/prometheus', () => {
  it('is taken by Prometheus, with its rules', () => {
    const told = promtool('check', 'config', 'config/prometheus/prometheus.yml');
    expect(told).toContain(`${recordings.length} rules found`);
    expect(told).toContain(`${alerts.length} rules found`);
  });

  it('raises each alarm when it should, and none on a quiet day', () => {
    promtool('test', 'rules', TESTS);
  });

  it('has a test of each alarm', () => {
    const { tests } = parse(readDocument(TESTS)) as {
      tests: { alert_rule_test?: { alertname: string; exp_alerts: unknown[] }[] }[];
    };
    const raised = tests
      .flatMap(({ alert_rule_test = [] }) => alert_rule_test)
      .filter(({ exp_alerts }) => exp_alerts.length > 0)
      .map(({ alertname }) => alertname);
    expect(raised.toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted());
  });

  it('asks the instances for their metrics', () => {
    const config = parse(readDocument('config/prometheus/prometheus.yml'));
    expect(config.scrape_configs).toMatchObject([
      { job_name: 'gatehouse', metrics_path: '/api/metrics' },
    ]);
  });
});

describe.each(alerts)('the alarm $alert', ({ alert, labels, annotations }) => {
  it('says how urgent it is, what is wrong, and where the runbook tells what to do', () => {
    expect(['critical', 'warning']).toContain(labels.severity);
    expect(annotations.summary).toMatch(/^[A-Z{].{20,}\.$/);
    const [page, anchor] = annotations.runbook.split('#');
    expect(page).toBe('docs/operations.md');
    const anchors = [...runbook.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
      heading!.toLowerCase().replaceAll(' ', '-'),
    );
    expect(anchors).toContain(anchor);
    expect(runbook).toContain(`| \`${alert}\` `);
  });
});

describe('config/grafana/gatehouse.json', () => {
  it('asks what Prometheus understands', () => {
    const folder = temporaryFolder('dashboard');
    const file = join(folder, 'rules.yml');
    const rules = dashboardExpressions.map((expr, index) => ({ record: `panel_${index}`, expr }));
    writeFileSync(file, stringify({ groups: [{ name: 'dashboard', rules }] }));
    expect(promtool('check', 'rules', file)).toContain(`${rules.length} rules found`);
    removeFolder(folder);
  });

  it('has panels with ids of their own, none upon another', () => {
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) => {
      expect(x + w).toBeLessThanOrEqual(24);
      return Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`);
    });
    expect(new Set(cells).size).toBe(cells.length);
  });
});
