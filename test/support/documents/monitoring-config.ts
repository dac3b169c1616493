import { parse } from 'yaml';
import { readDocument } from './source-code.js';

interface Alert {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}
interface Panel {
  id: number;
  title: string;
  gridPos: Record<'x' | 'y' | 'w' | 'h', number>;
  targets?: { expr: string; legendFormat: string }[];
}
/** Describes a metric in an expression with its label matchers. */
interface MetricUse {
  metric: string;
  labels: { name: string; operator: string; value: string }[];
  expression: string;
}

const rulesIn = <Rule>(file: string): Rule[] =>
  (
    parse(readDocument(`config/prometheus/${file}`)) as { groups: { rules: Rule[] }[] }
  ).groups.flatMap(({ rules }) => rules);

export const alerts = rulesIn<Alert>('gatehouse.alerts.yml');
export const recordings = rulesIn<{ record: string; expr: string }>('gatehouse.rules.yml');
export const dashboard = JSON.parse(readDocument('config/grafana/gatehouse.json')) as {
  panels: Panel[];
};
/** Holds the expressions as Grafana sends them, with its variables filled in. */
export const dashboardExpressions = dashboard.panels
  .flatMap(({ targets = [] }) => targets)
  .map(({ expr }) => expr.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.*'));

const NAME = /\b(?:gatehouse|process|nodejs)_\w+|\bup\b|\b\w+:\w+:\w+/g;
const MATCHER = /(\w+)(=~|!~|!=|=)"([^"]*)"/g;

/** Prometheus adds these labels to each series. */
const ADDED = ['job', 'instance', 'le'];

export function metricUsesIn(expression: string): MetricUse[] {
  return [...expression.matchAll(NAME)].map(({ 0: metric, index }) => {
    const [, inside = ''] = /^\{([^}]*)\}/.exec(expression.slice(index + metric.length)) ?? [];
    const labels = [...inside.matchAll(MATCHER)]
      .map(([, name, operator, value]) => ({ name: name!, operator: operator!, value: value! }))
      .filter(({ name }) => !ADDED.includes(name));
    return { metric, labels, expression };
  });
}

/** Returns the labels that an expression sums by. */
export function groupingIn(expression: string): string[] {
  return [...expression.matchAll(/\bby \(([^)]*)\)/g)]
    .flatMap(([, names]) => names!.split(/, */))
    .filter((name) => !ADDED.includes(name));
}

export type Series = Map<string, Record<string, string>[]>;

/** Parses the response of `GET /api/metrics` and returns the series by metric. */
export function seriesIn(text: string): Series {
  const series: Series = new Map();
  for (const [, name, labels = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]);
    series.set(name!, [...(series.get(name!) ?? []), Object.fromEntries(pairs)]);
  }
  return series;
}
