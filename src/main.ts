import { setFlagsFromString } from 'node:v8';

if (process.argv.length > 2) {
  console.error(
    'The service takes no arguments; its variables are in .env.example. For operators: node dist/gatehouse.js --help',
  );
  process.exit(2);
}

// Objects allocated during startup survive, so V8 would permanently enlarge its young generation by 30 MB that an idle
// service does not need. The limit is lifted once all modules are loaded.
setFlagsFromString('--semi-space-growth-factor=1');
const { start } = await import('./serve.js');
await start();
setFlagsFromString('--semi-space-growth-factor=2');
