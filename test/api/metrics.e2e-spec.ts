import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERROR_TABLE } from '../../src/platform/http/errors/error-table.js';
import { WithdrawalSweeper } from '../../src/features/withdraw/withdrawal-sweeper.js';
import { type TestApp, startApp } from '../support/api/app.js';
import { addServer } from '../support/api/factories.js';
import { freePort } from '../support/servers/free-port.js';
import { until } from '../support/until.js';
import {
  alerts,
  dashboardExpressions,
  groupingIn,
  recordings,
  type Series,
  seriesIn,
  metricUsesIn,
} from '../support/documents/monitoring-config.js';

let service: TestApp;
let fresh: string;
let series: Series;

beforeAll(async () => {
  service = await startApp({
    env: { REDIS_URL: `redis://127.0.0.1:${await freePort()}` },
    settings: { events: [{ name: 'game', url: 'https://game.example/events' }] },
  });
  await addServer(service.database, { id: 3 });
  await addServer(service.database, { id: 4, status: 'closed' });
  await addServer(service.database, { id: 5, mergedInto: 3 });
  // The request histogram has lines only for routes that were requested.
  await service.client.get('/api/health/ready');
  await until(async () => {
    await service.app.get(WithdrawalSweeper).job.run();
    fresh = (await service.client.get('/api/metrics')).text;
    return fresh.includes('server="3"');
  });
  series = seriesIn(fresh);
});
afterAll(() => service.stop());

const expressions = [
  ...new Set([...[...alerts, ...recordings].map(({ expr }) => expr), ...dashboardExpressions]),
];
const recorded = new Map(recordings.map(({ record, expr }) => [record, expr]));

/** Returns the service's metrics in an expression; Prometheus itself adds `up`. */
const shownIn = (expr: string) => metricUsesIn(expr).filter(({ metric }) => metric !== 'up');

/** Returns a metric's series; a recording rule's series have the labels that it sums by. */
function seriesOf(metric: string): Record<string, string>[] {
  const expr = recorded.get(metric);
  return series.get(expr ? metricUsesIn(expr)[0]!.metric : metric) ?? [];
}

describe('Every alert, recording rule and dashboard panel', () => {
  it.each(expressions.filter((expr) => shownIn(expr).length > 0))(
    'uses metrics that exist from startup: %s',
    (expr) => {
      for (const { metric, labels } of shownIn(expr)) {
        const found = seriesOf(metric);
        expect(found, metric).not.toEqual([]);
        const wanted = found.filter((one) =>
          labels.every(({ name, operator, value }) => {
            if (operator.startsWith('!')) return name in one;
            return operator === '='
              ? one[name] === value
              : new RegExp(`^(?:${value})$`).test(one[name]!);
          }),
        );
        expect(wanted, `${metric} with ${JSON.stringify(labels)}`).not.toEqual([]);
        const names = found.flatMap((one) => Object.keys(one));
        expect(names).toEqual(expect.arrayContaining(groupingIn(expr)));
      }
    },
  );
});

describe('The counter', () => {
  const valuesOf = (metric: string, label: string) =>
    (series.get(metric) ?? []).map((one) => one[label]!).toSorted();

  it.each([
    ['gatehouse_errors_total', 'error', Object.keys(ERROR_TABLE)],
    [
      'gatehouse_logins_total',
      'outcome',
      [
        'ok',
        'second_factor_required',
        'second_factor_invalid',
        'bad_credentials',
        'login_throttled',
        'account_disabled',
        'failed',
      ],
    ],
    [
      'gatehouse_login_locks_total',
      'scope',
      ['account_and_address', 'address', 'account', 'second_factor'],
    ],
    [
      'gatehouse_codes_total',
      'outcome',
      [
        'challenge_required',
        'invalid_request',
        'sent',
        'code_throttled',
        'mail_unavailable',
        'failed',
      ],
    ],
    ['gatehouse_chat_records_total', 'outcome', ['accepted', 'duplicate', 'rejected']],
    ['gatehouse_game_server_failures_total', 'failure', ['database', 'not_reached', 'unknown']],
  ])('%s has all its label values from startup', (metric, label, values) => {
    expect(valuesOf(metric, label)).toEqual(values.toSorted());
    const nonZero = fresh
      .split('\n')
      .filter((line) => line.startsWith(metric) && !line.endsWith(' 0'));
    expect(nonZero).toEqual([]);
  });
});

describe('The per-server metric', () => {
  it.each([
    'gatehouse_game_server_failures_total',
    'gatehouse_withdrawals_unknown',
    'gatehouse_withdrawals_unknown_oldest_seconds',
  ])('%s covers open servers and omits closed and merged ones', (metric) => {
    expect(new Set(series.get(metric)?.map(({ server }) => server))).toEqual(new Set(['3']));
  });
});

it('GET /api/metrics reports the state of the account database', () => {
  expect(fresh).toMatch(/^gatehouse_database_up 1$/m);
  expect(fresh).toMatch(/^gatehouse_build_info\{version="[^"]+",commit="[^"]*",node="[^"]+"\} 1$/m);
});
