// `npm run torture` runs random operations of players and operators against instances of the built service with private
// MariaDB, Redis, nginx, game and mail servers, injects faults, and compares the results with a model.
//
//   --seed 7            repeats the operations and faults of this seed (default: random, printed)
//   --minutes 2         sets the length of the history
//   --withdrawals 500   ends the run after this many withdrawals that met a fault
//   --faults kill,game  injects only these faults (see fault-kinds.mjs), or `none`
//   --instances 2       sets the number of instances
//   --engine mysql      sets the account database: mariadb (default), mysql (with the server at MYSQLD) or galera (three nodes)
//   --rate 12           sets the operations per second
//   --shrink-minutes 10 limits the time for shrinking a failing history; 0 disables shrinking
//   --history file      plays the history that a failing run printed
//
// The seed determines the history, but timing differs between runs, so a rare failure may need several tries. If
// an invariant is violated, the run exits with 1 and prints the shortest history that still fails. The run signals only
// processes that it started.
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
const play = await Play.of(engines, historySource(), options, engines.nextRun());
const seconds = (performance.now() - startedAt) / 1000;
lag.disable();

if (play.violations.length > 0) {
  say(violationsText(play));
  if (options.shrinkMinutes > 0) {
    const [{ what, entry }] = play.violations;
    const deadline = Date.now() + options.shrinkMinutes * 60_000;
    const { history, tries } = await shrink(play.played, entry, stillFails(what), deadline);
    say(
      `seed ${options.seed}: shrunk ${play.played.length} entries to ${history.length} in ${tries} tries:`,
    );
    say(historyText(history));
    say(`replay: ${replayLine(options)} --history <file with these lines>`);
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
    const fails = violations.some((violation) => violation.what === what);
    say(`try ${number}: ${entries.length} entries, ${fails ? 'still fails' : 'passes'}`);
    return fails;
  };
}

function historySource() {
  if (options.history) {
    const lines = readFileSync(options.history, 'utf8').split('\n');
    return replay(lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line)));
  }
  const end = options.minutes * 60_000;
  return (minute) =>
    minute * 60_000 < end ? drawMinute(minute, options).filter(({ at }) => at < end) : undefined;
}
