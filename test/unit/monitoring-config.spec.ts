import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { alerts, dashboard } from '../support/documents/monitoring-config.js';
import { readDocument } from '../support/documents/source-code.js';

const runbook = readDocument('docs/operations.md');

describe('config/prometheus', () => {
  it('scrapes the metrics endpoint of the instances', () => {
    const config = parse(readDocument('config/prometheus/prometheus.yml'));
    expect(config.scrape_configs).toMatchObject([
      { job_name: 'gatehouse', metrics_path: '/api/metrics' },
    ]);
  });

  it('has a scenario for each alert in test/fleet/alerts.promtool.yml', () => {
    const { tests } = parse(readDocument('test/fleet/alerts.promtool.yml')) as {
      tests: { alert_rule_test?: { alertname: string; exp_alerts: unknown[] }[] }[];
    };
    const raised = tests
      .flatMap(({ alert_rule_test = [] }) => alert_rule_test)
      .filter(({ exp_alerts }) => exp_alerts.length > 0)
      .map(({ alertname }) => alertname);
    expect(raised.toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted());
  });

  it('gives each alert a severity, a summary and a runbook section that names it', () => {
    const sections = new Map(
      runbook
        .split(/^#+ (?=.+$)/m)
        .map((section) => [section.split('\n')[0]!.toLowerCase().replaceAll(' ', '-'), section]),
    );
    for (const { alert, labels, annotations } of alerts) {
      expect(['critical', 'warning'], alert).toContain(labels.severity);
      expect(annotations.summary, alert).toMatch(/^[A-Z{].{20,}\.$/);
      const [page, anchor] = annotations.runbook.split('#');
      expect(page, alert).toBe('docs/operations.md');
      expect(sections.get(anchor!), alert).toContain(`\`${alert}\``);
    }
  });
});

describe('config/grafana/gatehouse.json', () => {
  it('gives each panel a unique id', () => {
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('places no panel over another or beyond the right edge', () => {
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) => {
      expect(x + w).toBeLessThanOrEqual(24);
      return Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`);
    });
    expect(new Set(cells).size).toBe(cells.length);
  });
});
