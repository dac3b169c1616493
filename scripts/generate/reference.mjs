import { ERROR_TABLE } from '../../dist/platform/http/errors/error-table.js';
import { Metrics } from '../../dist/platform/metrics/metrics.js';
import { environmentVariables, settings } from './fields.mjs';

/** `docs/reference.md`. */
export async function referencePage(app) {
  return `<!-- Generated from the code: npm run generate -->

# Reference

- [Errors](#errors)
- [Environment variables](#environment-variables)
- [Settings](#settings)
- [Metrics](#metrics)

## Errors

Every error has one shape:

\`\`\`json
{
  "code": 42201,
  "error": "code_invalid",
  "message": "The verification code is wrong or has expired.",
  "request_id": "01M7EDM3V10PXRM1K13ET0A1YY"
}
\`\`\`

- \`code\` is the HTTP status × 100 + n, \`error\` its stable name. Branch on either, never on \`message\`.
- \`request_id\` is also the \`X-Request-Id\` header, and every log line of the request contains it.
- \`details\` lists fields, only on \`invalid_request\` and \`amount_out_of_range\`.
- \`retry_after\` is in seconds, with the \`Retry-After\` header, only where waiting helps.

${table(['code', 'error', 'when'], errorRows())}

## Environment variables

The service reads \`.env\` and the process environment once, at the start; the process environment wins. If anything is wrong, it prints every problem and exits with 1. [.env.example](../.env.example) has more on the URLs.

${table(['variable', 'default', 'value', 'meaning'], environmentRows())}

## Settings

[config/settings.yaml](../config/settings.yaml) has these keys. Every instance applies a change of the file within 2 seconds; [operations.md](operations.md#settings) says what happens if it has a mistake. Times are seconds.

${table(['setting', 'default', 'value', 'meaning'], settingRows(settings()))}

## Metrics

\`GET /api/metrics\` returns these, besides prom-client's own \`process_…\` and \`nodejs_…\`. [operations.md](operations.md#metrics-and-alarms) has the alarms.

${table(['metric', 'type', 'labels', 'meaning'], await metricRows(app))}
`;
}

const errorRows = () =>
  Object.entries(ERROR_TABLE).map(([name, [code, when]]) => [code, quoted(name), when]);

const environmentRows = () =>
  environmentVariables().map(({ name, value, default: computed, isRequired, rule, text }) => [
    quoted(name),
    isRequired ? 'required with `DATABASE_URL`' : quoted(value ?? computed),
    rule,
    firstParagraph(text),
  ]);

const settingRows = (fields, prefix = '') =>
  fields.flatMap(({ name, value, rule, text, fields: inner }) =>
    inner
      ? settingRows(inner, `${prefix}${name}.`)
      : [[quoted(prefix + name), quoted(JSON.stringify(value)), rule, firstParagraph(text)]],
  );

async function metricRows(app) {
  const { registry } = app.get(Metrics);
  const metrics = registry.getMetricsAsArray().filter(({ name }) => name.startsWith('gatehouse_'));
  const rows = metrics.map(async (metric) => {
    const { type } = await metric.get();
    const labels = metric.labelNames.map(quoted).join(', ');
    return [quoted(metric.name), type, labels, metric.help];
  });
  return (await Promise.all(rows)).toSorted(([one], [other]) => (one < other ? -1 : 1));
}

const firstParagraph = (text) => text.split('\n\n')[0].replaceAll('\n', ' ');
const quoted = (value) => (value === undefined ? '' : `\`${value}\``);

function table(head, rows) {
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');
}
