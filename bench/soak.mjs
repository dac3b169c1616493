// Measures memory under sustained full load. Memory may grow during the warm-up and must stay flat
// afterwards.
import { openDatabase } from './databases.mjs';
import { drive, memoryMb } from './drive.mjs';
import { bar, median } from './figures.mjs';
import { fillPlayers, fillServers } from './fill.mjs';
import { samplePlayers } from './population.mjs';
import { count } from './report.mjs';
import { writeRequests } from './rounds.mjs';
import { CHECK_JWT, CHECK_MD5, ENTER_GAME, LINK, LOGIN, SERVER_LIST } from './scenarios.mjs';
import * as stage from './stage.mjs';

// The mix has no wrong logins, because their counters accumulate for as long as the settings allow.
const MIXED = [SERVER_LIST, CHECK_MD5, CHECK_JWT, LOGIN, ENTER_GAME, LINK];
const WARM_UP_SECONDS = 30;
const SAMPLE_MS = 1000;
const PARTS = 5;
const MAX_GROWTH = 1.1;

export async function measureSoak({ players, minutes }) {
  const [mariadb, game] = await Promise.all([stage.startMariaDb(), stage.startGame()]);
  const database = await openDatabase(mariadb);
  await fillServers(database, game);
  await fillPlayers(database, players);
  const playerIds = samplePlayers(players);
  const service = await stage.startService(database, game);
  const atRest = memoryMb(service.pid);

  const file = writeRequests(playerIds.flatMap((id) => MIXED.map(({ request }) => request(id))));
  const seconds = Math.ceil(minutes * 60);
  const warmUp = Math.min(WARM_UP_SECONDS, seconds);
  console.log(`warming up for ${warmUp} s …`);
  await load(service.url, warmUp, file, 'warm');
  console.log(`running ${minutes} minutes of full load …`);
  const samples = await sampleDuring(load(service.url, seconds, file, 'soak'), service.pid);

  await Promise.all([service.stop(), database.close()]);
  await Promise.all([game.stop(), mariadb.stop()]);
  const parts = inParts(samples).map(median);
  const heads = ['memory, MB', 'at rest', ...parts.map((_, part) => `part ${part + 1}`)];
  return {
    tables: [
      {
        title: `${minutes} minutes of full load in ${PARTS} equal parts`,
        heads,
        rows: [['median', count(atRest), ...parts.map(count)]],
      },
    ],
    bars: [
      bar('memory in the last part vs the second', parts.at(-1) / parts[1], '×', {
        most: MAX_GROWTH,
      }),
    ],
    figures: { players, minutes, atRest, parts, samples },
  };
}

/** Replays all paths in turn. Chat reports run in parallel, because their ids must be new. */
function load(url, seconds, file, run) {
  return Promise.all([
    drive(url, seconds, { script: 'replay.lua', args: [file, 0] }),
    drive(url, seconds, { script: 'chat.lua', args: [100, run], connections: 2 }),
  ]);
}

async function sampleDuring(work, pid) {
  const samples = [];
  const sampling = setInterval(() => samples.push(memoryMb(pid)), SAMPLE_MS);
  await work.finally(() => clearInterval(sampling));
  return samples;
}

function inParts(samples) {
  const size = Math.floor(samples.length / PARTS);
  return Array.from({ length: PARTS }, (_, part) => samples.slice(part * size, (part + 1) * size));
}
