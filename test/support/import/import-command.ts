import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inProject } from '../servers/gatehouse-process.js';
import { OLD_MAP, type OldGeneration } from './old-generation.js';
import { ManagedProcess } from '../servers/processes.js';
import { removeFolder, temporaryFolder } from '../servers/temporary-folder.js';

type Environment = Record<string, string>;

/** Runs `gatehouse import` as an operator does, in its own folder. */
export class ImportCommand {
  readonly folder = temporaryFolder('import');

  constructor(map = OLD_MAP) {
    writeFileSync(join(this.folder, 'map.yaml'), map);
  }

  cleanUp(): void {
    removeFolder(this.folder);
  }

  environmentOf({ gameUrl, gamePattern }: OldGeneration, more: Environment): Environment {
    const settings = join(this.folder, `${gamePattern.replaceAll(/\W/g, '')}.yaml`);
    writeFileSync(
      settings,
      `game_database: { pattern: "${gamePattern}" }\nlogin_throttle: { address: { failures: 100000 } }`,
    );
    return { ...more, GAME_DATABASE_URL: gameUrl, SETTINGS_FILE: settings };
  }

  begin(args: string[], environment: Environment): ManagedProcess {
    const { folder } = this;
    const more = ['--map', join(folder, 'map.yaml'), '--report', join(folder, 'report')];
    const line = [inProject('dist/gatehouse.js'), 'import', ...more, ...args];
    return new ManagedProcess('node', line, {
      cwd: folder,
      env: { AGREEMENT_FILE: inProject('config/agreement.html'), ...environment },
    });
  }

  async run(args: string[], environment: Environment) {
    const command = this.begin(args, environment);
    const status = await command.exit;
    return { status, output: command.output };
  }

  report(name: string): string {
    return readFileSync(join(this.folder, 'report', `${name}.csv`), 'utf8');
  }
}
