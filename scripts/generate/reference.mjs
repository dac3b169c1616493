import { ERROR_TABLE } from '../../dist/platform/http/errors/error-table.js';
import { Metrics } from '../../dist/platform/metrics/metrics.js';

/** Returns the text of `docs/reference.md`. */
export async function referencePage(app) {
  return `<!-- Generated from the code: npm run generate -->

# Reference

## Errors

Every error has this shape:

\`\`\`json
{
  "code": 42201,
  "error": "code_invalid",
  "message": "The verification code is wrong or has expired.",
  "request_id": "01M7EDM3V10PXRM1K13ET0A1YY"
}
\`\`\`

- \`code\` is the HTTP status × 100 + n, and \`error\` is its stable name. Branch on either, never on \`message\`.
- \`request_id\` is also the \`X-Request-Id\` header, and every log line of the request contains it.
- \`details\` lists the fields of \`invalid_request\`, \`amount_out_of_range\` and \`password_weak\`.
- \`retry_after\` is the number of seconds to wait, also in the \`Retry-After\` header; it is absent if a retry does not help.

${errorLines()}

## Metrics

\`GET /api/metrics\` returns these metrics, and prom-client's \`process_…\` and \`nodejs_…\`. [operations.md](operations.md#metrics-and-alerts) explains the alerts.

${await metricLines(app)}
`;
}

const errorLines = () =>
  Object.entries(ERROR_TABLE)
    .map(([name, [code, when]]) => `- ${code} ${quoted(name)}: ${when}`)
    .join('\n');

async function metricLines(app) {
  const { registry } = app.get(Metrics);
  const metrics = registry.getMetricsAsArray().filter(({ name }) => name.startsWith('gatehouse_'));
  const lines = metrics.map(async (metric) => {
    const { type } = await metric.get();
    const facts = [type, ...metric.labelNames.map(quoted)].join(', ');
    return `- ${quoted(metric.name)} (${facts}): ${metric.help}`;
  });
  return (await Promise.all(lines)).toSorted((a, b) => (a < b ? -1 : 1)).join('\n');
}

const quoted = (value) => `\`${value}\``;
