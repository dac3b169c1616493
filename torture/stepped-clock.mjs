// Loaded into an instance by `--import`: its clock is as many milliseconds off as the file says.
import { readFileSync } from 'node:fs';

const file = process.env.TORTURE_CLOCK;
const TrueDate = Date;
let offset = 0;

function read() {
  try {
    offset = Number(readFileSync(file, 'utf8')) || 0;
  } catch {
    offset = 0;
  }
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
