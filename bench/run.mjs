// Implements `npm run bench`. Exits with 1 if a measurement misses its target.
import { writeFileSync } from 'node:fs';
import { options } from './options.mjs';
import { requirePrograms } from './programs.mjs';

requirePrograms();
// The modules are imported only after the check, because most of them need these programs.
const { machine, toMarkdown, toText } = await import('./report.mjs');
const report = await measure();
console.log(`\n${toText(report)}`);
const { bars, figures } = report;
const record = { at: new Date(), machine: machine(), options, ...figures, bars };
if (options.json) writeFileSync(options.json, `${JSON.stringify(record, undefined, 2)}\n`);
if (options.markdown) writeFileSync(options.markdown, toMarkdown(report));
process.exit(bars.some(({ held }) => held === false) ? 1 : 0);

async function measure() {
  if (options.growth) return (await import('./growth.mjs')).measureGrowth(options);
  if (options.soak) return (await import('./soak.mjs')).measureSoak(options);
  if (options.overload) return (await import('./overload.mjs')).measureOverload(options);
  return (await import('./paths.mjs')).measurePaths(options);
}
