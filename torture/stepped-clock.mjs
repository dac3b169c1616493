// Loaded into an instance by `--import`: its clock is as many milliseconds off as the file says.
import { readFileSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const file = process.env.TORTURE_CLOCK;
const TrueDate = Date;
let offset;

function read() {
  const wanted = Number(readFileSync(file, 'utf8'));
  if (wanted === offset) return;
  offset = wanted;
  if (isMainThread) writeFileSync(`${file}-of-${process.pid}`, String(offset));
}

read();
setInterval(read, 100).unref();

globalThis.Date = class extends TrueDate {
  constructor(...values) {
    if (values.length === 0) super(TrueDate.now() + offset);
    else super(...values);
  }

  static now() {
    return TrueDate.now() + offset;
  }
};
