import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Client } from '../support/api/client.js';
import { type Gatehouse, inProject, startGatehouse } from '../support/servers/gatehouse-process.js';
import {
  PASSWORD,
  registerInSandbox,
  setGameServerFault,
} from '../support/servers/sandbox-player.js';
import { removeFolder, temporaryFolder } from '../support/servers/temporary-folder.js';
import { EmbeddedDatabase } from '../support/browser/embedded-database.js';
import { until } from '../support/until.js';

const ACCOUNT = 'dragon_slayer';

let folder: string;
let instance: Gatehouse;
let client: Client;
let withdrawal: { id: number };

beforeAll(async () => {
  folder = temporaryFolder('runbook');
  instance = await startGatehouse({ DATA_DIR: folder });
  client = new Client(instance.url);
  const token = await registerInSandbox(client, ACCOUNT);
  await client.post('/api/login', { account: ACCOUNT, password: 'guess' }, { from: '192.0.2.9' });
  await setGameServerFault(client, 'error_after');
  const { roles } = (await client.get('/api/game/roles?server_id=1', { token })).body.data;
  const order = { server_id: 1, role_id: roles[0].role_id, amount: 700 };
  withdrawal = (await client.post('/api/game/withdraw', order, { token })).body.data;
  expect(withdrawal).toMatchObject({ status: 'unknown' });
  await untilGuessIsStored();
});
afterAll(async () => {
  await instance.stop();
  removeFolder(folder);
});

/** Waits until the failed sign-in is stored, which happens in the background. */
async function untilGuessIsStored(): Promise<void> {
  const database = new EmbeddedDatabase(folder);
  const guess = "SELECT id FROM login_event WHERE outcome = 'bad_credentials'";
  await until(async () => (await database.query(guess)).length > 0);
  database.close();
}

interface Answer {
  line: string;
  status: number;
  out: string;
  problem: string;
}

/** Runs one subcommand per process, because entities that another subcommand registers would hide missing ones. */
const DRIVER = `
const { runArguments } = await import(process.env.DIST + '/operators/cli/run-program.js');
const { createProgram } = await import(process.env.DIST + '/create-program.js');
const answers = [];
for (const [line, args] of JSON.parse(process.env.LINES)) {
  const answer = { line, out: '', problem: '' };
  console.log = (text) => (answer.out += text + '\\n');
  console.error = (text) => (answer.problem += text + '\\n');
  await runArguments(createProgram(), args);
  answers.push({ ...answer, status: process.exitCode });
}
process.exitCode = 0;
process.stdout.write(JSON.stringify(answers));
`;

async function run(lines: string[]): Promise<Answer[]> {
  const asked = lines.map((line) => {
    const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word);
    return [line, words];
  });
  const child = spawn('node', ['--input-type=module', '-e', DRIVER], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      DATA_DIR: folder,
      SETTINGS_FILE: inProject('config/settings.yaml'),
      DIST: inProject('dist'),
      LINES: JSON.stringify(asked),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(await text(child.stdout)) as Answer[];
}

/** Returns the commands of the runbook's section with this test's account and withdrawal filled in. */
function documented(): string[] {
  const runbook = readFileSync(inProject('docs/operations.md'), 'utf8');
  const [, table = ''] = /## On-call questions\n([^]*?)\n## /.exec(runbook) ?? [];
  const lines = [...table.matchAll(/`gatehouse ([^`]+)`/g)].map(([, line = '']) =>
    line
      .replace(/^status$/, 'status --url …')
      .replace(/--url .*/, `--url ${instance.url}`)
      .replace('player 42', 'player 1')
      .replace('--server 3', '--server 2')
      .replace(/\b42\b/, `${withdrawal.id}`)
      .replace(/--by .*/, '$& --yes'),
  );
  return [...new Set(lines)];
}

it('Every command under "On-call questions" in docs/operations.md answers its question', async () => {
  const settle = `withdrawal settle ${withdrawal.id} failed --by anna --note hasty --yes`;
  const again = `withdrawal show ${withdrawal.id} --json`;
  const lines = documented().flatMap((line) =>
    line.startsWith('withdrawal reopen') ? [settle, line, again] : [line],
  );
  const byPart = new Map<string, string[]>();
  for (const line of lines) {
    const part = line.split(' ', 1)[0]!;
    byPart.set(part, [...(byPart.get(part) ?? []), line]);
  }
  expect(byPart.size).toBe(6);
  // The other commands run first because `check` finds nothing once the withdrawal is settled.
  const [settling = [], others = []] = [true, false].map((wanted) =>
    [...byPart].filter(([part]) => (part === 'withdrawal') === wanted),
  );
  const answers: Answer[] = [];
  for (const parts of [others, settling])
    answers.push(...(await Promise.all(parts.map(([, asked]) => run(asked)))).flat());

  const said = (beginning: string) => answers.find(({ line }) => line.startsWith(beginning))?.out;
  // `check` exits with 1 because it finds the unknown withdrawal, and `settle` shows the evidence before it asks.
  for (const { line, status, problem } of answers)
    expect([line, status, problem]).toEqual([
      line,
      line.startsWith('check') ? 1 : 0,
      line === settle ? expect.stringContaining('HTTP 500 {"code":0}') : '',
    ]);
  expect(said('withdrawal list')).toMatch(/unknown +dragon_slayer +1 /);
  expect(said('withdrawal show')).toMatch(/created +sending[^]*sending +unknown/);
  expect(JSON.parse(said(again)!)).toMatchObject({ withdrawal: { status: 'unknown' } });
  expect(said('player show')).toContain('bad_credentials');
  expect(said('player logins')).toContain('192.0.2.9');
  expect(said('events guesses')).toContain(ACCOUNT);
  expect(said('events registrations')).toMatch(/:00 +1 /);
  expect(said('check')).toContain('withdrawal list --status unknown');
  const login = { account: ACCOUNT, password: PASSWORD };
  expect((await client.post('/api/login', login)).body.error).toBe('bad_credentials');
});
