// Formats the results as text for the terminal and as Markdown for docs/performance.md.
import { cpus, totalmem } from 'node:os';

export function machine() {
  const memoryGb = Math.round(totalmem() / 2 ** 30);
  return { processor: cpus()[0].model, cores: cpus().length, memoryGb, node: process.version };
}

export const count = (number) => number.toFixed(0);
export const times = (ratio) => `${ratio.toFixed(2)} ×`;
export const percent = (number) => `± ${number.toFixed(0)} %`;

export function toText({ tables, bars }) {
  return [...tables, barTable(bars)].map(textTable).join('\n\n');
}

export function toMarkdown({ tables, bars, pictures = [] }) {
  const { processor, cores, memoryGb, node } = machine();
  const day = new Date().toISOString().slice(0, 10);
  const head = `${day}, ${cores} × ${processor}, ${memoryGb} GB, Node ${node}. Load, database and service share the cores.`;
  return [head, ...pictures, ...[...tables, barTable(bars)].map(markdownList), ''].join('\n\n');
}

function barTable(bars) {
  const rows = bars.map(({ name, measured, unit, least, most, held, why }) => [
    name,
    inUnit(measured, unit),
    least === undefined ? `at most ${inUnit(most, unit)}` : `at least ${inUnit(least, unit)}`,
    held === undefined ? `not checked: ${why}` : held ? 'yes' : 'NO',
  ]);
  return { title: 'bars', heads: ['bar', 'measured', 'required', 'held'], rows };
}

function inUnit(number, unit) {
  return unit === '×' ? times(number) : `${count(number)} ${unit}`;
}

function textTable({ title, heads, rows }) {
  const lines = [heads, ...rows];
  const widths = heads.map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  const aligned = lines.map(([name, ...cells]) =>
    [name.padEnd(widths[0]), ...cells.map((cell, place) => cell.padStart(widths[place + 1]))].join(
      '  ',
    ),
  );
  return [`— ${title}`, ...aligned].join('\n');
}

// A list has fewer words than a table, because each vertical bar counts as a word.
function markdownList({ title, heads, rows }) {
  const lines = rows.map(([name, ...cells]) => `- ${name}: ${cells.join('; ')}`);
  return [`**${title}** (${heads.slice(1).join('; ')})`, '', ...lines].join('\n');
}
