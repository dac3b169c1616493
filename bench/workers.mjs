// Two workers against one, on the server list: the service's own work, with next to nothing for the database to do.
import { availableParallelism } from 'node:os';
import { bar, compare, summarise } from './figures.mjs';
import { SERVERS } from './population.mjs';
import { count, percent, times } from './report.mjs';
import { createTrial, runRounds } from './rounds.mjs';
import { SERVER_LIST } from './scenarios.mjs';
import { startService } from './stage.mjs';

const BAR = 1.6;
// Two for the workers, one for the load, one for the database and the primary process.
const CORES = 4;

export async function measureWorkers(options, database, game, asked) {
  console.log('one worker and two:');
  const sides = {
    one: await startService(database, game),
    two: await startService(database, game, 2),
  };
  const trial = await createTrial(SERVER_LIST, { sides, database, asked, servers: SERVERS });
  await runRounds([trial], options);
  await Promise.all([sides.one.stop(), sides.two.stop()]);

  const [one, two] = [summarise(trial.rounds.one), summarise(trial.rounds.two)];
  const { ratio, ratioSpread } = compare(trial.rounds.two, trial.rounds.one);
  const cores = availableParallelism();
  const why = cores < CORES ? `${cores} cores, ${CORES} needed` : undefined;
  const heads = ['workers', 'a second', 'CPU, µs', 'ratio', 'spread of the ratio'];
  const rows = [
    ['one', count(one.rate), count(one.processorMicroseconds), '', ''],
    ['two', count(two.rate), count(two.processorMicroseconds), times(ratio), percent(ratioSpread)],
  ];
  return {
    table: { title: `server list by one worker and by two, on ${cores} cores`, heads, rows },
    bars: [bar('two workers, against one', ratio, '×', { least: BAR, why })],
    figures: { workers: { one, two, ratio, ratioSpread, cores } },
  };
}
