// Shifts Date by the milliseconds in a file. An instance preloads this module with `--import`.
import { readFileSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const file = process.env.TORTURE_CLOCK;
const RealDate = Date;
let offset;

function read() {
  const wanted = Number(readFileSync(file, 'utf8'));
  if (wanted === offset) return;
  offset = wanted;
  if (isMainThread) writeFileSync(`${file}-of-${process.pid}`, String(offset));
}

read();
setInterval(read, 100).unref();

globalThis.Date = class extends RealDate {
  constructor(...values) {
    if (values.length === 0) super(RealDate.now() + offset);
    else super(...values);
  }

  static now() {
    return RealDate.now() + offset;
  }
};
