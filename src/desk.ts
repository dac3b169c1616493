import { loadConfiguration } from './config/load-configuration.js';
import { runDesk } from './desk/run-desk.js';

await runDesk(loadConfiguration());
