// What was measured, as a table for people and as JSON for machines.
import { cpus, totalmem } from 'node:os';
import { median } from './stage.mjs';

/** The middle of the rounds, and how far they lie apart in percent of it. */
export function summarise(rounds) {
  const middle = (what) => median(rounds.map((round) => round[what]));
  const rates = rounds.map(({ rate }) => rate);
  return {
    rate: middle('rate'),
    spread: ((Math.max(...rates) - Math.min(...rates)) / middle('rate')) * 100,
    p50Ms: middle('p50Ms'),
    p99Ms: middle('p99Ms'),
    processorMicroseconds: middle('processorMicroseconds'),
  };
}

export function compare({ name, bar }, floor, service) {
  const ratio = service.rate / floor.rate;
  return { name, floor, service, ratio, bar, passed: bar === undefined || ratio >= bar };
}

export function machine() {
  const memoryGb = Math.round(totalmem() / 2 ** 30);
  return { processor: cpus()[0].model, cores: cpus().length, memoryGb, node: process.version };
}

export function print({ scenarios, limits, memory }) {
  const heads = ['', 'a second', '±', 'p50 ms', 'p99 ms', 'CPU µs', 'ratio', 'bar', ''];
  const rows = scenarios.flatMap(({ name, floor, service, ratio, bar, passed }) => [
    [`${name}: floor`, ...figures(floor), '', '', ''],
    [
      `${name}: service`,
      ...figures(service),
      ratio.toFixed(2),
      bar === undefined ? '–' : bar.toFixed(2),
      verdict({ bar, passed }),
    ],
  ]);
  printTable([heads, ...rows]);
  for (const limit of limits)
    console.log(
      `${limit.name}: ${limit.measured.toFixed(0)} ${limit.unit}, bar ${limit.bar}: ${verdict(limit)}`,
    );
  for (const [when, { floor, service }] of Object.entries(memory))
    console.log(`memory ${when}: floor ${floor.toFixed(0)} MB, service ${service.toFixed(0)} MB`);
}

function figures({ rate, spread, p50Ms, p99Ms, processorMicroseconds }) {
  return [
    rate.toFixed(0),
    `${spread.toFixed(0)} %`,
    p50Ms.toFixed(1),
    p99Ms.toFixed(1),
    processorMicroseconds.toFixed(0),
  ];
}

function verdict({ bar, passed }) {
  if (bar === undefined) return '';
  return passed ? 'pass' : 'FAIL';
}

function printTable(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  for (const [name, ...cells] of rows) {
    const padded = cells.map((cell, place) => cell.padStart(widths[place + 1]));
    console.log([name.padEnd(widths[0]), ...padded].join('  ').trimEnd());
  }
}
