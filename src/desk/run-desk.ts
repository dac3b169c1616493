import { Logger } from '@nestjs/common';
import type { Environment } from '../config/environment.js';
import { createDesk } from './create-desk.js';

/** Runs the desk until a stop signal. */
export async function runDesk(environment: Environment): Promise<void> {
  const app = await createDesk(environment);
  await app.listen(environment.DESK_PORT, environment.DESK_HOST);
  new Logger('Desk').log(`the desk listens on ${environment.DESK_HOST}:${environment.DESK_PORT}`);
}
