import { join } from 'node:path';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Deployment, freshDeployment } from '../support/api/deployment.js';
import { md5, SECRETS } from '../support/accounts.js';
import { ImportCommand } from '../support/import/import-command.js';
import { OldGeneration } from '../support/import/old-generation.js';

const run = inject('database');
let command: ImportCommand;
let deployment: Deployment;
let old: OldGeneration;
let env: Record<string, string>;

beforeAll(async () => {
  command = new ImportCommand();
  deployment = await freshDeployment();
  const { rootUrl } = run as { rootUrl: string };
  old = await OldGeneration.create(rootUrl, 200, new URL(deployment.url).pathname.slice(1));
  env = command.environmentOf(old, deployment.env);
});
afterAll(async () => {
  await old?.drop();
  command?.cleanUp();
});

async function query(sql: string): Promise<RowDataPacket[]> {
  const connection = await createConnection({ uri: deployment.url, charset: 'utf8mb4' });
  const [rows] = await connection.query<RowDataPacket[]>(sql);
  await connection.end();
  return rows;
}

const lastLine = (output: string) => output.trim().split('\n').at(-1);

describe('gatehouse import', () => {
  it('imports into the embedded database for a trial', async () => {
    const embedded = command.environmentOf(old, {
      ...SECRETS,
      DATA_DIR: join(command.folder, 'data'),
    });
    const from = ['--from', deployment.url];
    expect(await command.run([...from, '--run'], embedded)).toMatchObject({ status: 0 });
    const { status, output } = await command.run([...from, '--verify'], embedded);
    expect(lastLine(output)).toBe('216 players, 216 proven, 0 accepted, 0 lost');
    expect(status).toBe(0);
  });

  it("adopts tables with the service's names, lists differing players, and restores the tables with --undo", async () => {
    const checksums = () =>
      query('CHECKSUM TABLE player, agent, server, player_connect_threeparty');
    const before = await checksums();
    const adopted = await command.run(['--adopt'], env);
    expect(adopted.output).toContain('RENAME TABLE');
    expect(lastLine(adopted.output)).toBe('216 players, 216 proven, 0 accepted, 0 lost');
    expect(adopted.status).toBe(0);

    await query("DELETE FROM player_alias WHERE name = 'BOB'");
    await query('UPDATE player_ban SET lifted_at = UTC_TIMESTAMP(3) WHERE player_id = 14');
    await query(`UPDATE player SET password = '${md5('changed here')}' WHERE account = 'sixteen'`);
    const lost = await command.run(['--verify', '--from', deployment.url], env);
    expect(lastLine(lost.output)).toBe('216 players, 213 proven, 0 accepted, 3 lost');
    expect(lost.status).toBe(1);
    expect(command.report('verify')).toMatch(/^lost,5,BOB,.*token/m);
    expect(command.report('verify')).toMatch(/^lost,\d+,sixteen,password changed here,/m);
    expect(command.report('verify')).toMatch(/^lost,14,cheater,.*banned before/m);

    await query("INSERT INTO player (account, password) VALUES ('newcomer', '')");
    const refused = await command.run(['--undo'], env);
    expect(refused.output).toContain('players who registered here: 1');
    expect(refused.output).toContain('passwords changed here: 1');
    expect(refused.status).toBe(1);
    expect((await command.run(['--undo', '--yes'], env)).status).toBe(0);
    expect(await checksums()).toEqual(before);
    expect(await query('SHOW TABLES')).toHaveLength(4);
  });
});
