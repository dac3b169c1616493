import { setFlagsFromString } from 'node:v8';

if (process.argv.length > 2) {
  console.error(
    'The service takes no arguments; its variables are in .env.example. For operators: node dist/gatehouse.js --help',
  );
  process.exit(2);
}

// Start-up allocations survive, so V8 would grow its young generation for good: 30 MB that an idle service holds for
// nothing. Growth is allowed only once all modules are loaded.
setFlagsFromString('--semi-space-growth-factor=1');
const { start } = await import('./start.js');
await start();
setFlagsFromString('--semi-space-growth-factor=2');
