import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { query } from '../../support/servers/mariadb.js';
import {
  type Build,
  buildNewestRelease,
  treeUnderTest,
} from '../../support/upgrade/release-build.js';
import { RollingUpgrade } from '../../support/upgrade/rolling-upgrade.js';
import { spoiledBuild } from '../../support/upgrade/spoiled-build.js';
import { until } from '../../support/until.js';

// What takes a minute on an idle machine may take ten times as long on a busy one.
const TIMEOUT_MS = 900_000;

let release: Build;
let upgrade: RollingUpgrade;

beforeAll(async () => {
  release = await buildNewestRelease();
}, TIMEOUT_MS);

describe('An upgrade from the newest release behind nginx, under load', () => {
  beforeAll(async () => {
    upgrade = await RollingUpgrade.start(release);
  });
  afterAll(() => upgrade.stop());

  it(
    'loses, duplicates and rejects nothing, even after an instance was rolled back',
    async () => {
      const tree = treeUnderTest();
      await upgrade.play();
      await upgrade.migrate(tree);
      await upgrade.play();
      const replacements: Array<[number, Build]> = [
        [0, tree],
        [1, tree],
        [1, release],
        [1, tree],
      ];
      for (const [place, build] of replacements) {
        await upgrade.replace(place, build);
        await upgrade.play();
      }
      await upgrade.end([release, tree]);
      const problems = await upgrade.audit(release, tree);
      const versions = `${release.name} (${release.commit}) to ${tree.commit}`;
      console.log(upgrade.figures(`Upgrade of ${versions} on ${inject('database').kind}`));
      expect(problems).toEqual([]);
    },
    TIMEOUT_MS,
  );
});

describe('The upgrade test', () => {
  let spoiled: ReturnType<typeof spoiledBuild>;
  beforeAll(async () => {
    // Copying comes before the load, because it blocks this process, which also runs the game server.
    spoiled = spoiledBuild('ALTER TABLE player DROP COLUMN entered_at');
    upgrade = await RollingUpgrade.start(release);
    await upgrade.play();
  }, TIMEOUT_MS);
  afterAll(async () => {
    await upgrade.stop();
    spoiled.remove();
  });

  it('reports a migration that drops a column that the release uses', async () => {
    const { promises } = upgrade;
    expect(promises.problems).toEqual([]);
    await upgrade.migrate(spoiled, ['--stop-the-world']);
    await until(() => /a request of kind entry: 500/.test(promises.problems.join('\n')));
  });

  it('reports everything that the database loses or duplicates', async () => {
    await upgrade.end([release]);
    const { stage, promises } = upgrade;
    const { signIns, restingBrowsers, entries, appOwners, withdrawals } = promises;
    const [player] = entries.keys();
    const payload = Buffer.from(signIns.at(-1)!.token.split('.')[1]!, 'base64url').toString();
    const { sid } = JSON.parse(payload) as { sid: number };
    const remembered = restingBrowsers[0]!.cookie.split('.')[1]!;
    const [lost, doubled] = withdrawals.filter(({ answers }) => answers[0]?.status === 200);
    const owner = appOwners[0]!.player;
    const endSession = 'UPDATE session SET ended_at = created_at WHERE id =';
    const losses = [
      ['DELETE FROM chat LIMIT 1', '1 chat records are lost'],
      [`UPDATE player SET enter_count = 0 WHERE id = ${player!.id}`, `${player!.account} entered`],
      [`${endSession} ${sid}`, 'a token is refused'],
      [`${endSession} ${remembered}`, 'a remembered session is refused'],
      [`DELETE FROM player_recovery_code WHERE player_id = ${owner.id}`, `${owner.account} used`],
      [
        `UPDATE withdraw SET idempotency_key = NULL WHERE idempotency_key = '${lost!.key}'`,
        `${lost!.key}, repeated: 200`,
      ],
      [`DELETE FROM audit_event WHERE operator = 'anna' LIMIT 1`, 'acts of operators have'],
    ] as const;
    for (const [sql] of losses) await query(stage.databaseUrl, sql);
    const { role, amount, signIn } = doubled!;
    await stage.world.deduct(stage.server, role, signIn.player.account, amount);
    const problems = (await upgrade.auditAt()).join('\n');
    for (const [sql, problem] of losses) expect(problems, sql).toContain(problem);
    expect(problems).toMatch(new RegExp(`role ${role} has .*; its rows leave`));
  });
});
