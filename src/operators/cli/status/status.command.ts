import type { Report } from '../command.js';
import { listTable } from '../terminal.js';
import {
  configuredInstances,
  fetchInstanceMetrics,
  type InstanceMetrics,
  NO_METRICS,
  areFailing,
  describeDeliveries,
} from '../../actions/instances/instance-metrics.js';
import {
  fetchInstanceStatus,
  INSTANCE_PROBLEMS,
  type InstanceStatus,
  versionsDiffer,
} from '../../actions/instances/instance-status.js';
import { ConfigurationError } from '../../../platform/config/configuration-error.js';
import { loadEnvironment } from '../../../platform/config/load-configuration.js';
import { readSettings } from '../../../platform/config/settings.js';
import { DEFAULT_SETTINGS, type SettingsValues } from '../../../platform/config/settings.schema.js';

/** Queries each instance directly, because the web server in front would hide an instance that is down. */
export async function fleetStatus(urls: string[]): Promise<Report> {
  const data = await Promise.all(urls.map(fetchInstance));
  const differ = versionsDiffer(data);
  const ok = data.every(({ problem }) => problem === null) && !differ;
  const text = [
    listTable(data, {
      instance: (one) => one.url,
      ready: (one) => (one.ready ? 'yes' : 'NO'),
      ms: (one) => one.ms,
      version: (one) => one.version,
      redis: (one) => one.redis,
      settings: (one) => one.settings,
      agreement: (one) => one.agreement,
      templates: (one) => one.mail_templates,
      loop: ({ loop_ms: loop }) => (loop === null ? null : `${loop} ms`),
      'slowest mail': ({ slowest_mail: slowest }) =>
        slowest === null ? null : `${slowest.toFixed(1)} s`,
      'mails in 10 minutes': ({ mails_last_10_minutes: mails }) =>
        mails && describeDeliveries(mails),
      problem: ({ problem }) => problem,
    }),
    ...(differ ? ['They do not run the same version: finish the upgrade.'] : []),
  ];
  return { text: text.join('\n\n'), data, ok };
}

async function fetchInstance(url: string) {
  const status = await fetchInstanceStatus(url);
  const figures = status.ready ? await fetchInstanceMetrics(url) : NO_METRICS;
  const one = { ...status, ...(typeof figures === 'string' ? NO_METRICS : figures) };
  return { ...one, problem: problemOf(one) };
}

function problemOf({
  problem,
  is_slow: isSlow,
  mail_is_slow: mailIsSlow,
  mails_last_10_minutes: deliveries,
}: InstanceStatus & InstanceMetrics): string | null {
  const problems = [
    problem,
    isSlow && INSTANCE_PROBLEMS.overloaded,
    deliveries && areFailing(deliveries) && 'too many mails fail',
    mailIsSlow && 'mails are slow',
  ];
  return problems.filter(Boolean).join(', ') || null;
}

export function configuredUrls(): string[] {
  const environment = loadEnvironment();
  const values = readOrDefault(environment.SETTINGS_FILE);
  return configuredInstances(environment, values).map(({ url }) => url);
}

/** Falls back to defaults if the settings file is invalid, because the instance on this host reports the mistake. */
function readOrDefault(file: string): SettingsValues {
  try {
    return readSettings(file).values;
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    console.error(`${file} is refused: asking only the instance on this host`);
    return DEFAULT_SETTINGS;
  }
}
