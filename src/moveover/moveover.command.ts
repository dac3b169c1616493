import { type Command, CommandRefused } from '../command/command.js';
import { loadConfiguration } from '../config/load-configuration.js';
import type { Environment } from '../config/environment.js';
import { migrate } from '../database/migrate.js';
import { Adoption } from './adoption.js';
import {
  type MoveoverArguments,
  OPTIONS,
  parseMoveoverArguments,
  USAGE,
} from './moveover-arguments.js';
import { Moveover } from './moveover.js';
import { grouped } from './progress.js';
import { Target } from './target.js';

export const moveoverCommand: Command = {
  summary: "moves the previous generation's players over, and proves it",
  usage: USAGE,
  options: OPTIONS,

  async run(args) {
    const given = parseMoveoverArguments(args);
    const environment = loadConfiguration();
    if (given.mode === 'adopt') return adopt(environment, given);
    if (given.mode === 'undo') return undo(environment, given);
    const moveover = new Moveover(environment, given);
    if (given.mode === 'check') return moveover.check();
    return given.mode === 'run' ? moveover.run() : moveover.verify();
  },
};

async function adopt(environment: Environment, given: MoveoverArguments): Promise<number> {
  await withAdoption(environment, async (adoption) => {
    const sql = await adoption.moveAside();
    console.log(sql ?? 'the old tables were moved aside before');
  });
  await migrate(environment);
  const moveover = new Moveover(environment, { ...given, from: environment.DATABASE_URL });
  return (await moveover.run()) || moveover.verify();
}

function undo(environment: Environment, { yes }: MoveoverArguments): Promise<number> {
  return withAdoption(environment, async (adoption) => {
    const { players, withdrawals } = await adoption.newHere();
    if (players + withdrawals > 0 && !yes)
      throw new CommandRefused(
        `${grouped(players)} who registered here since, and ${grouped(withdrawals)} withdrawals, would be lost: add --yes if they may be`,
      );
    console.log(await adoption.putBack());
    return 0;
  });
}

async function withAdoption<T>(
  environment: Environment,
  work: (adoption: Adoption) => Promise<T>,
): Promise<T> {
  if (environment.embedded)
    throw new CommandRefused('DATABASE_URL is not set: the embedded database has no old tables');
  const target = await Target.open(environment);
  try {
    return await work(new Adoption(target));
  } finally {
    await target.close();
  }
}
