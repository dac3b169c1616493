// `npm run torture`: instances of the built service, MariaDB, Redis, nginx, game servers and a mail server, all real, private and
// on loopback; players who do all that the API offers; faults, one by one and together; and a model that knows what may be true.
//
//   --seed 7            the same operations and faults in the same order (default: drawn, and printed)
//   --minutes 2         how long the history is
//   --withdrawals 500   ends after so many withdrawals that met a fault
//   --faults kill,game  only these (fault-kinds.mjs); `none` is a plain run
//   --instances 2       of the service
//   --engine mysql      of the account database (default: mariadb); MYSQLD names MySQL's server; `galera` is a cluster of three nodes
//   --rate 12           operations a second
//   --shrink-minutes 10 how long a failing run is shortened; 0: not at all
//   --history file      plays the lines that a failing run printed
//
// The history is drawn from the seed before anything runs. What the machine makes of it differs a little from run to run, so a
// rare failure may need a few tries. Ends with 1 where an invariant was violated, after printing the seed and the shortest history
// that still fails. Only processes that the run started itself are killed or stopped.
import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { drawMinute } from './history.mjs';
import { options } from './options.mjs';
import { Play } from './play.mjs';
import { closingLine, figuresText, historyText, replayLine, violationsText } from './report.mjs';
import { replay, shrink } from './shrink.mjs';
import { startEngines } from './stage.mjs';

const say = (text) => console.log(text);

say(replayLine(options));
const engines = await startEngines(options);
let run = 0;
engines.nextRun = () => ++run;
const lag = monitorEventLoopDelay();
lag.enable();
const startedAt = performance.now();
const play = await Play.of(engines, source(), options, engines.nextRun());
const seconds = (performance.now() - startedAt) / 1000;
lag.disable();

if (play.violations.length > 0) {
  say(violationsText(play.violations));
  if (options.shrinkMinutes > 0) {
    const [{ what, entry }] = play.violations;
    const deadline = Date.now() + options.shrinkMinutes * 60_000;
    const { history, tries } = await shrink(play.played, entry, stillFails(what), deadline);
    say(
      `seed ${options.seed}: ${history.length} of ${play.played.length} entries after ${tries} tries:`,
    );
    say(historyText(history));
    say(`with ${replayLine(options)} --history <a file with these lines>`);
  }
}
await engines.stop();
say(figuresText(play));
say(closingLine(play, options, seconds, lag));
process.exit(play.violations.length > 0 ? 1 : 0);

function stillFails(what) {
  return async (entries, number) => {
    const limits = { ...options, withdrawals: Infinity };
    const { violations } = await Play.of(engines, replay(entries), limits, engines.nextRun());
    const found = violations.some((violation) => violation.what === what);
    say(`try ${number}: ${entries.length} entries, ${found ? 'still fails' : 'passes'}`);
    return found;
  };
}

function source() {
  if (options.history) {
    const lines = readFileSync(options.history, 'utf8').split('\n');
    return replay(lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line)));
  }
  const end = options.minutes * 60_000;
  return (minute) =>
    minute * 60_000 < end ? drawMinute(minute, options).filter(({ at }) => at < end) : undefined;
}
